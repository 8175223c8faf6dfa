/** Why this module holds personal data. */
export const badgesPurpose = {
  purpose: 'award badges',
  basis: 'contract',
  seenBy: ['self'],
} as const;
