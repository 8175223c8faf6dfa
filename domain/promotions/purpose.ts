/** Why this module holds personal data. */
export const promotionsPurpose = {
  purpose: 'let promo codes be used as often as they promise',
  basis: 'contract',
  seenBy: ['self', 'admins'],
} as const;
