/**
 * Groups of read models. Each group has a checkpoint and a lease of its own, so that workers share the groups, and one that
 * is stuck leaves the others going. `ops.read_models` says which group a table belongs to: the group whose batches go into
 * it.
 */
import { inTransaction, type Pool, type PoolClient } from '../../infra/postgres.ts';
import type { ReadModel } from './readModel.ts';

export interface Group {
  /** Names its checkpoint, its lease and its metrics. */
  readonly name: string;
  /** Applied in this order. */
  readonly models: readonly ReadModel[];
}

/** The checkpoint and the lease of all read models in release 0.1.0, and the beginning of the names of groups. */
export const FORMER = 'read-models';

/** Declares a group. Its name is storage format. A model can move to another group: see `adoptTables`. */
export const groupOf = (name: string, models: readonly ReadModel[]): Group => ({ name: `${FORMER}:${name}`, models });

/** The checkpoints of read models, as an SQL condition. */
export const OF_READ_MODELS = `(name = '${FORMER}' or starts_with(name, '${FORMER}:'))`;

/** Whether a checkpoint is that of read models, in this release or an earlier one. */
export const isOfReadModels = (name: string): boolean => name === FORMER || name.startsWith(`${FORMER}:`);

/**
 * Stops a projector of release 0.1.0 for good: its batches check this lease, and it cannot take it again. Waits for the
 * batch that it writes.
 */
const END_FORMER = `
  update ops.leases set holder = 'groups of read models', token = token + 1, expires_at = 'infinity'
  where name = '${FORMER}' and expires_at < 'infinity'`;
/** A group that has no current table begins where the read models are. */
const BEGIN = `
  insert into ops.checkpoints (name, commit, prepare, event_id, stream, revision)
  select begun.name, latest.commit, latest.prepare, latest.event_id, latest.stream, latest.revision
  from unnest($1::text[]) as begun (name),
    (select * from ops.checkpoints where ${OF_READ_MODELS} order by commit desc, prepare desc limit 1) as latest
  where not exists (select from ops.read_models where consumer = begun.name and version <> 0)
  on conflict (name) do nothing`;
const POSITION_OF = (consumer: string) =>
  `(select (commit, prepare)::text from ops.checkpoints where name = ${consumer})`;
const STRAYED = `
  select live.name, declared.consumer,
    ${POSITION_OF('live.consumer')} is not distinct from ${POSITION_OF('declared.consumer')} as stays
  from ops.read_models as live join unnest($1::text[], $2::text[]) as declared (name, consumer) using (name)
  where live.consumer <> declared.consumer`;
const MOVE = `
  update ops.read_models set consumer = $2, version = case when $3 then version else 0 end where name = $1`;

/**
 * Puts every table into the group that its model is declared in. A table whose new group is at another position is rebuilt.
 * Takes over from release 0.1.0. Only a process that projects may call it.
 * @returns the names of the models that have moved
 */
export const adoptTables = (pool: Pool, groups: readonly Group[]): Promise<readonly string[]> =>
  inTransaction(pool, async (client: PoolClient) => {
    await client.query(END_FORMER); // before the lock, which waits for batches that may wait for the lease
    await client.query('lock table ops.read_models in exclusive mode'); // no batch runs meanwhile
    await client.query(BEGIN, [groups.map(({ name }) => name)]);
    const declared = groups.flatMap(({ name, models }) => models.map((model) => ({ model: model.name, group: name })));
    const { rows: strayed } = await client.query<{ name: string; consumer: string; stays: boolean }>(STRAYED, [
      declared.map(({ model }) => model),
      declared.map(({ group }) => group),
    ]);
    for (const { name, consumer, stays } of strayed) {
      await client.query(MOVE, [name, consumer, stays]);
      // An interrupted rebuild may have left a table that is further than the other group.
      if (!stays) await client.query('delete from ops.rebuilds where model = $1', [name]);
    }
    await client.query('delete from ops.checkpoints where name = $1', [FORMER]);
    return strayed.map(({ name }) => name);
  });
