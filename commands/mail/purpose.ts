/** Why this module holds something about people (`infra/holding.ts`). */
export const mailPurpose = {
  purpose: 'send e-mails to people; marketing only with consent',
  basis: 'contract',
  seenBy: ['self', 'provider'],
} as const;
