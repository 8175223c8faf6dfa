import { setTimeout as delay } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Uuid } from '../../domain/core/schema.ts';
import { pruneChanges } from '../../projections/engine/changes.ts';
import { listParked } from '../../projections/engine/parked.ts';
import { type Positions, watchPositions } from '../../projections/engine/positions.ts';
import { readModel } from '../../projections/engine/readModel.ts';
import { rebuild } from '../../projections/engine/rebuild.ts';
import { tableVersions } from '../../projections/engine/tableVersions.ts';
import { recordBatches } from '../kit/counts.ts';
import { randomFrom } from '../kit/random.ts';
import { until, WAIT_MS } from '../kit/until.ts';
import { type CounterRow, counted, counterModel, fill, groupsOf, newIds, removed, withTables } from './counters.ts';
import { useWorld, world } from './world.ts';

useWorld({ amongOthers: true });

const never = new AbortController().signal;
const LEASE = groupsOf()[0]?.name;
const verify = (model = counterModel()) => rebuild(world, model, { mode: 'verify', signal: never });

/** Ends all database connections but its own, in the middle of whatever they do. */
const cutConnections = () =>
  world.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );

interface Change {
  readonly channel: string;
  readonly offset: number;
  readonly type: string;
  readonly data: CounterRow;
}
const changes = async (): Promise<Change[]> =>
  (await world.pool.query<Change>('select channel, "offset", type, data::json from read.changes order by id')).rows;

describe('the projector', () => {
  it('creates, changes and deletes rows, and numbers the changes of each channel without a gap', async () => {
    const [kept = '', gone = ''] = newIds(2);
    const projector = world.project(counterModel());
    await world.projected(await world.append(kept, counted(2, 'a')));
    await world.projected(await world.append(kept, counted(3, 'b'), counted(4, 'c')));
    await world.projected(await world.append(gone, counted()));
    await world.projected(await world.append(gone, removed));
    await projector.stop();
    expect(await world.rows()).toMatchObject([{ id: kept, total: 9, events: 3, labels: 'abc' }]);
    const changesFor = async (id: string) =>
      (await changes()).filter(({ channel }) => channel === `realtime:user_${id}`);
    const sent = await changesFor(kept);
    expect(sent.map(({ offset }) => offset)).toEqual(sent.map((_, index) => index + 1));
    expect(sent.map(({ type }) => type)).toEqual(sent.map((_, n) => (n === 0 ? 'counter.created' : 'counter.updated')));
    expect(sent.at(-1)?.data).toMatchObject({ total: 9, events: 3 });
    expect((await changesFor(gone)).map(({ offset, type }) => [offset, type])).toEqual([
      [1, 'counter.created'],
      [2, 'counter.removed'],
    ]);
  });

  /** The database without its last commit. */
  const undoLastBatch = async (last: string): Promise<void> => {
    await world.pool.query(
      `begin;
       update ops.checkpoints set commit = before.commit, prepare = before.prepare from saved_checkpoint as before
       where checkpoints.name = before.name;
       delete from read.counters where id = '${last}'; commit`,
    );
  };
  const saveCheckpoint = () =>
    world.pool.query('drop table if exists saved_checkpoint; create table saved_checkpoint as table ops.checkpoints');

  it('applies a batch again that the database has lost, as when a replica that was behind takes over', async () => {
    const [first = '', lost = '', next = ''] = newIds(3);
    const projector = world.project(counterModel());
    await world.projected(await world.append(first, counted()));
    await saveCheckpoint();
    await world.projected(await world.append(lost, counted(5)));
    await undoLastBatch(lost);
    await world.projected(await world.append(next, counted()));
    expect(await world.rows()).toContainEqual(expect.objectContaining({ id: lost, total: 5 }));
    await projector.stop();
  });

  it('applies every event exactly once, even if it is stopped and loses the database again and again', async () => {
    const ids = newIds(20);
    let appending = true;
    const last = (async () => {
      let position = await fill(world, ids, 20);
      for (let round = 1; round <= 20; round += 1) {
        for (const id of ids) position = await world.append(id, counted(1, `${round},`));
      }
      appending = false;
      return position;
    })();
    const random = randomFrom();
    const anyMoment = () => delay(random() * 40); // any will do: that is the point
    const cutting = (async () => {
      for (; appending; await anyMoment()) await cutConnections().catch(() => undefined); // it may cut its own
    })();
    while (appending) {
      const projector = world.project(counterModel());
      for (let moment = 0; moment < 5; moment += 1) await anyMoment();
      await projector.stop();
    }
    await cutting;
    const projector = world.project(counterModel());
    await world.projected(await last);
    await projector.stop();

    const labels = Array.from({ length: 21 }, (_, n) => `${n},`).join('');
    expect(await world.rows()).toEqual(ids.map((id) => expect.objectContaining({ id, total: 21, events: 21, labels })));
    const sent = await changes();
    for (const id of ids) {
      const one = sent.filter(({ channel }) => channel === `realtime:user_${id}`);
      expect(one.map(({ offset }) => offset)).toEqual(one.map((_, index) => index + 1));
      expect(one.at(-1)?.data.events).toBe(21);
    }
    expect(await verify()).toMatchObject({ differences: 0 });
  });

  it('has one active process and one on standby, which takes over', async () => {
    const [id = ''] = newIds(1);
    const first = world.project(counterModel());
    await world.projected(await world.append(id, counted(1, 'a')));
    const second = world.project(counterModel());
    await world.projected(await world.append(id, counted(1, 'b')));
    const token = async () =>
      (await world.pool.query('select token from ops.leases where name = $1', [LEASE])).rows[0]?.token;
    expect(await token()).toBe(1);
    await first.stop();
    await world.projected(await world.append(id, counted(1, 'c')));
    expect(await token()).toBe(2);
    await second.stop();
    expect(await world.rows()).toMatchObject([{ labels: 'abc' }]);
  });

  it('writes nothing once another process holds its lease', async () => {
    const [id = ''] = newIds(1);
    const projector = world.project(counterModel());
    await world.projected(await world.append(id, counted(1, 'a')));
    await world.pool.query(
      `update ops.leases set token = token + 1, holder = 'other', expires_at = clock_timestamp() + interval '1.5 seconds'
       where name = $1`,
      [LEASE],
    );
    const position = await world.append(id, counted(1, 'b'));
    await until(async () => {
      const seen = await world.rows();
      const held = `select 1 from ops.leases where holder = 'other' and expires_at > clock_timestamp()`;
      if ((await world.pool.query(held)).rowCount === 0) return true;
      expect(seen).toMatchObject([{ labels: 'a' }]); // the lease was still another's after this was read
      return false;
    });
    await world.projected(position);
    await projector.stop();
    expect(await world.rows()).toMatchObject([{ labels: 'ab' }]);
  });
});

