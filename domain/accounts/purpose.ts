/** Why this module holds personal data. */
export const accountsPurpose = {
  purpose: 'let people sign in, and let those whom they deal with know who they are',
  basis: 'contract',
  seenBy: ['self', 'admins'],
} as const;
