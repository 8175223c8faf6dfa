/** What rules measure that have no other form: the same as their expressions say to Prometheus. */
import type { Samples } from './rule.ts';

export const DAY_S = 86_400;
export const BACKUP_OLD_S = 36 * 3_600;
export const REFUSED_SHARE = 0.02;

export const backupsTooOld = (samples: Samples): ReadonlyMap<string, number> => {
  const ages = [...samples.now('backup_taken_seconds')]
    .filter(([, takenAt]) => takenAt > 0)
    .map(([of, takenAt]) => [of, Date.now() / 1_000 - takenAt] as const);
  return new Map(ages.filter(([, age]) => age > BACKUP_OLD_S));
};
export const keptTooLong = (samples: Samples): ReadonlyMap<string, number> => {
  const periods = samples.now('retention_period_seconds', 'table');
  return new Map(
    [...samples.now('retention_oldest_seconds', 'table')].filter(
      ([table, oldest]) => oldest - (periods.get(table) ?? oldest) > DAY_S,
    ),
  );
};
export const refusedRequests = (samples: Samples): ReadonlyMap<string, number> => {
  const count = (where?: Readonly<Record<string, string>>) =>
    samples.grown(5, 'http_request_seconds_count', undefined, where).get('') ?? 0;
  const refused = count({ status: '503' });
  return refused > count() * REFUSED_SHARE ? new Map([['', refused]]) : new Map();
};
export const mailWaits = (samples: Samples): ReadonlyMap<string, number> => {
  const count = (outcome: string) => samples.grown(30, 'mails_total', undefined, { outcome }).get('') ?? 0;
  const delayed = count('delayed');
  return delayed > 0 && count('sent') === 0 ? new Map([['', delayed]]) : new Map();
};
