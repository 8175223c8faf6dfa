/** Why this module holds personal data. */
export const callsPurpose = {
  purpose: 'connect calls between people',
  basis: 'contract',
  seenBy: ['self', 'members'],
} as const;
