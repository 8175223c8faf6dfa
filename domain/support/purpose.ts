/** Why this module holds something about people (`infra/holding.ts`). */
export const supportPurpose = {
  purpose: 'answer requests for help',
  basis: 'contract',
  seenBy: ['self', 'support', 'admins'],
} as const;
