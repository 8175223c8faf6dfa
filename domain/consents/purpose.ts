/** Why this module holds personal data. */
export const consentsPurpose = {
  purpose: 'prove which consent was given, when and how',
  basis: 'law',
  seenBy: ['self', 'admins'],
} as const;
