/** What every batch of the projector asks and records besides its rows, in few statements: most batches are small. */
import type { Position } from '../../domain/core/decider.ts';
import { checkpointStatement, formatPosition } from '../../eventstore/checkpoints.ts';
import { type Batch, isAfter } from '../../eventstore/subscribe.ts';
import { type Lease, LeaseLost } from '../../infra/leases.ts';
import type { PoolClient } from '../../infra/postgres.ts';
import { appendChanges, type Change } from './changes.ts';
import { type CheckpointRow, PROJECTED_CHANNEL, positionsOf, projectedPayload } from './checkpoint.ts';
import type { Group } from './groups.ts';
import { byTable, type Parked, type ParkedAmong } from './parked.ts';
import type { ReadModel } from './readModel.ts';
import { currentAmong } from './tableVersions.ts';

/** The database knows less than this process has written, as after the takeover by a replica that was behind. */
export class WentBack extends Error {
  override readonly name = 'WentBack';
  constructor(group: string, at: Position | null) {
    super(`read models of ${group} are at ${at ? formatPosition(at) : 'the beginning'} again`);
  }
}

/** A group that this process may project. */
export interface HeldGroup extends Group {
  readonly lease: Lease;
}

export interface Opened {
  /**
   * The models whose tables are current, by what is projected into them already: groups that follow the log together
   * differ only at the beginning. The tables cannot be swapped until the transaction ends.
   */
  readonly parts: readonly { readonly at: Position | null; readonly models: readonly ReadModel[] }[];
  /** What is parked of the streams of the batch. */
  readonly parked: ParkedAmong;
}

interface Found {
  readonly tokens: Readonly<Record<string, number>> | null;
  readonly versions: Readonly<Record<string, number>> | null;
  readonly at: readonly CheckpointRow[] | null;
  readonly parked: readonly Pick<Parked, 'model' | 'stream' | 'revision'>[] | null;
}

/**
 * Reads where live is, in a transaction that has locked the tables before (`lockingGroups`): so it sees what the former
 * holder of the lock has done, such as streams that a retry has applied. Keeps the leases until the transaction ends.
 * @param written up to where this process has projected the groups
 * @throws LeaseLost, WentBack
 */
export const openBatch = async (
  client: PoolClient,
  groups: readonly HeldGroup[],
  streams: readonly string[],
  written: Position | null,
): Promise<Opened> => {
  const names = groups.map(({ name }) => name);
  const { rows } = await client.query<Found>(
    `with leases as materialized (select name, token from ops.leases where name = any ($1) for key share)
     select
       (select json_object_agg(name, token) from leases) as tokens,
       (select json_object_agg(name, version) from ops.read_models where consumer = any ($1)) as versions,
       (select json_agg(json_build_object('name', name, 'commit', commit::text, 'prepare', prepare::text))
        from ops.checkpoints where name = any ($1)) as at,
       (select json_agg(json_build_object('model', model, 'stream', stream, 'revision', revision))
        from ops.parked where stream = any($2)) as parked`,
    [names, [...new Set(streams)]],
  );
  const { tokens, versions, at, parked } = rows[0] as Found;
  for (const { name, lease } of groups) if (tokens?.[name] !== lease.token) throw new LeaseLost(name);
  const known = groups.flatMap(({ models }) => models);
  const current = new Set(await currentAmong(client, new Map(Object.entries(versions ?? {})), known));
  const positions = positionsOf(at ?? []);
  const parts = new Map<string, { at: Position | null; models: ReadModel[] }>();
  for (const { name, models } of groups) {
    const position = positions.get(name) ?? null;
    if (written !== null && isAfter(written, position)) throw new WentBack(name, position);
    const key = position ? formatPosition(position) : '';
    const part = parts.get(key) ?? { at: position, models: [] };
    part.models.push(...models.filter((model) => current.has(model)));
    parts.set(key, part);
  }
  return { parts: [...parts.values()], parked: byTable(parked ?? []) };
};

/** Stores the changes, moves the checkpoints, and tells everybody who waits for the position. */
export const closeBatch = async (
  client: PoolClient,
  groups: readonly HeldGroup[],
  { position, events }: Batch,
  changes: readonly Change[],
): Promise<void> => {
  const names = groups.map(({ name }) => name);
  const { text, values } = checkpointStatement(names, position, events.at(-1));
  await appendChanges(client, changes, {
    part: `moved as (${text})`,
    select: `pg_notify('${PROJECTED_CHANNEL}', $${values.length + 1})`,
    values: [...values, projectedPayload(position, names)],
  });
};
