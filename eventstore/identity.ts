/**
 * Which log this database follows. Checkpoints are positions in one log: in another one, or in an older copy of the same,
 * they would skip events. So the first event of the log is remembered, and beside each checkpoint the event that was
 * handled last. Both are looked up again at every start and every subscribe.
 */
import type { Position } from '../domain/core/decider.ts';
import { IncompatibleData } from '../infra/incompatible.ts';
import { migrations } from '../infra/migrations.ts';
import type { Queryable } from '../infra/postgres.ts';
import { formatPosition, type Handled, listHandled } from './checkpoints.ts';
import type { EventStore, StoredEvent } from './client/index.ts';
import { readPages } from './pages.ts';
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
  holds: { 'ops.log': { nothing: 'the first event of the log' } },
});

type Reader = Pick<EventStore, 'read' | 'readAll' | 'head'>;

/** The first event of a log, skipping system records. */
export const firstEvent = async (store: Pick<EventStore, 'readAll'>): Promise<StoredEvent | undefined> => {
  for await (const { events } of readPages(store, null, 100)) if (events[0]) return events[0];
  return undefined;
};

/** Remembers the log that begins with this event. */
export const followLog = async (db: Queryable, { id, position }: Pick<StoredEvent, 'id' | 'position'>) => {
  await db.query(
    `insert into ops.log (first_event_id, first_position) values ($1, $2)
     on conflict (one) do update set first_event_id = excluded.first_event_id, first_position = excluded.first_position`,
    [id, formatPosition(position)],
  );
};

const assertSameBeginning = async (db: Queryable, store: Reader): Promise<void> => {
  const first = await firstEvent(store);
  const { rows } = await db.query<{ first_event_id: string; first_position: string }>('select * from ops.log');
  const [known] = rows;
  if (!known) return first && followLog(db, first);
  if (first?.id === known.first_event_id && formatPosition(first.position) === known.first_position) return;
  throw new IncompatibleData(
    `${first ? 'The event store holds another log than the one' : 'The event store is empty, but there is a log'} that this database follows: set ESDB_CONNECTION_STRING (or DATA_DIR) to the log that begins with event ${known.first_event_id}, or start with an empty database (DATABASE_URL).`,
  );
};

/** Whether the log reaches up to a checkpoint, and has there what was handled. */
const holds = async (store: Reader, { position, event }: Handled, head: Position | null): Promise<boolean> => {
  if (!event) return head !== null && !isAfter(position, head);
  const [found] = await store.read(event.stream, { from: event.revision, max: 1 });
  return found?.id === event.id;
};

/**
 * Checks that the log is the one that this database follows, and remembers it the first time.
 * @param consumers only their checkpoints are compared; all checkpoints by default
 * @throws IncompatibleData for another log, and for one that ends before a checkpoint
 * @throws StoreUnavailable when the log cannot be reached
 */
export const assertSameLog = async (db: Queryable, store: Reader, consumers?: readonly string[]): Promise<void> => {
  const handled = await listHandled(db, consumers);
  const head = await store.head();
  const different = new Map([...handled].map(([name, one]) => [one.event?.id ?? name, [name, one] as const]));
  for (const [name, one] of different.values())
    if (!(await holds(store, one, head)))
      throw new IncompatibleData(
        `The log does not have what this database has handled (${name} is at ${formatPosition(one.position)}): restore a newer backup of the log, or the backup of the database that belongs to this log.`,
      );
  await assertSameBeginning(db, store);
};
