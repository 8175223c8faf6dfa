/** Why this module holds personal data. */
export const auditPurpose = {
  purpose: 'prove who did what, when and from where',
  basis: 'interest',
  seenBy: ['admins', 'auditors'],
} as const;
