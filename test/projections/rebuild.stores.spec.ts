import { describe, expect, it } from 'vitest';
import { Rejected } from '../../domain/core/decider.ts';
import { createLogger } from '../../infra/log.ts';
import { inTransaction } from '../../infra/postgres.ts';
import { isAnyOf, readDb, tables } from '../../projections/engine/readDb.ts';
import { rebuild } from '../../projections/engine/rebuild.ts';
import { cancelRun, listRuns, type Run } from '../../projections/engine/rebuildRuns.ts';
import { foundAsReplies, storedText } from '../../projections/engine/replies.ts';
import { runProjector } from '../../projections/engine/runner.ts';
import { tableVersions } from '../../projections/engine/tableVersions.ts';
import { until } from '../kit/until.ts';
import { counted, counterModel, fill, groupsOf, newIds, withTables } from './counters.ts';
import { useWorld, world } from './world.ts';

useWorld();

const model = counterModel();
const never = new AbortController().signal;
const build = (options: Partial<Parameters<typeof rebuild>[2]> = {}, of = model) =>
  rebuild(world, of, { mode: 'rebuild', signal: never, ...options });
const verify = () => rebuild(world, model, { mode: 'verify', signal: never });
const epoch = async (): Promise<string> => (await world.pool.query('select epoch from read.epoch')).rows[0]?.epoch;
const tableNames = async (): Promise<string[]> =>
  (
    await world.pool.query(`select tablename from pg_tables where schemaname = 'read' and tablename like 'counters%'`)
  ).rows.map(({ tablename }) => tablename);

/** History that was projected by a projector that has ended. */
const projectHistory = async (ids: readonly string[], count: number): Promise<void> => {
  const projector = world.project(model);
  await world.projected(await fill(world, ids, count));
  await projector.stop();
};

