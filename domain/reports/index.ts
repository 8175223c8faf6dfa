/** The domain manifest of this module. */

import { reportsPurpose } from './purpose.ts';
import { report } from './report.ts';

export const reports = { aggregates: [report], purpose: reportsPurpose } as const;
