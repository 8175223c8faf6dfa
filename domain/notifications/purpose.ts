/** Why this module holds personal data. */
export const notificationsPurpose = {
  purpose: 'tell people what concerns them',
  basis: 'contract',
  seenBy: ['self'],
} as const;
