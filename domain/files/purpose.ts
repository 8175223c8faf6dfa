/** Why this module holds personal data. */
export const filesPurpose = {
  purpose: 'show the pictures and documents that people upload where they attach them',
  basis: 'contract',
  seenBy: ['self', 'readers'],
} as const;
