/** Which passes the closed mountain has made valid longer than their codes say: gates without a connection learn it here. */

import { addDays, instantIn } from '../../domain/core/dates.ts';
import { movedUntil } from '../../domain/passes/admission.ts';
import { toCamel } from '../../infra/naming.ts';
import { currentEpoch } from '../engine/changes.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { closedDates } from './closedDates.ts';
import { passes } from './passes.ts';

export interface Extension {
  readonly pass_id: string;
  /** The first moment at which it is no longer valid, RFC 3339. */
  readonly valid_until: string;
}

const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** `<epoch>:<closed dates that are told>:<those that are being told>:<the last pass>`. */
export const EXTENSION_CURSOR = `^${UUID}:[0-9]{1,6}:[0-9]{1,6}:(${UUID})?$`;

interface Progress {
  readonly told: number;
  readonly telling: number;
  readonly after: string;
}
const NOTHING: Progress = { told: 0, telling: 0, after: '' };

/** Of another epoch, all are told again: it can be of another log. */
const progressOf = (cursor: string | undefined, epoch: string): Progress => {
  const [of, told, telling, after = ''] = cursor?.split(':') ?? [];
  return of === epoch ? { told: Number(told), telling: Number(telling), after } : NOTHING;
};

/**
 * The passes whose last date has moved since the cursor of a former answer, by their ids. Those that ended long ago are
 * left out.
 * @param notBefore `YYYY-MM-DD` @param limit passes that are looked at
 */
export const extensionsSince = async (
  db: ReadDb,
  { since, notBefore, limit }: { since: string | undefined; notBefore: string; limit: number },
): Promise<{ readonly data: Extension[]; readonly next: string; readonly more: boolean }> => {
  const epoch = await currentEpoch(db);
  const all = (await closedDates(db)).toSorted((a, b) => a.at.localeCompare(b.at) || a.date.localeCompare(b.date));
  const { told, telling: begun, after } = progressOf(since, epoch);
  const telling = after === '' ? all.length : Math.min(begun, all.length);
  const closed = all.slice(0, telling);
  const cursor = (of: Progress): string => `${epoch}:${of.told}:${of.telling}:${of.after}`;
  const done = cursor({ told: telling, telling, after: '' });
  if (telling <= told) return { data: [], next: done, more: false };
  const dates = closed
    .slice(told)
    .map(({ date }) => date)
    .toSorted();
  // Each closed date makes a pass a day longer at most.
  const earliest = addDays(dates[0] ?? notBefore, -closed.length);
  const rows = await tables(db, passes)
    .selectFrom('passes')
    .select(['id', 'unit', 'count', 'valid_from', 'valid_to', 'sold_at', 'days', 'timezone'])
    .where('unit', '<>', 'season')
    .where('status', 'in', ['active', 'blocked'])
    .where('valid_from', '<=', dates.at(-1) ?? '')
    .where('valid_to', '>=', earliest > notBefore ? earliest : notBefore)
    .where('id', '>', after === '' ? '00000000-0000-0000-0000-000000000000' : after)
    .orderBy('id')
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const more = rows.length > limit;
  return {
    data: page.flatMap((row) => {
      const until = movedUntil(toCamel(row), closed, told);
      if (until === null) return [];
      return [{ pass_id: row.id, valid_until: instantIn(row.timezone, addDays(until, 1), '00:00') }];
    }),
    next: more ? cursor({ told, telling, after: page.at(-1)?.id ?? '' }) : done,
    more,
  };
};
