/**
 * Checkpoints: the position up to which a consumer has handled the log. Commit and prepare position; it never moves
 * backwards.
 */
import type { Position } from '../domain/core/decider.ts';
import { type Lease, LeaseLost } from '../infra/leases.ts';
import { migrations } from '../infra/migrations.ts';
import type { Queryable } from '../infra/postgres.ts';
import { isStorableName } from './eventNames.ts';
import type { StoredEvent } from './store.ts';

export const checkpointMigrations = migrations('eventstore', {
  '0001_checkpoints': `
    create table ops.checkpoints (
      name text primary key,
      commit numeric not null,
      prepare numeric not null,
      updated_at timestamptz not null default now()
    );
  `,
  personalData: { 'ops.checkpoints': { nothing: 'positions' } },
});

interface Row {
  commit: string;
  prepare: string;
}
const toPosition = ({ commit, prepare }: Row): Position => ({ commit: BigInt(commit), prepare: BigInt(prepare) });

/** Loads a checkpoint; null when the consumer has handled nothing yet. */
export const loadCheckpoint = async (db: Queryable, name: string): Promise<Position | null> => {
  const { rows } = await db.query<Row>('select commit, prepare from ops.checkpoints where name = $1', [name]);
  return rows[0] ? toPosition(rows[0]) : null;
};

export const listCheckpoints = async (db: Queryable): Promise<ReadonlyMap<string, Position>> =>
  new Map([...(await listHandled(db))].map(([name, { position }]) => [name, position]));

/** Where an event is, independently of positions. */
export type EventRef = Pick<StoredEvent, 'id' | 'stream' | 'revision'>;

export interface Handled {
  readonly position: Position;
  /** The last event up to there; undefined while only a release that did not record it has handled events. */
  readonly event: EventRef | undefined;
}

interface HandledRow extends Row {
  readonly name: string;
  readonly event_id: string | null;
  readonly stream: string | null;
  readonly revision: number | null;
}

const toEvent = ({ event_id, stream, revision }: HandledRow): EventRef | undefined =>
  event_id === null || stream === null || revision === null
    ? undefined
    : { id: event_id, stream, revision: BigInt(revision) };

/** The checkpoints of some consumers, or all of them. */
export const listHandled = async (
  db: Queryable,
  consumers?: readonly string[],
): Promise<ReadonlyMap<string, Handled>> => {
  const { rows } = await db.query<HandledRow>(
    `select name, commit, prepare, event_id, stream, revision from ops.checkpoints
     where $1::text[] is null or name = any ($1)`,
    [consumers ?? null],
  );
  return new Map(rows.map((row) => [row.name, { position: toPosition(row), event: toEvent(row) }]));
};

/** Id, stream and revision of an event; nulls where it could not be found again by the name of its stream. */
const columnsOf = (event: EventRef | undefined): readonly [string, string, string] | readonly [null, null, null] =>
  event && isStorableName(event.stream) ? [event.id, event.stream, event.revision.toString()] : [null, null, null];

const FORWARD = `on conflict (name) do update set commit = excluded.commit, prepare = excluded.prepare, updated_at = now(),
    event_id = coalesce(excluded.event_id, c.event_id), stream = coalesce(excluded.stream, c.stream),
    revision = coalesce(excluded.revision, c.revision)
  where (c.commit, c.prepare) < (excluded.commit, excluded.prepare)`;

interface Statement {
  readonly text: string;
  readonly values: readonly (string | null | readonly string[])[];
}

/**
 * Moves checkpoints forward to one position, as a statement that can be part of a larger one; its parameters are `$1` to
 * `$6`.
 */
export const checkpointStatement = (
  names: readonly string[],
  { commit, prepare }: Position,
  last?: EventRef,
): Statement => ({
  text: `insert into ops.checkpoints as c (name, commit, prepare, event_id, stream, revision)
     select name, $2::numeric, $3::numeric, $4::text, $5::text, $6::bigint from unnest($1::text[]) as name order by name ${FORWARD}`,
  values: [names, commit.toString(), prepare.toString(), ...columnsOf(last)],
});

/**
 * Moves a checkpoint forward. An earlier position than the stored one changes nothing.
 * @param last the last event up to the position; without it the one that is stored stays
 */
export const saveCheckpoint = async (db: Queryable, name: string, to: Position, last?: EventRef): Promise<void> => {
  const { text, values } = checkpointStatement([name], to, last);
  await db.query(text, [...values]);
};

/** How far a consumer has got that works under a lease. */
export interface LeasedCheckpoint {
  /** Of the consumer's name. */
  readonly lease: Lease;
  readonly position: Position;
  readonly last?: EventRef | undefined;
}

/**
 * Moves the checkpoints of several consumers forward, in one statement that checks their leases.
 * @throws LeaseLost when one of them has another holder: its checkpoint stays, those of the others are saved
 */
export const saveCheckpoints = async (db: Queryable, reached: readonly LeasedCheckpoint[]): Promise<void> => {
  const { rows } = await db.query<{ name: string }>(
    `with reached as (
       select * from unnest($1::text[], $2::bigint[], $3::numeric[], $4::numeric[], $5::text[], $6::text[], $7::bigint[])
         as reached (name, token, commit, prepare, event_id, stream, revision)
     ), fenced as (
       select reached.* from reached join ops.leases as lease on lease.name = reached.name and lease.token = reached.token
       for key share of lease
     ), saved as (
       insert into ops.checkpoints as c (name, commit, prepare, event_id, stream, revision)
       select name, commit, prepare, event_id, stream, revision from fenced ${FORWARD}
     )
     select name from fenced`,
    [
      reached.map(({ lease }) => lease.name),
      reached.map(({ lease }) => lease.token),
      reached.map(({ position }) => position.commit.toString()),
      reached.map(({ position }) => position.prepare.toString()),
      ...([0, 1, 2] as const).map((n) => reached.map(({ last }) => columnsOf(last)[n])),
    ],
  );
  const saved = new Set(rows.map(({ name }) => name));
  const lost = reached.find(({ lease }) => !saved.has(lease.name));
  if (lost) throw new LeaseLost(lost.lease.name);
};

/** `<commit>/<prepare>`, as headers and the CLI write positions. */
export const formatPosition = ({ commit, prepare }: Position): string => `${commit}/${prepare}`;
/** Positions are signed 64-bit numbers. */
const LAST_POSITION = 2n ** 63n - 1n;

/** Parses a position; undefined when the text is none. */
export const parsePosition = (text: string): Position | undefined => {
  const [, commit, prepare] = /^(\d{1,19})\/(\d{1,19})$/.exec(text) ?? [];
  if (!commit || !prepare) return undefined;
  const position = { commit: BigInt(commit), prepare: BigInt(prepare) };
  return position.commit <= LAST_POSITION && position.prepare <= LAST_POSITION ? position : undefined;
};
