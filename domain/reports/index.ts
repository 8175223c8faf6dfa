/** The domain manifest of this module. */
import { appeal } from './appeal.ts';
import { evidence } from './evidence.ts';
import { report } from './report.ts';

/** Why this module holds personal data. */
export const reportsPurpose = {
  purpose: 'act on reports of what breaks the rules',
  basis: 'interest',
  seenBy: ['self', 'admins'],
} as const;

export const reports = { aggregates: [report, appeal, evidence], purpose: reportsPurpose } as const;
