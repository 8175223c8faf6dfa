/** Why this module holds personal data. */
export const trackingPurpose = {
  purpose: 'record days on the mountain, and show them to whom the person chooses',
  basis: 'contract',
  seenBy: ['self', 'friends'],
} as const;
