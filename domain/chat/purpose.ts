/** Why this module holds personal data. */
export const chatPurpose = {
  purpose: 'let people write to each other',
  basis: 'contract',
  seenBy: ['self', 'members'],
} as const;
