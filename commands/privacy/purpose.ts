/** Why this module holds something about people (`infra/holding.ts`). */
export const privacyPurpose = {
  purpose: 'give people what is held about them, and erase it',
  basis: 'law',
  seenBy: ['self'],
} as const;
