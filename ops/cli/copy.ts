/** `events copy`: copies the log to another server, and switches this database to it. */
import type { Position } from '../../domain/core/decider.ts';
import { listCheckpoints } from '../../eventstore/checkpoints.ts';
import { connectEventStore, type EventStore, type StoredEvent } from '../../eventstore/client/index.ts';
import { copyEvents, eventsOf, matchLogs } from '../../eventstore/copy.ts';
import { firstEvent, followLog } from '../../eventstore/identity.ts';
import { inTransaction, type Pool } from '../../infra/postgres.ts';
import { auditEvents } from '../../projections/audit/auditEvents.ts';
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

/** Two clients in one process share a map of pending appends. Here that is harmless, because the source only reads. */
const copy = async (cli: CliContext, options: CopyOptions): Promise<void> => {
  const until = await cli.store.head();
  if (!until) throw new CommandFailed('the log is empty: there is nothing to copy');
  const target = connectEventStore(options.to);
  try {
    const copied = await copyAll(cli, target, until);
    if (cli.signal.aborted)
      throw new CommandFailed(`interrupted after ${copied} events: run the same command again to continue`);
    say('comparing every event …');
    const marks = options.switch ? await listCheckpoints(cli.pool) : new Map<string, Position>();
    const { events, marks: moved } = await matchLogs(eventsOf(cli.store, until), eventsOf(target), marks);
    if (options.switch) await switchTo(cli.pool, moved, await firstEvent(target));
    const result = { copied, events, switched: options.switch === true };
    await (options.json ? writeJson(result) : writeLine(summary(result)));
  } finally {
    await target.close();
  }
};

const summary = ({ copied, events, switched }: { copied: number; events: number; switched: boolean }): string =>
  `${copied} events copied; both logs have the same ${events} events` +
  (switched ? '\nnow set ESDB_CONNECTION_STRING and start again' : '');

/**
 * Checkpoints contain positions of one log; the events beside them are the same in both. So do the rows of one read model,
 * which is rebuilt.
 */
const switchTo = (pool: Pool, marks: ReadonlyMap<string, Position>, first: StoredEvent | undefined): Promise<void> =>
  inTransaction(pool, async (client) => {
    await client.query('delete from ops.rebuilds');
    await client.query('delete from ops.checkpoints where name <> all($1)', [[...marks.keys()]]);
    for (const [name, { commit, prepare }] of marks)
      await client.query('update ops.checkpoints set commit = $2, prepare = $3 where name = $1', [
        name,
        commit.toString(),
        prepare.toString(),
      ]);
    if (first) await followLog(client, first);
    await client.query('update ops.read_models set version = 0 where name = $1', [auditEvents.name]);
  });

const refuseWhileInUse = async (pool: Pool): Promise<void> => {
  const { rows } = await pool.query<{ name: string }>(
    'select name from ops.leases where expires_at > clock_timestamp()',
  );
  if (rows[0]) throw new CommandFailed(`stop the system first: a process still holds the lease ${rows[0].name}`);
};

export const copyLog = (options: CopyOptions): Promise<void> =>
  options.switch
    ? withStoresAtRest(async (cli) => {
        await refuseWhileInUse(cli.pool);
        await copy(cli, options);
      })
    : withStores((cli) => copy(cli, options));
