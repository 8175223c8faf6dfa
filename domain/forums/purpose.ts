/** Why this module holds personal data. */
export const forumsPurpose = {
  purpose: 'let people discuss, and keep the discussion within the rules',
  basis: 'contract',
  seenBy: ['public'],
} as const;