describe('changes', () => {
  it('are deleted after a day, and long ephemeral messages with them', async () => {
    const projector = world.project(counterModel());
    await world.projected(await fill(world, newIds(3), 3));
    await projector.stop();
    await world.pool.query(
      `update read.changes set at = now() - interval '25 hours' where id in (select id from read.changes limit 2)`,
    );
    await world.pool.query(
      `insert into read.ephemeral (id, message, at)
       select gen_random_uuid(), at::text, at from unnest(array[now(), now() - interval '2 minutes']) as at`,
    );
    await pruneChanges(world.pool);
    expect(await changes()).toHaveLength(1);
    expect((await world.pool.query('select from read.ephemeral')).rowCount).toBe(1);
  });
});

describe('a batch', () => {
  it('takes as many statements as models that it changes, whatever its size, and no savepoints', async () => {
    const changed = [counterModel(), counterModel({ name: 'more_counters' })];
    const others = ['some', 'others'].map((name) =>
      readModel(name, { version: 1, row: Type.Object({ id: Uuid }), key: 'id', on: {} }),
    );
    const batches = recordBatches(world.pool);
    const last = await fill(world, newIds(20), 400);
    const projector = world.project(...changed, ...others);
    await world.projected(last);
    await projector.stop();
    expect(batches.length).toBeGreaterThan(0);
    for (const { statements, roundTrips } of batches) {
      expect(statements.filter((text) => text.includes('savepoint'))).toEqual([]);
      // Begin, the locks, the position; select and upsert for each model; the epoch and the changes; the checkpoint, commit.
      expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(3 + 2 * changed.length + 2 + 2);
      // The beginning with its question; the rows of all models as they were, and as they are; changes and checkpoint; commit.
      expect(roundTrips, statements.join('\n')).toBeLessThanOrEqual(5);
    }
  });

  it('is not looked up in a model whose events only insert; a second event with the same key is parked', async () => {
    const [id = '', other = ''] = newIds(2);
    const marks = readModel('marks', {
      version: 1,
      row: Type.Object({ id: Uuid, label: Type.String() }),
      key: ['id', 'label'],
      insertOnly: true,
      on: {
        Counted: {
          keys: ({ streamId, data: { label } }: { streamId: string; data: { label: string } }) => [
            { id: streamId, label },
          ],
          fold: (_: unknown, __: unknown, key: { id: string; label: string }) => key,
        },
      } as never,
    });
    const batches = recordBatches(world.pool);
    const projector = world.project(marks);
    await world.projected(await world.append(id, counted(1, 'a'), counted(1, 'b')));
    expect(batches.flatMap(({ statements }) => statements).filter((text) => text.includes('read."marks" t'))).toEqual(
      [],
    );
    await world.append(id, counted(1, 'a'));
    await world.projected(await world.append(other, counted(1, 'a')));
    await projector.stop();
    expect((await world.pool.query('select label from read.marks order by id, label')).rows).toHaveLength(3);
    expect(await listParked(world.pool)).toMatchObject([{ stream: `counter-${id}`, revision: 2 }]);
  });
});

