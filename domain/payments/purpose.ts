/** Why this module holds something about people (`infra/holding.ts`). */
export const paymentsPurpose = {
  purpose: 'take payments, refund them and issue receipts',
  basis: 'contract',
  seenBy: ['self', 'admins', 'provider'],
} as const;
