/** Why this module holds personal data. */
export const analyticsPurpose = {
  purpose: 'count how the apps are used',
  basis: 'consent',
  seenBy: ['self', 'admins'],
} as const;
