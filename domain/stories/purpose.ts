/** Why this module holds personal data. */
export const storiesPurpose = {
  purpose: 'show stories to others for a day',
  basis: 'contract',
  seenBy: ['users'],
} as const;
