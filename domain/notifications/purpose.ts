/** Why this module holds something about people (`infra/holding.ts`). */
export const notificationsPurpose = {
  purpose: 'tell people what concerns them',
  basis: 'contract',
  seenBy: ['self'],
} as const;
