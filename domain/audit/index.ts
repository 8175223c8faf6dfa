/** The domain manifest of this module. */
import { auditLog } from './auditLog.ts';

export const audit = { aggregates: [auditLog] } as const;
