/** Why this module holds something about people (`infra/holding.ts`). */
export const resortPurpose = {
  purpose: 'count how many wait at a lift, and tell people when the wait is short',
  basis: 'contract',
  seenBy: ['self'],
} as const;
