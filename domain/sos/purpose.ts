/** Why this module holds personal data. */
export const sosPurpose = {
  purpose: 'rescue people',
  basis: 'vital',
  seenBy: ['self', 'rescuers', 'admins'],
} as const;
