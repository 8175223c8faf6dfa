/** Why this module holds personal data. */
export const supportPurpose = {
  purpose: 'answer requests for help',
  basis: 'contract',
  seenBy: ['self', 'support', 'admins'],
} as const;
