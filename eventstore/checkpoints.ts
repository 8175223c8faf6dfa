/**
 * Checkpoints: the position up to which a consumer has handled the log. Commit and prepare position; it never moves
 * backwards.
 */
import type { Position } from '../domain/core/decider.ts';
import { migrations } from '../infra/migrations.ts';
import type { Queryable } from '../infra/postgres.ts';

export const checkpointMigrations = migrations('eventstore', {
  '0001_checkpoints': `
    create table ops.checkpoints (
      name text primary key,
      commit numeric not null,
      prepare numeric not null,
      updated_at timestamptz not null default now()
    );
  `,
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

export const listCheckpoints = async (db: Queryable): Promise<ReadonlyMap<string, Position>> => {
  const { rows } = await db.query<Row & { name: string }>('select name, commit, prepare from ops.checkpoints');
  return new Map(rows.map((row) => [row.name, toPosition(row)]));
};

/** Moves a checkpoint forward. An earlier position than the stored one changes nothing. */
export const saveCheckpoint = async (db: Queryable, name: string, { commit, prepare }: Position): Promise<void> => {
  await db.query(
    `insert into ops.checkpoints as c (name, commit, prepare) values ($1, $2, $3)
     on conflict (name) do update set commit = excluded.commit, prepare = excluded.prepare, updated_at = now()
     where (c.commit, c.prepare) < (excluded.commit, excluded.prepare)`,
    [name, commit.toString(), prepare.toString()],
  );
};

/** `<commit>/<prepare>`, as headers and the CLI write positions. */
export const formatPosition = ({ commit, prepare }: Position): string => `${commit}/${prepare}`;
/** Parses a position; undefined when the text is none. */
export const parsePosition = (text: string): Position | undefined => {
  const [, commit, prepare] = /^(\d{1,20})\/(\d{1,20})$/.exec(text) ?? [];
  return commit && prepare ? { commit: BigInt(commit), prepare: BigInt(prepare) } : undefined;
};
