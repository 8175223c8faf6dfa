/**
 * Every change of people's lists. Each is one short transaction that locks the inboxes of the people first, in the order of
 * their ids: so the numbers of a list, what its person is told live and the counts are in one order.
 */
import {
  type Notification,
  type NotificationInbox,
  type NotificationRow,
  ROW_COLUMNS,
} from '../../domain/notifications/notification.ts';
import { gatherBy } from '../../infra/gather.ts';
import { inTransaction, type Pool, type PoolClient } from '../../infra/postgres.ts';
import type { AccountChange } from '../core/deps.ts';
import type { SettledUpTo } from '../core/notification.ts';
import type { NotificationDeps } from './deps.ts';
import { loadPeople } from './people.ts';
import { shownTo } from './texts.ts';

/** Seen notices that are looked for in one statement. */
const AT_ONCE = 256;

export type Verb = 'created' | 'updated' | 'removed';
/** What a person is told of one of their notifications. */
export interface Told {
  readonly verb: Verb;
  readonly to: string;
  readonly shown: Notification;
}
interface InboxRow extends NotificationInbox {
  readonly person_id: string;
}

const inboxesOf = async (client: PoolClient, people: readonly string[]): Promise<InboxRow[]> => {
  const { rows } = await client.query<InboxRow>(
    `select person_id, last_seq, read_up_to,
       (select count(*) from ops.notifications n
        where n.person_id = i.person_id and n.deleted_at is null and n.read_at is null) as unread
     from ops.notification_inboxes i where person_id = any($1::uuid[])`,
    [people],
  );
  return rows;
};

/** Tells the people live what has changed, and how many they have not read then. The last statement of the transaction. */
export const publishChanges = async (
  deps: NotificationDeps,
  client: PoolClient,
  told: readonly Told[],
  at: string,
): Promise<void> => {
  if (told.length === 0) return;
  const inboxes = await inboxesOf(client, [...new Set(told.map(({ to }) => to))]);
  await deps.publish(client, [
    ...told.map(
      ({ verb, to, shown }): AccountChange => ({
        accountId: to,
        type: `notification.${verb}`,
        data: JSON.stringify(shown),
        at,
      }),
    ),
    ...inboxes.map(
      ({ person_id: accountId, ...inbox }): AccountChange => ({
        accountId,
        type: 'notification_inbox.updated',
        data: JSON.stringify(inbox),
        at,
      }),
    ),
  ]);
};

const lockInboxes = async (client: PoolClient, people: readonly string[]): Promise<void> => {
  await client.query(
    'select 1 from ops.notification_inboxes where person_id = any($1::uuid[]) order by person_id for update',
    [people],
  );
};

/**
 * Changes rows that are known by their ids, if they are still as `where` says.
 * @param set SQL; `$2` is the time
 * @param where SQL; `$3` is a JSON list of the objects that name the rows
 */
const change = async (
  deps: NotificationDeps,
  at: string,
  named: readonly { readonly id: string; readonly version?: number }[],
  { set, where, verb }: { readonly set: string; readonly where: string; readonly verb: Verb },
): Promise<void> => {
  const { rows: known } = await deps.pool.query<NotificationRow>(
    `select ${ROW_COLUMNS} from ops.notifications where id = any($1::uuid[]) and deleted_at is null`,
    [named.map(({ id }) => id)],
  );
  if (known.length === 0) return;
  const owners = known.map(({ person_id }) => person_id);
  const people = await loadPeople(
    deps,
    owners,
    known.map(({ of_person }) => of_person),
  );
  await inTransaction(deps.pool, async (client) => {
    await lockInboxes(client, owners);
    const { rows } = await client.query<NotificationRow>(
      `update ops.notifications as n set ${set}
       from json_to_recordset($3::json) as named(id uuid, version bigint)
       where n.id = any($1::uuid[]) and n.id = named.id and n.deleted_at is null and ${where}
       returning ${ROW_COLUMNS.replace(/\b(id|version)\b/g, 'n.$1')}`,
      [known.map(({ id }) => id), at, JSON.stringify(named)],
    );
    // A deleted one says nothing any more: it is told as it was.
    const told = verb === 'removed' ? known.filter(({ id }) => rows.some((row) => row.id === id)) : rows;
    await publishChanges(
      deps,
      client,
      told.map((row) => ({ verb, to: row.person_id, shown: shownTo(deps, row, people) })),
      at,
    );
  });
};

interface Seen {
  readonly id: string;
  readonly version: number;
}

interface UpTo extends SettledUpTo {
  /** Of the declaration. */
  readonly name: string;
}

/** The unread notifications that it names. */
export const unreadUpTo = gatherBy(async (pool: Pool, asked: readonly UpTo[]): Promise<Seen[][]> => {
  const { rows } = await pool.query<Seen & { readonly ord: number }>(
    `select ord, n.id, n.version
     from json_to_recordset($1::json) as asked(ord int, name text, "to" uuid, about jsonb, "upToSeq" bigint)
     cross join lateral ( -- person by person: together, the whole table would be read
       select id, version from ops.notifications
       where person_id = asked."to" and name = asked.name and deleted_at is null and read_at is null
         and params @> asked.about and (params ->> 'seq')::bigint <= asked."upToSeq"
       offset 0) n`,
    [JSON.stringify(asked.map((each, ord) => ({ ord, ...each })))],
  );
  return asked.map((_, ord) => rows.filter((row) => row.ord === ord).map(({ id, version }) => ({ id, version })));
}, AT_ONCE);