describe('a rebuild', () => {
  it('of an empty log leaves an empty table that can be projected into', async () => {
    await withTables(world, model);
    expect(await build()).toEqual({ events: 0, differences: 0 });
    await projectHistory(newIds(2), 4);
    expect(await world.rows()).toMatchObject([{ total: 2 }, { total: 2 }]);
  });

  it('repairs damaged rows, creates the indexes and starts a new epoch', async () => {
    await projectHistory(newIds(10), 100);
    const before = await epoch();
    await world.pool.query(`update read.counters set total = 7 where id = (select id from read.counters limit 1)`);
    expect(await build()).toEqual({ events: 100, differences: 2 });
    expect((await world.rows()).every(({ total }) => total === 10)).toBe(true);
    expect(await epoch()).not.toBe(before);
    expect((await tableVersions(world.pool)).get('counters')).toMatchObject({ version: 1, epoch: 2 });
    const { rowCount } = await world.pool.query(`select from pg_indexes where tablename = 'counters'`);
    expect(rowCount).toBe(2);
    expect(await tableNames()).toEqual(['counters']);
  });

  it('is invisible to readers while appends continue', async () => {
    const ids = newIds(50);
    const projector = world.project(model);
    await world.projected(await fill(world, ids, 2_000));
    let busy = true;
    // In turns, so that appends do not outrun the rebuild on a machine that is busy with it.
    const appendingAndReading = (async () => {
      let position = await world.append(newIds(1)[0] ?? '', counted());
      let [reads, rows, total] = [0, 0, 0];
      while (busy) {
        position = await world.append(newIds(1)[0] ?? '', counted(1, '0,'), counted(1, '1,'));
        const { rows: found } = await world.pool.query(
          'select count(*) as rows, sum(total)::bigint as total from read.counters',
        );
        expect(found[0].rows).toBeGreaterThanOrEqual(rows);
        expect(found[0].total).toBeGreaterThanOrEqual(total);
        [reads, rows, total] = [reads + 1, found[0].rows, found[0].total];
      }
      return { position, reads };
    })();
    for (let round = 0; round < 3; round += 1) expect(await build({ page: 100 })).toMatchObject({ differences: 0 });
    busy = false;
    const { position, reads } = await appendingAndReading;
    expect(reads).toBeGreaterThan(10);
    await world.projected(position);
    await projector.stop();
    expect((await tableVersions(world.pool)).get('counters')?.epoch).toBe(4);
    expect(await verify()).toMatchObject({ differences: 0 });
  });

  it('for a new version gives the table other columns under prepared statements, and forms that were not stored', async () => {
    const ids = newIds(3);
    await projectHistory(ids, 30);
    await world.pool.query('alter table read.counters drop column wire'); // as of a release that did not store it
    const newer = counterModel({ version: 2, doubled: true });
    await withTables(world, newer);
    const db = readDb(world.pool);
    const shown = async () => {
      const text = storedText(newer, 'guest').as('wire');
      const found = await tables(db, newer)
        .selectFrom('counters')
        .select('id')
        .select(text)
        .where(isAnyOf('id', ids))
        .execute();
      return (await foundAsReplies(db, newer, found as never, () => 'guest')).map((reply) => reply.toJSON());
    };
    const before = await shown();
    expect(before).toMatchObject(ids.map(() => ({ total: 10, doubled: null })));
    let busy = true;
    const reading = (async () => {
      let reads = 0;
      for (; busy; reads += 1) {
        expect((await world.pool.query('select * from read.counters where total >= $1', [0])).rowCount).toBe(3);
        expect(await shown()).toHaveLength(3);
      }
      return reads;
    })();
    expect(await build({}, newer)).toMatchObject({ differences: null });
    await shown();
    busy = false;
    expect(await reading).toBeGreaterThan(0);
    expect(await shown()).toMatchObject(ids.map(() => ({ total: 10, doubled: 20 })));
    const { rows } = await world.pool.query('select id, wire from read.counters');
    expect(rows.map(({ id, wire }) => [id, JSON.parse(wire).doubled])).toEqual(rows.map(({ id }) => [id, 20]));
  });

  it('stops when it is cancelled and continues from there the next time', async () => {
    await projectHistory(newIds(10), 1_000);
    const stopping = new AbortController();
    const seen: Run[] = [];
    const onProgress = (run: Run) => {
      seen.push(run);
      if (seen.length === 3) stopping.abort();
    };
    await expect(build({ page: 100, signal: stopping.signal, onProgress })).rejects.toThrow('was cancelled');
    // One record of the first page is the id of the log.
    expect(await listRuns(world.pool)).toMatchObject([{ status: 'cancelled', events: 299 }]);
    expect(await world.rows()).toHaveLength(10);

    const resumed: Run[] = [];
    expect(await build({ page: 100, onProgress: (run) => void resumed.push(run) })).toEqual({
      events: 1_000,
      differences: 0,
    });
    expect(resumed[0]?.events).toBe(399);
    expect(await listRuns(world.pool)).toMatchObject([{ status: 'done', events: 1_000, detail: '0 rows differed' }]);
  });

  it('can be cancelled from another process, and cannot be started twice', async () => {
    await projectHistory(newIds(10), 1_000);
    expect(await cancelRun(world.pool, 'counters', 'rebuild')).toBe(false);
    const onProgress = async () => {
      await expect(build()).rejects.toBeInstanceOf(Rejected);
      expect(await cancelRun(world.pool, 'counters', 'rebuild')).toBe(true);
    };
    await expect(build({ page: 100, onProgress })).rejects.toThrow('was cancelled');
    expect(await listRuns(world.pool)).toMatchObject([{ status: 'cancelled' }]);
  });

  /** Whether every connection of the pool answers: it learns one by one which of them were cut. */
  const hasLiveConnections = () =>
    Promise.all(Array.from({ length: world.pool.totalCount }, () => world.pool.query('select pg_sleep(0.01)'))).then(
      () => true,
      () => false,
    );

  it('whose process ended is shown as interrupted, and resumes', async () => {
    await projectHistory(newIds(10), 1_000);
    const onProgress = () =>
      world.pool
        .query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        )
        .then(() => Promise.reject(new Error('cut off')));
    await expect(build({ page: 100, onProgress })).rejects.toThrow('cut off');
    await until(hasLiveConnections);
    await world.pool.query(`update ops.rebuilds set status = 'running'`); // a process that dies records nothing
    // The connection with its lock ends a moment after it was told to.
    await until(async () => (await listRuns(world.pool))[0]?.status === 'interrupted');
    expect(await build()).toEqual({ events: 1_000, differences: 0 });
  });

  /** Keeps others from the live table while `work` runs, so that a rebuild stops before its swap. */
  const whileLocked = (work: () => Promise<void>) =>
    inTransaction(world.pool, async (client) => {
      await client.query('lock table read.counters in access exclusive mode');
      await work();
    });
  const isWaiting = async () =>
    (
      await world.pool.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).rowCount === 1;

  it('that another process has continued applies nothing twice', async () => {
    const [id = ''] = newIds(1);
    await projectHistory([id], 10);
    let building: Promise<unknown> | undefined;
    await whileLocked(async () => {
      building = build().catch((error: unknown) => error);
      await until(isWaiting);
      // Meanwhile an event is projected, and the other process applies it to the table that both fill.
      const { commit, prepare } = await world.append(id, counted());
      await world.pool.query('update read.counters__rebuild set total = total + 1, events = events + 1');
      for (const table of ['rebuilds', 'checkpoints'])
        await world.pool.query(`update ops.${table} set commit = $1, prepare = $2`, [`${commit}`, `${prepare}`]);
    });
    expect(await building).toMatchObject({ message: expect.stringContaining('taken over by another process') });
    expect((await tableVersions(world.pool)).get('counters')?.epoch).toBe(1);
    const { rows } = await world.pool.query('select total from read.counters__rebuild');
    expect(rows).toEqual([{ total: 11 }]);
  });

  const LOCK_OF_A_RUN = `from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`;

  it('that lost its lock does not swap', async () => {
    await projectHistory(newIds(1), 10);
    let building: Promise<unknown> | undefined;
    await whileLocked(async () => {
      building = build().catch((error: unknown) => error);
      await until(isWaiting);
      await world.pool.query(`select pg_terminate_backend(pid) ${LOCK_OF_A_RUN}`);
      await until(async () => (await world.pool.query(`select ${LOCK_OF_A_RUN}`)).rowCount === 0);
    });
    expect(await building).toMatchObject({ message: expect.stringContaining('lost its lock') });
    expect((await tableVersions(world.pool)).get('counters')?.epoch).toBe(1);
  });

  it('for a new version stops with the lease of its projector', async () => {
    await withTables(world, model);
    const lines: string[] = [];
    const log = createLogger({ level: 'info', destination: { write: (line) => lines.push(line) } });
    const stopping = new AbortController();
    let running: Promise<void> | undefined;
    await inTransaction(world.pool, async (client) => {
      await client.query('lock table ops.rebuilds in exclusive mode'); // a rebuild cannot begin
      const groups = groupsOf(counterModel({ version: 2, doubled: true }));
      running = runProjector({ ...world, groups, log }, stopping.signal);
      await until(() => lines.some((line) => line.includes('rebuilding for a new version')));
      await until(isWaiting);
      await world.pool.query(
        `update ops.leases set token = token + 1, holder = 'other', expires_at = clock_timestamp() + interval '1 hour'
         where name = $1`,
        [groupsOf()[0]?.name],
      );
      await until(() => lines.some((line) => line.includes('leases lost')));
    });
    // It is cancelled, or on a slow machine has stopped before to wait for the lock, which may be said nowhere.
    await until(async () => (await world.pool.query(`select ${LOCK_OF_A_RUN}`)).rowCount === 0);
    stopping.abort();
    await running;
    const live = (await tableVersions(world.pool)).get('counters');
    expect(live).toMatchObject({ epoch: 1 });
    // 0, where the projector has passed the table over in a batch.
    expect([0, 1]).toContain(live?.version);
  });

  it('that fails leaves the live table as it was, and resumes with a repaired program', async () => {
    const ids = newIds(10);
    await projectHistory(ids, 1_000);
    const before = await world.rows();
    const faulty = counterModel({
      check: ({ revision, streamId }) => {
        if (revision === 60n && streamId === ids[4]) throw new Error('wrong');
      },
    });
    await expect(build({ page: 100 }, faulty)).rejects.toThrow(`Counted at revision 60 of counter-${ids[4]}: wrong`);
    expect(await world.rows()).toEqual(before);
    expect(await listRuns(world.pool)).toMatchObject([{ status: 'failed', detail: expect.stringContaining('wrong') }]);
    expect((await tableVersions(world.pool)).get('counters')?.epoch).toBe(1);
    expect(await build({ page: 100 })).toEqual({ events: 1_000, differences: 0 });
  });
});

