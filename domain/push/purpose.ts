/** Why this module holds personal data. */
export const pushPurpose = {
  purpose: 'send messages to the devices of people; marketing only with consent',
  basis: 'contract',
  seenBy: ['self', 'provider'],
} as const;
