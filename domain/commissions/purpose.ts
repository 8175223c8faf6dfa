/** Why this module holds personal data. */
export const commissionsPurpose = {
  purpose: 'compute the commission of a seller',
  basis: 'contract',
  seenBy: ['self', 'admins'],
} as const;
