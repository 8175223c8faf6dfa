/** The positions of the live read models in the log: each group has a checkpoint. */
import type { Position } from '../../domain/core/decider.ts';
import { formatPosition, parsePosition } from '../../eventstore/checkpoints.ts';
import type { Queryable } from '../../infra/postgres.ts';
import { FORMER, OF_READ_MODELS } from './groups.ts';

/** NOTIFY channel; the payload says which groups show which position now. */
export const PROJECTED_CHANNEL = 'projected';

export const projectedPayload = (position: Position, groups: readonly string[]): string =>
  [formatPosition(position), ...groups].join(' ');

/** What a payload says; undefined when it is none. Release 0.1.0 sent the position only. */
export const projectedIn = (payload: string): { position: Position; groups: readonly string[] } | undefined => {
  const [text = '', ...groups] = payload.split(' ');
  const position = parsePosition(text);
  return position && { position, groups: groups.length > 0 ? groups : [FORMER] };
};

/** A checkpoint with numbers as text: they have more digits than a JSON number keeps. */
export interface CheckpointRow {
  readonly name: string;
  readonly commit: string;
  readonly prepare: string;
}
export const positionsOf = (rows: readonly CheckpointRow[]): ReadonlyMap<string, Position> =>
  new Map(rows.map(({ name, commit, prepare }) => [name, { commit: BigInt(commit), prepare: BigInt(prepare) }]));

/** Group → the position that its read models show; none while nothing was projected. */
export const groupPositions = async (db: Queryable): Promise<ReadonlyMap<string, Position>> =>
  positionsOf(
    (await db.query<CheckpointRow>(`select name, commit, prepare from ops.checkpoints where ${OF_READ_MODELS}`)).rows,
  );

/** Model → the position that its table shows; none while nothing was projected. */
export const livePositions = async (
  db: Queryable,
  models: readonly string[],
): Promise<ReadonlyMap<string, Position>> => {
  const { rows } = await db.query<CheckpointRow>(
    `select live.name, at.commit, at.prepare
     from ops.read_models as live join ops.checkpoints as at on at.name = live.consumer where live.name = any ($1)`,
    [models],
  );
  return positionsOf(rows);
};

/** All events up to here are visible in the table of a model; null while nothing was projected. */
export const livePosition = async (db: Queryable, { name }: { readonly name: string }): Promise<Position | null> =>
  (await livePositions(db, [name])).get(name) ?? null;