describe('events that touch more rows than fit into memory', () => {
  it('are applied in slices, in order', async () => {
    const [id = ''] = newIds(1);
    const cells = Array.from({ length: 9_000 }, (_, cell) => cell);
    const row = Type.Object({ id: Uuid, cell: Type.Integer(), labels: Type.String() });
    const wide = readModel('cells', {
      version: 1,
      row,
      key: ['id', 'cell'],
      on: {
        Counted: {
          keys: ({ streamId }: { streamId: string }) => cells.map((cell) => ({ id: streamId, cell })),
          fold: (
            before: { labels: string } | undefined,
            { data }: { data: { label: string } },
            key: { id: string; cell: number },
          ) => ({ ...key, labels: (before?.labels ?? '') + data.label }),
        },
      } as never,
    });
    const projector = world.project(wide);
    await world.projected(await world.append(id, counted(1, 'a'), counted(1, 'b'), counted(1, 'c'), counted(1, 'd')));
    await projector.stop();
    const { rows } = await world.pool.query('select labels, count(*) from read.cells group by labels');
    expect(rows).toEqual([{ labels: 'abcd', count: cells.length }]);
  });
});

describe('a changed read model', () => {
  it('is rebuilt and swapped in by the projector of its release', async () => {
    const ids = newIds(3);
    const older = world.project(counterModel());
    await world.projected(await fill(world, ids, 9));
    await older.stop();
    const newer = world.project(counterModel({ version: 2, doubled: true }));
    await until(async () => (await tableVersions(world.pool)).get('counters')?.version === 2);
    await world.projected(await world.append(ids[0] ?? '', counted(10)));
    await newer.stop();
    expect(await world.rows()).toMatchObject([{ total: 13, doubled: 26 }, { doubled: 6 }, { doubled: 6 }]);
  });

  it('is served empty while it waits for its first rebuild', async () => {
    const projector = world.project(counterModel());
    await world.projected(await fill(world, newIds(3), 3));
    await projector.stop();
    await withTables(world, counterModel({ name: 'more_counters' }));
    expect(await world.rows('more_counters')).toEqual([]);
    expect((await tableVersions(world.pool)).get('more_counters')?.version).toBe(0);
  });

  it('misses nothing if an older release still projects after the swap', async () => {
    const ids = newIds(3);
    const older = world.project(counterModel());
    await world.projected(await fill(world, ids, 3));
    const model = counterModel({ version: 2, doubled: true });
    await rebuild(world, model, { mode: 'rebuild', signal: never });
    await world.projected(await world.append(ids[0] ?? '', counted(10)));
    await older.stop();
    const newer = world.project(model);
    await until(async () => (await tableVersions(world.pool)).get('counters')?.version === 2);
    await newer.stop();
    expect((await world.rows())[0]).toMatchObject({ total: 11, doubled: 22 });
    expect(await verify(model)).toMatchObject({ differences: 0 });
  });

  it('serves the rows of its former version while it waits, and says that they are behind', async () => {
    const ids = newIds(2);
    const others = counterModel({ name: 'other_counters' });
    const older = world.project(counterModel(), others);
    const position = await fill(world, ids, 2);
    await world.projected(position);
    await older.stop();
    const model = counterModel({ version: 2, doubled: true });
    await withTables(world, model);
    const positions = await watchPositions(world.pool, world.databaseUrl, world.log, [model]);
    try {
      expect(await world.rows()).toMatchObject([
        { total: 1, doubled: null },
        { total: 1, doubled: null },
      ]);
      expect(await positions.reached(position, 0, [model])).toBe(false);
      expect(await positions.reached(position, 0)).toBe(false);
      expect(await positions.reached(position, 0, [others])).toBe(true);
      const newer = world.project(model);
      await until(() => positions.reached(position, 0, [model]));
      await newer.stop();
      expect(await world.rows()).toMatchObject([{ doubled: 2 }, { doubled: 2 }]);
    } finally {
      await positions.stop();
    }
  });

  it('is rebuilt, and goes on, when the schema of all read models is dropped under a running projector', async () => {
    const ids = newIds(3);
    const projector = world.project(counterModel());
    await world.projected(await fill(world, ids, 3));
    const before = (await world.pool.query('select epoch from read.epoch')).rows[0]?.epoch;
    await world.pool.query('drop schema read cascade');
    await world.projected(await world.append(ids[0] ?? '', counted(5)));
    await until(async () => (await tableVersions(world.pool)).get('counters')?.version === 1);
    expect(await world.rows()).toMatchObject([{ total: 6 }, { total: 1 }, { total: 1 }]);
    await world.projected(await world.append(ids[1] ?? '', counted(7)));
    await projector.stop();
    expect(await world.rows()).toMatchObject([{ total: 6 }, { total: 8 }, { total: 1 }]);
    expect((await world.pool.query('select epoch from read.epoch')).rows[0]?.epoch).not.toBe(before);
  });

  it('is rebuilt after its tables were dropped', async () => {
    const ids = newIds(3);
    const first = world.project(counterModel());
    await world.projected(await fill(world, ids, 3));
    await first.stop();
    await world.pool.query('drop table read.counters');
    const second = world.project(counterModel());
    await until(async () => (await tableVersions(world.pool)).get('counters')?.epoch === 2);
    await second.stop();
    expect(await world.rows()).toHaveLength(3);
  });
});

