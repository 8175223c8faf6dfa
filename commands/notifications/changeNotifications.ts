/**
 * How people's lists change. Each change is one short transaction that locks the inboxes of the people first, in the order
 * of their ids: so the numbers of a list, what its person is told live and the counts are in one order.
 */
import {
  type Notification,
  type NotificationInbox,
  type NotificationRow,
  ROW_COLUMNS,
} from '../../domain/notifications/notification.ts';
import { inTransaction, type PoolClient, type Queryable } from '../../infra/postgres.ts';
import type { AccountChange } from '../core/deps.ts';
import type { NotificationDeps } from './deps.ts';
import { loadPeople } from './namesAndLanguages.ts';
import { shownTo } from './texts.ts';

type Verb = 'created' | 'updated' | 'removed';
/** What a person is told of one of their notifications. */
interface Told {
  readonly verb: Verb;
  readonly row: NotificationRow;
  readonly shown: Notification;
}

/** The others whom a notification shows: by name, or by what they have called something. */
const othersIn = ({ of_person, params }: NotificationRow): string[] =>
  [of_person, (params as { readonly owner_id?: unknown }).owner_id].filter((id) => typeof id === 'string');
interface InboxRow extends NotificationInbox {
  readonly person_id: string;
}

/** The inboxes of the people. How many are unread is kept by triggers (`tables.ts`). */
export const inboxesOf = async (client: Queryable, people: readonly string[]): Promise<InboxRow[]> => {
  const { rows } = await client.query<InboxRow>(
    'select person_id, unread, last_seq, read_up_to from ops.notification_inboxes where person_id = any($1::uuid[])',
    [people],
  );
  return rows;
};

/** Tells the people live what has changed, and how many they have not read then. The last statement of the transaction. */
export const publishChanges = async (
  deps: NotificationDeps,
  client: PoolClient,
  told: readonly Told[],
): Promise<void> => {
  if (told.length === 0) return;
  const at = deps.now();
  const inboxes = await inboxesOf(client, [...new Set(told.map(({ row }) => row.person_id))]);
  await deps.publish(client, [
    ...told.map(
      ({ verb, row, shown }): AccountChange => ({
        accountId: row.person_id,
        type: `notification.${verb}`,
        data: JSON.stringify(shown),
        at,
        ofPeople: othersIn(row),
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

/** The first statement of the transaction. */
export const lockInboxes = async (client: PoolClient, people: readonly string[]): Promise<void> => {
  await client.query(
    'select 1 from ops.notification_inboxes where person_id = any($1::uuid[]) order by person_id for update',
    [people],
  );
};

/** Names one by its id. */
export interface Named {
  readonly id: string;
  /** Later versions stay as they are; null: all versions change. */
  readonly version: number | null;
  /** When it changes, RFC 3339. */
  readonly at: string;
}

/** How rows change: `n` is the row, `named` what names it. */
export interface Change {
  /** SQL. */
  readonly set: string;
  /** SQL: rows for which it is not true stay as they are. */
  readonly where: string;
  readonly verb: Verb;
}

/** From now on it is no news. */
export const READ: Change = { set: 'read_at = named.at', where: 'n.read_at is null', verb: 'updated' };
/** A deleted one stays, without what it said, so that it is not added again. */
export const DELETED: Change = {
  set: `deleted_at = named.at, params = '{}', of_person = null`,
  where: 'true',
  verb: 'removed',
};

/** Of several that name the same row, the one with the highest version, as columns. */
const columnsOf = (named: readonly Named[]): [ids: string[], versions: (number | null)[], times: string[]] => {
  const ascending = named.toSorted((a, b) => (a.version ?? Infinity) - (b.version ?? Infinity));
  const highest = [...new Map(ascending.map((each) => [each.id, each])).values()];
  return [highest.map(({ id }) => id), highest.map(({ version }) => version), highest.map(({ at }) => at)];
};

/**
 * Changes rows in one statement that finds them by their ids, and locks them in the order of these, so that two who change
 * the same never wait for each other.
 * @returns those that changed
 */
export const changeRows = async (
  db: Queryable,
  named: readonly Named[],
  { set, where }: Pick<Change, 'set' | 'where'>,
): Promise<NotificationRow[]> => {
  const { rows } = await db.query<NotificationRow>(
    `with locked as materialized (
       select id from ops.notifications where id = any($1::uuid[]) and deleted_at is null order by id for update
     )
     update ops.notifications as n set ${set}
     from locked join unnest($1::uuid[], $2::bigint[], $3::timestamptz[]) as named (id, version, at) using (id)
     where n.id = locked.id and (named.version is null or n.version <= named.version) and (${where})
     returning ${ROW_COLUMNS.replaceAll(/\w+/g, 'n.$&')}`,
    columnsOf(named),
  );
  return rows;
};

/** Changes rows in one transaction, and tells their people. */
export const change = async (deps: NotificationDeps, named: readonly Named[], how: Change): Promise<void> => {
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
    const changed = await changeRows(client, named, how);
    // A deleted one says nothing any more: it is told as it was.
    const isChanged = new Set(changed.map(({ id }) => id));
    const told = how.verb === 'removed' ? known.filter(({ id }) => isChanged.has(id)) : changed;
    await publishChanges(
      deps,
      client,
      told.map((row) => ({ verb: how.verb, row, shown: shownTo(deps, row, people) })),
    );
  });
};
