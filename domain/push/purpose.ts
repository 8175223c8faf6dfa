/** Why this module holds something about people (`infra/holding.ts`). */
export const pushPurpose = {
  purpose: 'send messages to the devices of people; marketing only with consent',
  basis: 'contract',
  seenBy: ['self', 'provider'],
} as const;
