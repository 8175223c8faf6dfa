/** Several read models in one pass over the log: each has its own run, table and end. */
import { Type } from '@sinclair/typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Uuid } from '../../domain/core/schema.ts';
import { listen } from '../../infra/listen.ts';
import { EPOCH_CHANNEL } from '../../projections/engine/changes.ts';
import { type ReadModel, readModel } from '../../projections/engine/readModel.ts';
import { type RebuildOptions, rebuild, rebuildAll } from '../../projections/engine/rebuild.ts';
import { cancelRun, listRuns, type Run } from '../../projections/engine/rebuildRuns.ts';
import { tableVersions } from '../../projections/engine/tableVersions.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { type Counters, counterModel, counters, fill, newIds, removed } from './counters.ts';

let world: Counters;
beforeEach(async () => {
  world = counters(await freshStores());
});
afterEach(() => world.stop());

const EVENTS = 1_000;
const PAGE = 100;
const never = new AbortController().signal;
const names = ['counters', 'more_counters', 'other_counters'];
const models = names.map((name) => counterModel({ name }));
const [one, two, three] = models as [ReadModel, ReadModel, ReadModel];
/** Counts only what is removed: most events are of no use to it. */
const removals = readModel('removals', {
  version: 1,
  row: Type.Object({ id: Uuid }),
  key: 'id',
  on: { CounterRemoved: (_: unknown, { streamId }: { streamId: string }) => ({ id: streamId }) } as never,
});

const build = (of: readonly ReadModel[] = models, options: Partial<RebuildOptions> = {}) =>
  rebuildAll(world, of, { mode: 'rebuild', signal: never, page: PAGE, ...options });
const project = async (of: readonly ReadModel[], ids = newIds(10)): Promise<void> => {
  const projector = world.project(...of);
  await world.projected(await fill(world, ids, EVENTS));
  await projector.stop();
};
const statuses = async () => new Map((await listRuns(world.pool)).map(({ model, status }) => [model, status]));
const epochs = async () => new Map([...(await tableVersions(world.pool))].map(([name, { epoch }]) => [name, epoch]));

/** Counts the pages that are read from the log, and the events that are decoded, from now on. */
const countWork = (): { reads: number; decoded: number } => {
  const work = { reads: 0, decoded: 0 };
  const { store, codec } = world;
  world = {
    ...world,
    store: {
      ...store,
      readAll: (options) => {
        work.reads += 1;
        return store.readAll(options);
      },
    },
    codec: {
      ...codec,
      decodeEach: (stored, options) => {
        work.decoded += stored.length;
        return codec.decodeEach(stored, options);
      },
    },
  };
  return work;
};

