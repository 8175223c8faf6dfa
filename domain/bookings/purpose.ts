/** Why this module holds personal data. */
export const bookingsPurpose = {
  purpose: 'carry out what was booked',
  basis: 'contract',
  seenBy: ['self', 'seller', 'admins'],
} as const;
