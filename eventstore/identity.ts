/**
 * Which log this database follows. Checkpoints are positions in one log: in another one, or in an older copy of the same,
 * they would skip events. So the id of the log is remembered, and beside each checkpoint the event that was handled last.
 * The id is compared for every new connection, before anything is read or appended over it; both are looked up at every
 * start and every subscribe.
 */
import type { Position } from '../domain/core/decider.ts';
import { IncompatibleData } from '../infra/incompatible.ts';
import { migrations } from '../infra/migrations.ts';
import type { Queryable } from '../infra/postgres.ts';
import { formatPosition, type Handled, listHandled } from './checkpoints.ts';
import { type EventStore, type LogToCheck, OtherLog, type StoredEvent } from './client/index.ts';
import { eventsOf } from './pages.ts';
import { isAfter } from './subscribe.ts';

export const logIdentityMigrations = migrations('eventstore', {
  '0002_log_identity': `
    create table ops.log (
      one boolean primary key default true check (one),
      first_event_id text not null,
      first_position text not null
    );
    -- the last event up to the checkpoint; null while none was handled since release 0.1.0
    alter table ops.checkpoints add column event_id text, add column stream text, add column revision bigint;
  `,
  // Until release 0.2.0, logs had no id and were known by their first event. Databases of a log without events have none.
  '0004_log_id': `
    alter table ops.log add column log_id text, alter column first_event_id drop not null, alter column first_position drop not null;
  `,
  personalData: { 'ops.log': { nothing: 'the id of the log and its first event' } },
});

/** What an empty database means beside a log with events. */
export type EmptyDatabase =
  /** A mistake: the keys of personal data are in the database that belongs to the log. */
  | 'refused'
  /** It is being restored, and will follow the log once its tables are there. */
  | 'restored'
  /** A person has said that it shall begin anew with this log. */
  | 'adopts';

interface Followed {
  readonly log_id?: string | null;
  readonly first_event_id: string | null;
  readonly first_position: string | null;
}

/** Instead of an error for a table that is made by the next start. */
const ifThere = async <T>(work: Promise<T>, otherwise: T): Promise<T> =>
  work.catch((error: { code?: string }) => {
    if (error.code === '42P01') return otherwise;
    throw error;
  });

/** The log that the database follows; undefined while it follows none. */
const readFollowed = async (db: Queryable): Promise<Followed | undefined> => {
  // Before the tables are upgraded there is no column of the id.
  const found = db
    .query<{ log: Followed }>('select to_jsonb(log) as log from ops.log')
    .then(({ rows }) => rows[0]?.log);
  return ifThere(found, undefined);
};

/** The columns of `ops.log`; none before it is made, and without `log_id` before the tables are upgraded. */
const columnsOfLog = async (db: Queryable): Promise<ReadonlySet<string>> => {
  const { rows } = await db.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_schema = 'ops' and table_name = 'log'`,
  );
  return new Set(rows.map(({ name }) => name));
};

/** The id of the log that the database follows; undefined while it follows none, or one without an id. */
export const followedLogId = async (db: Queryable): Promise<string | undefined> =>
  (await readFollowed(db))?.log_id ?? undefined;

/** The first event of a log, skipping system records. */
const firstEvent = async (log: Pick<EventStore, 'readAll'>): Promise<StoredEvent | undefined> => {
  for await (const event of eventsOf(log, undefined, 100)) return event;
  return undefined;
};

/**
 * Has the database follow this log, which is given an id if it has none. Tables of an earlier release remember what they can;
 * the next start does the rest.
 */
export const followLog = async (db: Queryable, log: LogToCheck): Promise<void> => {
  const columns = await columnsOfLog(db);
  if (columns.size === 0) return;
  const first = await firstEvent(log);
  const row = {
    first_event_id: first?.id ?? null,
    first_position: first ? formatPosition(first.position) : null,
    ...(columns.has('log_id') && { log_id: await log.id(true) }),
  };
  // An earlier release remembers no log without events.
  if (!columns.has('log_id') && !first) return;
  const names = Object.keys(row);
  await db.query(
    `insert into ops.log (${names.join(', ')}) values (${names.map((_, n) => `$${n + 1}`).join(', ')})
     on conflict (one) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    Object.values(row),
  );
};

const WAY_OUT =
  'Set DATABASE_URL and ESDB_CONNECTION_STRING (or DATA_DIR) to stores that belong together, or restore a backup into empty ones';