describe('waiting for a position', () => {
  let positions: Positions;
  beforeEach(async () => {
    await withTables(world, counterModel());
    positions = await watchPositions(world.pool, world.databaseUrl, world.log, [counterModel()]);
  });
  afterEach(() => positions.stop());

  it('ends as soon as the position is projected, and after the time limit if it is not', async () => {
    const [id = ''] = newIds(1);
    const position = await world.append(id, counted());
    expect(await positions.reached(position, 50)).toBe(false);
    const waiting = positions.reached(position, WAIT_MS);
    const projector = world.project(counterModel());
    expect(await waiting).toBe(true);
    expect(await world.rows()).toHaveLength(1);
    expect(await positions.reached(position, 0)).toBe(true);
    await projector.stop();
  });

  it('learns the state of the read models later when it cannot be read at first', async () => {
    const [id = ''] = newIds(1);
    const projector = world.project(counterModel());
    const position = await world.append(id, counted());
    await world.projected(position);
    let failures = 2;
    const query = (text: string, values?: unknown[]) => {
      failures -= 1;
      return failures >= 0 ? Promise.reject(new Error('no connection in time')) : world.pool.query(text, values);
    };
    const late = await watchPositions({ query } as never, world.databaseUrl, world.log, [counterModel()]);
    await until(() => late.reached(position, 0));
    await late.stop();
    await projector.stop();
  });

  it('survives the loss of its connection', async () => {
    const [id = ''] = newIds(1);
    const projector = world.project(counterModel());
    await world.projected(await world.append(id, counted()));
    await cutConnections();
    expect(await positions.reached(await world.append(id, counted()), WAIT_MS)).toBe(true);
    await projector.stop();
  });
});
