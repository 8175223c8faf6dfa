/** Why this module holds something about people (`infra/holding.ts`). */
export const consentsPurpose = {
  purpose: 'prove which consent was given, when and how',
  basis: 'law',
  seenBy: ['self', 'admins'],
} as const;
