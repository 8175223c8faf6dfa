/** Why this module holds personal data. */
export const ledgerPurpose = {
  purpose: 'settle with sellers, and keep the books',
  basis: 'law',
  seenBy: ['self', 'admins'],
} as const;
