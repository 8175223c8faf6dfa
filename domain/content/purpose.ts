/** Why this module holds personal data. */
export const contentPurpose = {
  purpose: 'know who comes to an event',
  basis: 'contract',
  seenBy: ['self', 'admins'],
} as const;