describe('a rebuild of several read models', () => {
  it.each(['rebuild', 'verify'] as const)('reads and decodes the log once for all of them: %s', async (mode) => {
    await project(models);
    const forOne = countWork();
    await build([one], { mode });
    expect(forOne).toEqual({ reads: expect.any(Number), decoded: EVENTS });
    const before = { ...forOne };
    const outcomes = await build(models, { mode });
    expect([...outcomes]).toEqual(names.map((name) => [name, { events: EVENTS, differences: 0 }]));
    // Each model asks for the head of the log once, to show its progress.
    expect(forOne.reads - before.reads).toBeLessThanOrEqual(before.reads + 2);
    expect(forOne.decoded - before.decoded).toBe(EVENTS);
  });

  it('has realtime clients start over once', async () => {
    await project(models);
    const told: (string | undefined)[] = [];
    const listener = await listen(world.databaseUrl, [EPOCH_CHANNEL], (_, epoch) => told.push(epoch), {
      applicationName: 'test',
      log: world.log,
    });
    const outcomes = await build(models);
    // What was told before has come when this has.
    await world.pool.query(`select pg_notify($1, 'the end')`, [EPOCH_CHANNEL]);
    await until(() => told.includes('the end'));
    await listener.stop();
    expect([...outcomes.values()]).toEqual(names.map(() => ({ events: EVENTS, differences: 0 })));
    expect(told).toEqual([expect.anything(), 'the end']);
    expect(await epochs()).toEqual(new Map(names.map((name) => [name, 2])));
  });

  it('decodes only events that some of them handles', async () => {
    const [gone = '', ...ids] = newIds(5);
    await project([removals], [gone, ...ids]);
    const projector = world.project(removals);
    await world.projected(await world.append(gone, removed));
    await projector.stop();
    const work = countWork();
    expect(await rebuild(world, removals, { mode: 'rebuild', signal: never, page: PAGE })).toEqual({
      events: EVENTS + 1,
      differences: 0,
    });
    expect(work.decoded).toBe(1);
  });

  it('resumes where the least advanced is; the others skip what they have', async () => {
    await project([one, two]);
    const stopping = new AbortController();
    const stopAfter = (pages: number) => {
      let seen = 0;
      return () => {
        seen += 1;
        if (seen === pages) stopping.abort();
      };
    };
    await build([one], { signal: stopping.signal, onProgress: stopAfter(3) });
    const started: (readonly Run[])[] = [];
    const outcomes = await build([one, two], { onStart: (runs) => started.push(runs) });
    // One record of the first page is the id of the log.
    expect(started[0]).toMatchObject([{ events: 299 }, { events: 0 }]);
    expect([...outcomes.values()]).toEqual([
      { events: EVENTS, differences: 0 },
      { events: EVENTS, differences: 0 },
    ]);
  });

  it('goes on without one that fails, which resumes with a repaired program', async () => {
    const ids = newIds(10);
    await project(models, ids);
    const faulty = counterModel({
      name: names[1] as string,
      check: ({ revision, streamId }) => {
        if (revision === 60n && streamId === ids[4]) throw new Error('wrong');
      },
    });
    const outcomes = await build([one, faulty, three]);
    expect(outcomes.get('more_counters')).toMatchObject({
      message: `Counted at revision 60 of counter-${ids[4]}: wrong`,
    });
    expect(outcomes.get('counters')).toEqual({ events: EVENTS, differences: 0 });
    expect(outcomes.get('other_counters')).toEqual({ events: EVENTS, differences: 0 });
    expect(await epochs()).toEqual(new Map([...names.map((name) => [name, name === faulty.name ? 1 : 2] as const)]));
    expect((await statuses()).get('more_counters')).toBe('failed');
    expect(await world.rows('more_counters')).toEqual(await world.rows('counters'));
    const started: (readonly Run[])[] = [];
    await build([two], { onStart: (runs) => started.push(runs) });
    expect(started[0]?.[0]?.events).toBeGreaterThan(0);
    expect(await epochs()).toEqual(new Map(names.map((name) => [name, 2])));
  });

  it('goes on without one that is cancelled, and without one that runs already', async () => {
    await project(models);
    const outcomes: unknown[] = [];
    let pages = 0;
    const onProgress = async (runs: readonly Run[]) => {
      pages += 1;
      if (pages > 1) return expect(runs.map(({ model }) => model)).toEqual(['counters', 'other_counters']);
      expect(await cancelRun(world.pool, 'more_counters', 'rebuild')).toBe(true);
      outcomes.push(...(await build(models)).values());
    };
    const ended = await build(models, { onProgress });
    expect(outcomes).toMatchObject(names.map((name) => ({ message: expect.stringContaining(`${name} is already`) })));
    expect(ended.get('more_counters')).toMatchObject({ message: expect.stringContaining('was cancelled') });
    expect(await statuses()).toEqual(
      new Map(names.map((name) => [name, name === 'more_counters' ? 'cancelled' : 'done'])),
    );
  });

  it('swaps tables one by one where one of them keeps all from being swapped together', async () => {
    await project(models);
    await world.pool.query('create view read.made_by_hand as select * from read.more_counters');
    const outcomes = await build();
    expect(outcomes.get('more_counters')).toMatchObject({ detail: expect.stringContaining('made_by_hand') });
    expect(await epochs()).toEqual(new Map(names.map((name) => [name, name === 'more_counters' ? 1 : 2])));
    expect((await statuses()).get('more_counters')).toBe('failed');
    for (const name of names) expect(await world.rows(name)).toHaveLength(10);
  });

  it('of an upgrade reads the log once', async () => {
    await project(models);
    const newer = names.map((name) => counterModel({ name, version: 2, doubled: true }));
    const projector = world.project(...newer);
    const are = async (version: number) =>
      [...(await tableVersions(world.pool)).values()].every((table) => table.version === version);
    await until(() => are(2));
    await projector.stop();
    for (const name of names) expect(await world.rows(name)).toHaveLength(10);
    const runs = await listRuns(world.pool);
    expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(['done']));
  });
});
