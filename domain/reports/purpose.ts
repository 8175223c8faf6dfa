/** Why this module holds personal data. */
export const reportsPurpose = {
  purpose: 'act on reports of what breaks the rules',
  basis: 'interest',
  seenBy: ['self', 'admins'],
} as const;
