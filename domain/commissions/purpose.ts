/** Why this module holds something about people (`infra/holding.ts`). */
export const commissionsPurpose = {
  purpose: 'compute the commission of a seller',
  basis: 'contract',
  seenBy: ['self', 'admins'],
} as const;