describe('a verification', () => {
  it('finds a changed row, a missing row and an extra row', async () => {
    const ids = newIds(10);
    await projectHistory(ids, 100);
    expect(await verify()).toEqual({ events: 100, differences: 0 });
    await world.pool.query('update read.counters set total = total + 1 where id = $1', [ids[0]]);
    expect(await verify()).toMatchObject({ differences: 2 });
    await world.pool.query('delete from read.counters where id = $1', [ids[0]]);
    expect(await verify()).toMatchObject({ differences: 1 });
    await world.pool.query(`insert into read.counters select gen_random_uuid(), 1, 1, '', now()`);
    expect(await verify()).toMatchObject({ differences: 2 });
    expect(await tableNames()).toEqual(['counters']);
  });

  it('compares at one position while the projector continues', async () => {
    const ids = newIds(5);
    const projector = world.project(model);
    await world.projected(await fill(world, ids, 500));
    let busy = true;
    const appending = (async () => {
      while (busy) for (const id of ids) await world.append(id, counted());
    })();
    for (let round = 0; round < 5; round += 1) expect(await verify()).toMatchObject({ differences: 0 });
    busy = false;
    await appending;
    await projector.stop();
    await until(async () => (await listRuns(world.pool))[0]?.status === 'done');
  });
});
