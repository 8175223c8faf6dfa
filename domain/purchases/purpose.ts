/** Why this module holds personal data. */
export const purchasesPurpose = {
  purpose: 'carry out what was bought, such as insurance for the people who are named',
  basis: 'contract',
  seenBy: ['self', 'admins'],
} as const;
