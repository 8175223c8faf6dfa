/** The domain manifest of this module. */
import { report } from './report.ts';

export const reports = { aggregates: [report] } as const;
