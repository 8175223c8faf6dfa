/** Why this module holds personal data. */
export const passesPurpose = {
  purpose: 'let the holders of ski passes through the gates, and stop copies',
  basis: 'contract',
  seenBy: ['self', 'admins'],
} as const;
