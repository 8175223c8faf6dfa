/** Why this module holds something about people (`infra/holding.ts`). */
export const bookingsPurpose = {
  purpose: 'carry out what was booked',
  basis: 'contract',
  seenBy: ['self', 'seller', 'admins'],
} as const;
