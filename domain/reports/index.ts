/** The domain manifest of this module. */
import { appeal } from './appeal.ts';
import { evidence } from './evidence.ts';
import { reportsPurpose } from './purpose.ts';
import { report } from './report.ts';

export const reports = { aggregates: [report, appeal, evidence], purpose: reportsPurpose } as const;
