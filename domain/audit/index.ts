/** The domain manifest of this module. */
import { auditLog } from './auditLog.ts';

/** Why this module holds personal data. */
export const auditPurpose = {
  purpose: 'prove who did what, when and from where',
  basis: 'interest',
  seenBy: ['admins', 'auditors'],
} as const;

export const audit = { aggregates: [auditLog], purpose: auditPurpose } as const;
