/**
 * Checkpoints: the position up to which a consumer has handled the log. Commit and prepare position; it never moves
 * backwards.
 */
import type { Position } from '../domain/core/decider.ts';
import { migrations } from '../infra/migrations.ts';
import type { Queryable } from '../infra/postgres.ts';
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
  holds: { 'ops.checkpoints': { nothing: 'positions' } },
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

/** The checkpoint of one consumer, or all of them. */
export const listHandled = async (db: Queryable, consumer?: string): Promise<ReadonlyMap<string, Handled>> => {
  const { rows } = await db.query<HandledRow>(
    'select name, commit, prepare, event_id, stream, revision from ops.checkpoints where $1::text is null or name = $1',
    [consumer ?? null],
  );
  return new Map(rows.map((row) => [row.name, { position: toPosition(row), event: toEvent(row) }]));
};

/**
 * Moves a checkpoint forward. An earlier position than the stored one changes nothing.
 * @param last the last event up to the position; without it the one that is stored stays
 */
export const saveCheckpoint = async (
  db: Queryable,
  name: string,
  { commit, prepare }: Position,
  last?: EventRef,
): Promise<void> => {
  await db.query(
    `insert into ops.checkpoints as c (name, commit, prepare, event_id, stream, revision) values ($1, $2, $3, $4, $5, $6)
     on conflict (name) do update set commit = excluded.commit, prepare = excluded.prepare, updated_at = now(),
       event_id = coalesce(excluded.event_id, c.event_id), stream = coalesce(excluded.stream, c.stream),
       revision = coalesce(excluded.revision, c.revision)
     where (c.commit, c.prepare) < (excluded.commit, excluded.prepare)`,
    [
      name,
      commit.toString(),
      prepare.toString(),
      last?.id ?? null,
      last?.stream ?? null,
      last?.revision.toString() ?? null,
    ],
  );
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
