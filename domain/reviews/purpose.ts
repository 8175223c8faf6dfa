/** Why this module holds personal data. */
export const reviewsPurpose = {
  purpose: 'show what guests think of what they booked',
  basis: 'contract',
  seenBy: ['public'],
} as const;
