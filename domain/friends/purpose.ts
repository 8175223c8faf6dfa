/** Why this module holds personal data. */
export const friendsPurpose = {
  purpose: 'let people find each other, and share with friends what they choose to',
  basis: 'contract',
  seenBy: ['self', 'friends'],
} as const;
