/** `events copy`: copies the log to another server, and switches this database to it. */
import type { Position } from '../../domain/core/decider.ts';
import { listCheckpoints } from '../../eventstore/checkpoints.ts';
import { connectEventStore, type EventStore } from '../../eventstore/client/index.ts';
import { copyEvents, matchLogs } from '../../eventstore/copy.ts';
import { followedLogId, followLog } from '../../eventstore/identity.ts';
import { eventsOf } from '../../eventstore/pages.ts';
import { IS_HELD } from '../../infra/leases.ts';
import { migrateOps } from '../../infra/migrations.ts';
import { inTransaction, type Pool } from '../../infra/postgres.ts';
import { auditEvents } from '../../projections/audit/auditEvents.ts';
import { ledgerEntries } from '../../projections/ledger/entries.ts';
import { passes } from '../../projections/passes/passes.ts';
import { resortChanges } from '../../projections/resort/changes.ts';
import { replaceFormerPositions } from '../formerPositions.ts';
import { allMigrations } from '../tables.ts';
import { progress, say, writeJson, writeLine } from './output.ts';
import { type CliContext, CommandFailed, withStores, withStoresAtRest } from './stores.ts';

export interface CopyOptions {
  readonly to: string;
  readonly switch?: true;
  readonly json?: true;
}

const copyAll = async ({ store, signal }: CliContext, target: EventStore, until: Position): Promise<number> => {
  const bar = progress('copy', 'events');
  bar.update(0, 0);
  const onProgress = (copied: number, at: Position) => bar.update(Number(at.commit) / Number(until.commit), copied);
  try {
    return await copyEvents(eventsOf(store, until), target, { signal, onProgress });
  } finally {
    bar.end();
  }
};

/**
 * With `switch` the source is sealed before the last events are copied and the logs are compared: a process that was not
 * stopped, or is started by mistake, cannot write to it unnoticed. Run again after an interruption, it continues.
 *
 * Two clients in one process share a map of pending appends. Here that is harmless, because nothing is appended to the
 * target while the source is sealed.
 */
const copy = async (cli: CliContext, options: CopyOptions): Promise<void> => {
  const target = connectEventStore(options.to);
  try {
    const targetId = await target.id(true);
    if (options.switch && targetId === (await followedLogId(cli.pool)))
      throw new CommandFailed(
        'this database follows that log already: set ESDB_CONNECTION_STRING to it, and start again',
      );
    const until = await cli.store.head();
    if (!until) throw new CommandFailed('the log is empty: there is nothing to copy');
    if (targetId === (await cli.store.id()))
      throw new CommandFailed('that is this log itself: name another event store');
    let copied = await copyAll(cli, target, until);
    if (cli.signal.aborted)
      throw new CommandFailed(`interrupted after ${copied} events: run the same command again to continue`);
    if (options.switch) {
      await cli.store.seal(true);
      copied += await copyEvents(eventsOf(cli.store), target, { signal: cli.signal });
    }
    say('comparing every event …');
    const marks = options.switch ? await listCheckpoints(cli.pool) : new Map<string, Position>();
    const { events, marks: moved } = await matchLogs(
      eventsOf(cli.store, options.switch ? undefined : until),
      eventsOf(target),
      marks,
    );
    if (options.switch) await switchTo(cli.pool, target, moved);
    const result = { copied, events, switched: options.switch === true };
    await (options.json ? writeJson(result) : writeLine(summary(result)));
  } finally {
    await target.close();
  }
};

const summary = ({ copied, events, switched }: { copied: number; events: number; switched: boolean }): string =>
  `${copied} events copied; both logs have the same ${events} events` +
  (switched ? '\nthe former log is sealed; now set ESDB_CONNECTION_STRING and start again' : '');

/** Read models whose rows contain positions of the log. */
const withPositions = [auditEvents, ledgerEntries, passes, resortChanges].map(({ name }) => name);

/**
 * Checkpoints contain positions of one log; the events beside them are the same in both. So do the rows of some read
 * models, which are rebuilt.
 */
const switchTo = async (pool: Pool, target: EventStore, marks: ReadonlyMap<string, Position>): Promise<void> => {
  const head = await target.head();
  await inTransaction(pool, async (client) => {
    await client.query('delete from ops.rebuilds');
    await client.query('delete from ops.checkpoints where name <> all($1)', [[...marks.keys()]]);
    for (const [name, { commit, prepare }] of marks)
      await client.query('update ops.checkpoints set commit = $2, prepare = $3 where name = $1', [
        name,
        commit.toString(),
        prepare.toString(),
      ]);
    await followLog(client, target);
    await replaceFormerPositions(client, head);
    await client.query('update ops.read_models set version = 0 where name = any ($1)', [withPositions]);
  });
};

/** Connections of processes that may write to the log, by the name that they have at the database. */
const WRITERS = ['api', 'positions', 'projector', 'policies', 'jobs', 'leases', 'realtime', 'realtime-listener'];

const refuseWhileInUse = async (pool: Pool): Promise<void> => {
  const leases = await pool.query<{ name: string }>(`select name from ops.leases where ${IS_HELD}`);
  const [lease] = leases.rows;
  if (lease) throw new CommandFailed(`stop the system first: a process still holds the lease ${lease.name}`);
  const { rows } = await pool.query<{ application_name: string; host: string | null }>(
    `select application_name, host(client_addr) as host from pg_stat_activity
     where datname = current_database() and application_name = any ($1)`,
    [WRITERS],
  );
  const [writer] = rows;
  if (writer)
    throw new CommandFailed(
      `stop the system first: a process is still connected to the database (${writer.application_name}, from ${writer.host ?? 'this machine'})`,
    );
};

/** Opens a sealed log again, for those who go back to it. */
export const unsealLog = (): Promise<void> =>
  withStoresAtRest(async ({ store, pool }) => {
    await refuseWhileInUse(pool);
    if (!(await store.isSealed())) throw new CommandFailed('this log is not sealed');
    await store.seal(false);
    await writeLine('the log is open again');
  });

/** Has an empty database follow a log with events: what only the former database knew, like keys of personal data, is lost. */
export const adoptLog = (): Promise<void> =>
  withStoresAtRest(
    async ({ store, pool }) => {
      await migrateOps(pool, allMigrations);
      await refuseWhileInUse(pool);
      if ((await followedLogId(pool)) !== undefined) throw new CommandFailed('this database follows a log already');
      await store.head(); // The new connection pairs them.
      await writeLine(`this database follows the log ${await followedLogId(pool)} now; start the system`);
    },
    { emptyDatabase: 'adopts' },
  );

export const copyLog = (options: CopyOptions): Promise<void> =>
  options.switch
    ? withStoresAtRest(async (cli) => {
        await refuseWhileInUse(cli.pool);
        await copy(cli, options);
      })
    : withStores((cli) => copy(cli, options));
