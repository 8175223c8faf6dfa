/** Why this module holds personal data. */
export const paymentsPurpose = {
  purpose: 'take payments, refund them and issue receipts',
  basis: 'contract',
  seenBy: ['self', 'admins', 'provider'],
} as const;
