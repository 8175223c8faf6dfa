/** The domain manifest of this module. */
import { appeal } from './appeal.ts';
import { reportsPurpose } from './purpose.ts';
import { report } from './report.ts';

export const reports = { aggregates: [report, appeal], purpose: reportsPurpose } as const;
