/** Why this module holds personal data. */
export const catalogPurpose = {
  purpose: 'show what sellers offer',
  basis: 'contract',
  seenBy: ['public'],
} as const;
