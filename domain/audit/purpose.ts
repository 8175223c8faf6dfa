/** Why this module holds something about people (`infra/holding.ts`). */
export const auditPurpose = {
  purpose: 'prove who did what, when and from where',
  basis: 'interest',
  seenBy: ['admins', 'auditors'],
} as const;
