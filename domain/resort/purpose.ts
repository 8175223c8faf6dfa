/** Why this module holds something about people (`infra/holding.ts`). */
export const resortPurpose = {
  purpose: 'tell people when the wait at a lift is short',
  basis: 'contract',
  seenBy: ['self'],
} as const;
