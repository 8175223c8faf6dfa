/** Why this module holds something about people (`infra/holding.ts`). */
export const contentPurpose = {
  purpose: 'know who comes to an event',
  basis: 'contract',
  seenBy: ['self', 'admins'],
} as const;
