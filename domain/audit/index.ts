/** The domain manifest of this module. */
import { auditLog } from './auditLog.ts';
import { auditPurpose } from './purpose.ts';

export const audit = { aggregates: [auditLog], purpose: auditPurpose } as const;