/** A row is locked by its id, in order, so that two who see the same never wait for each other. */
const raise = gatherBy(async (pool: Pool, asked: readonly (readonly Seen[])[]): Promise<string[][]> => {
  const { rows } = await pool.query<{ id: string; is_unread: boolean }>(
    `with named as (
       select id, max(version) as version from json_to_recordset($1::json) as named(id uuid, version bigint) group by id
     ), locked as materialized (
       select id from ops.notifications join named using (id) order by id for update of notifications
     )
     update ops.notifications as n set version = named.version from named join locked using (id)
     where n.id = named.id and n.deleted_at is null
       and (n.version < named.version or n.version = named.version and n.read_at is null)
     returning n.id, n.read_at is null as is_unread`,
    [JSON.stringify(asked.flat())],
  );
  const unread = new Set(rows.flatMap(({ id, is_unread }) => (is_unread ? id : [])));
  return asked.map((seen) => seen.flatMap(({ id }) => (unread.has(id) ? id : [])));
}, AT_ONCE);

/**
 * What they say was seen in another way, up to these versions. Later versions are new again. Who writes in a chat sees it
 * all the time: as long as nothing is unread, that is one statement for many, and nobody is told.
 */
export const settle = async (deps: NotificationDeps, at: string, seen: readonly Seen[]): Promise<void> => {
  const unread = await raise(deps.pool, seen);
  const named = seen.filter(({ id }) => unread.includes(id));
  if (named.length === 0) return;
  await change(deps, at, named, {
    set: 'read_at = $2',
    where: 'n.version <= named.version and n.read_at is null',
    verb: 'updated',
  });
};

/** A deleted one stays, without what it said, so that it is not added again. */
const DELETE = `deleted_at = $2, params = '{}', of_person = null`;

/** What they say is no longer so, up to these versions. Those that were read stay: they are history. */
export const takeBack = (
  deps: NotificationDeps,
  at: string,
  untrue: readonly { readonly id: string; readonly version: number }[],
): Promise<void> =>
  change(deps, at, untrue, { set: DELETE, where: 'n.version <= named.version and n.read_at is null', verb: 'removed' });

/** Of this person, not deleted. @returns undefined when there is none */
const own = async (
  { pool }: Pick<NotificationDeps, 'pool'>,
  person: string,
  id: string,
): Promise<NotificationRow | undefined> => {
  const { rows } = await pool.query<NotificationRow>(
    `select ${ROW_COLUMNS} from ops.notifications where id = $1 and person_id = $2 and deleted_at is null`,
    [id, person],
  );
  return rows[0];
};

/** Marks one as read; again changes nothing. @returns it; undefined when the person has no such notification */
export const markRead = async (
  deps: NotificationDeps,
  at: string,
  person: string,
  id: string,
): Promise<Notification | undefined> => {
  if (!(await own(deps, person, id))) return undefined;
  await change(deps, at, [{ id }], { set: 'read_at = $2', where: 'n.read_at is null', verb: 'updated' });
  const row = await own(deps, person, id);
  return row && shownTo(deps, row, await loadPeople(deps, [person], [row.of_person]));
};

/** @returns false when the person has no such notification */
export const deleteNotification = async (
  deps: NotificationDeps,
  at: string,
  person: string,
  id: string,
): Promise<boolean> => {
  if (!(await own(deps, person, id))) return false;
  await change(deps, at, [{ id }], { set: DELETE, where: 'true', verb: 'removed' });
  return true;
};

/**
 * Marks all up to a number as read; without one, all there are. What arrives meanwhile stays unread.
 * @returns the inbox after it
 */
export const markAllRead = (
  deps: NotificationDeps,
  at: string,
  person: string,
  upTo: number | undefined,
): Promise<NotificationInbox> =>
  inTransaction(deps.pool, async (client) => {
    await lockInboxes(client, [person]);
    const { rowCount } = await client.query(
      `update ops.notifications set read_at = $2
       where person_id = $1 and deleted_at is null and read_at is null and ($3::bigint is null or seq <= $3)`,
      [person, at, upTo ?? null],
    );
    await client.query(
      `update ops.notification_inboxes set read_up_to = greatest(read_up_to, least(last_seq, $2::bigint)) where person_id = $1`,
      [person, upTo ?? null],
    );
    const [inbox] = await inboxesOf(client, [person]);
    if (!inbox) return { unread: 0, last_seq: 0, read_up_to: 0 };
    const { person_id, ...shown } = inbox;
    const data = JSON.stringify(shown);
    if (rowCount) await deps.publish(client, [{ accountId: person, type: 'notification_inbox.updated', data, at }]);
    return shown;
  });

/** How many notifications of a person are unread. */
export const countUnread = async ({ pool }: Pick<NotificationDeps, 'pool'>, person: string): Promise<number> => {
  const { rows } = await pool.query<{ unread: number }>(
    'select count(*) as unread from ops.notifications where person_id = $1 and deleted_at is null and read_at is null',
    [person],
  );
  return rows[0]?.unread ?? 0;
};
