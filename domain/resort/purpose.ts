/** Why this module holds personal data. */
export const resortPurpose = {
  purpose: 'count how many wait at a lift, and tell people when the wait is short',
  basis: 'contract',
  seenBy: ['self'],
} as const;
