/** Reports of what breaks the rules, and how admins answered. What is reported has the operations (`api/reports`). */
import { reportsPurpose } from './purpose.ts';
import { report } from './report.ts';

export const reports = { aggregates: [report], purpose: reportsPurpose } as const;