const assertSameId = (followed: string, found: string | undefined, address: string): void => {
  if (found === followed) return;
  throw new IncompatibleData(
    `This database follows the log ${followed}, but the event store at ${address} has ${found === undefined ? 'a log without an id' : `the log ${found}`}. ${WAY_OUT}.`,
  );
};

/**
 * For databases that do not know the id of their log.
 * @param isMistake a log with events beside this database, if it follows none
 * @throws IncompatibleData
 */
const assertSameBeginning = (
  followed: Followed | undefined,
  first: StoredEvent | undefined,
  isMistake: boolean,
  log: LogToCheck,
): void => {
  if (followed) {
    const { first_event_id: id, first_position: position } = followed;
    if (first?.id === id && first && formatPosition(first.position) === position) return;
    throw new IncompatibleData(
      `This database follows the log that begins with event ${id}, but the log of the event store at ${log.address} ${first ? `begins with event ${first.id}` : 'is empty'}. ${WAY_OUT}.`,
    );
  }
  if (first && isMistake)
    throw new IncompatibleData(
      `This database is empty, but the event store at ${log.address} has a log that begins with event ${first.id}. The keys of its personal data are in another database: without them, nobody can sign in. ${WAY_OUT}. To begin anew with this log all the same, run \`npm run events -- adopt\`.`,
    );
};

/** Whether the log reaches up to a checkpoint, and has there what was handled. */
const holds = async (log: LogToCheck, { position, event }: Handled, head: Position | null): Promise<boolean> => {
  if (head === null || isAfter(position, head)) return false;
  if (!event) return true;
  const [found] = await log.read(event.stream, { from: event.revision, max: 1 });
  return found?.id === event.id;
};

/** @throws IncompatibleData for a log that ends before a checkpoint */
const assertHandledIsThere = async (handled: ReadonlyMap<string, Handled>, log: LogToCheck): Promise<void> => {
  const head = await log.head();
  const different = new Map([...handled].map(([name, one]) => [one.event?.id ?? name, [name, one] as const]));
  for (const [name, one] of different.values())
    if (!(await holds(log, one, head)))
      throw new IncompatibleData(
        `The log does not have what this database has handled (${name} is at ${formatPosition(one.position)}): restore a newer backup of the log, or the backup of the database that belongs to this log.`,
      );
};

export interface LogCheck {
  /** Only their checkpoints are compared; all checkpoints by default. */
  readonly consumers?: readonly string[];
  readonly emptyDatabase?: EmptyDatabase;
}

/**
 * Checks that the log is the one that this database follows, and remembers it the first time.
 * @throws IncompatibleData for another log, for one that ends before a checkpoint, and for a log with events beside an empty
 * database
 * @throws StoreUnavailable when the log cannot be reached
 */
export const assertSameLog = async (
  db: Queryable,
  log: LogToCheck,
  { consumers, emptyDatabase = 'refused' }: LogCheck = {},
): Promise<void> => {
  const followed = await readFollowed(db);
  if (followed?.log_id) assertSameId(followed.log_id, await log.id(), log.address);
  // The end of the log is looked up after the checkpoints: it must not be older.
  const handled = await ifThere(listHandled(db, consumers), new Map());
  await assertHandledIsThere(handled, log);
  if (followed?.log_id) return;
  const first = await firstEvent(log);
  // Another process may have begun meanwhile: before it appended its first event, it had the database follow the log.
  const now = await readFollowed(db);
  if (now?.log_id) return assertSameId(now.log_id, await log.id(), log.address);
  assertSameBeginning(now, first, handled.size === 0 && emptyDatabase === 'refused', log);
  if (emptyDatabase !== 'restored') await followLog(db, log);
};

/**
 * The same for each new connection to the event store. The database is asked until it follows a log, and then no more: it
 * may be away when the event store comes back.
 */
export const logCheck = (db: Queryable, emptyDatabase: EmptyDatabase): ((log: LogToCheck) => Promise<void>) => {
  let followed: string | undefined;
  return async (log) => {
    try {
      followed ??= await followedLogId(db);
      if (followed !== undefined) return assertSameId(followed, await log.id(), log.address);
      await assertSameLog(db, log, { emptyDatabase });
    } catch (error) {
      throw error instanceof IncompatibleData ? new OtherLog(error.message) : error;
    }
  };
};
