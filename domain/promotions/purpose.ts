/** Why this module holds something about people (`infra/holding.ts`). */
export const promotionsPurpose = {
  purpose: 'let promo codes be used as often as they promise',
  basis: 'contract',
  seenBy: ['self', 'admins'],
} as const;
