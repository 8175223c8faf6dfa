/**
 * What events settle or take back: the person has seen in another way what a notification says, or it is no longer so. What
 * is asked in one turn of the event loop goes together: the end of a transaction is what costs.
 */

import { gatherBy } from '../../infra/gather.ts';
import { groupBy } from '../../infra/groupBy.ts';
import type { Pool } from '../../infra/postgres.ts';
import type { SettledUpTo } from '../core/notification.ts';
import { type Change, change, changeRows, DELETED, type Named, READ } from './changeNotifications.ts';
import type { NotificationDeps } from './deps.ts';

/** Notices that are asked for together. */
const AT_ONCE = 256;

interface Seen {
  readonly id: string;
  readonly version: number;
  /** How much of it stays unread. */
  readonly left?: number;
}

interface UpTo extends SettledUpTo {
  /** Of the declaration. */
  readonly name: string;
}

/** The thread or topic that params name: as in the index `notifications_unread_in_place`. */
const placeIn = (params: string): string => `coalesce(${params} ->> 'thread_id', ${params} ->> 'topic_id')`;

/** The unread notifications that it names. */
export const unreadUpTo = gatherBy(async (pool: Pool, asked: readonly UpTo[]): Promise<Seen[][]> => {
  const { rows } = await pool.query<Seen & { readonly ord: number }>(
    `select ord, n.id, n.version
     from json_to_recordset($1::json) as asked(ord int, name text, "to" uuid, about jsonb, "upToSeq" bigint)
     cross join lateral ( -- person by person: together, the whole table would be read
       select id, version from ops.notifications
       where person_id = asked."to" and name = asked.name and deleted_at is null and read_at is null
         and params @> asked.about and params ? 'seq' and ${placeIn('params')} = ${placeIn('asked.about')}
         and (params ->> 'seq')::bigint <= asked."upToSeq"
       offset 0) n`,
    [JSON.stringify(asked.map((each, ord) => ({ ord, ...each })))],
  );
  return asked.map((_, ord) => rows.filter((row) => row.ord === ord).map(({ id, version }) => ({ id, version })));
}, AT_ONCE);

interface Asked {
  readonly deps: NotificationDeps;
  readonly named: readonly Named[];
}

/** The same change for all who ask for it together. */
const together = (how: Change) =>
  gatherBy(async (_: Pool, asked: readonly Asked[]): Promise<undefined[]> => {
    const { deps } = asked[0] as Asked;
    const named = asked.flatMap((each) => each.named);
    await change(deps, named, how);
    return asked.map(() => undefined);
  }, AT_ONCE);

const read = together(READ);
/** Those that were read stay: they are history. */
const removeUnread = together({ ...DELETED, where: 'n.read_at is null' });

/** Raises versions. @returns for each that asks, the ids of those that are unread */
const raise = gatherBy(async (pool: Pool, asked: readonly (readonly Named[])[]): Promise<string[][]> => {
  const rows = await changeRows(pool, asked.flat(), {
    set: 'version = named.version',
    where: 'n.version < named.version or n.read_at is null',
  });
  const unread = new Set(rows.flatMap(({ id, read_at }) => (read_at === null ? [id] : [])));
  return asked.map((named) => named.flatMap(({ id }) => (unread.has(id) ? [id] : [])));
}, AT_ONCE);

const namedAt = (seen: readonly Seen[], at: string): Named[] => seen.map((each) => ({ ...each, at }));

/**
 * What they say was seen in another way, up to these versions. Later versions are new again. People who write in a chat
 * see it all the time: as long as nothing is unread, that is one statement for many, and nobody is told.
 */
export const settle = async (deps: NotificationDeps, at: string, seen: readonly Seen[]): Promise<void> => {
  const all = namedAt(seen, at);
  const unread = await raise(deps.pool, all);
  const named = all.filter(({ id }) => unread.includes(id));
  if (named.length > 0) await read(deps.pool, { deps, named });
};

/** It stands for fewer than it did. */
const lower = (left: number): Change => ({
  set: `count = least(n.count, ${Math.trunc(left)})`,
  where: `n.read_at is null and n.count > ${Math.trunc(left)}`,
  verb: 'updated',
});

/** What they say is no longer so, up to these versions, or only of some of what they stand for. */
export const takeBack = async (deps: NotificationDeps, at: string, untrue: readonly Seen[]): Promise<void> => {
  const byLeft = groupBy(untrue, ({ left = 0 }) => left);
  for (const [left, some] of byLeft) {
    const named = namedAt(some, at);
    if (left === 0) await removeUnread(deps.pool, { deps, named });
    else await change(deps, named, lower(left));
  }
};
