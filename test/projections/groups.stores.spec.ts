/** Groups of read models: shared by processes, stuck one by one, moved, and taken over from release 0.1.0. */
import { describe, expect, it } from 'vitest';
import { loadCheckpoint, saveCheckpoint } from '../../eventstore/checkpoints.ts';
import { isAfter } from '../../eventstore/subscribe.ts';
import { groupPositions, livePosition } from '../../projections/engine/checkpoint.ts';
import { FORMER, type Group, groupOf } from '../../projections/engine/groups.ts';
import { watchPositions } from '../../projections/engine/positions.ts';
import type { ReadModel } from '../../projections/engine/readModel.ts';
import { rebuildAll } from '../../projections/engine/rebuild.ts';
import { tableVersions, tellModels } from '../../projections/engine/tableVersions.ts';
import { recordBatches } from '../kit/counts.ts';
import { until, WAIT_MS } from '../kit/until.ts';
import { counted, counterModel, fill, newIds } from './counters.ts';
import { useWorld, world } from './world.ts';

useWorld({ amongOthers: true });

const never = new AbortController().signal;
const named = (name: string, more = {}): ReadModel => counterModel({ name, ...more });
const [one, two, three] = ['one', 'two', 'three'].map((name) => named(name)) as [ReadModel, ReadModel, ReadModel];
const first = groupOf('first', [one]);
const second = groupOf('second', [two]);
const both = [first, second];

const verified = async (...models: ReadModel[]) =>
  [...(await rebuildAll(world, models, { mode: 'verify', signal: never }))].map(([name, outcome]) => [
    name,
    outcome instanceof Error ? outcome.message : outcome.differences,
  ]);
const holders = async (): Promise<Map<string, string>> => {
  const { rows } = await world.pool.query<{ name: string; holder: string }>(
    `select name, holder from ops.leases where name like 'read-models:%' and expires_at > clock_timestamp()`,
  );
  return new Map(rows.map(({ name, holder }) => [name, holder]));
};
const versions = async () =>
  Object.fromEntries(
    [...(await tableVersions(world.pool))].map(([name, { version, epoch }]) => [name, [version, epoch]]),
  );

/** Refuses every change of a table, as a broken disk or a long lock would. */
const breakTable = (table: string) =>
  world.pool.query(
    `create function read.refuse() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
     create trigger refuse before insert or update on read."${table}" for each row execute function read.refuse()`,
  );
const repairTable = (table: string) =>
  world.pool.query(`drop trigger refuse on read."${table}"; drop function read.refuse()`);

describe('a process that holds several groups', () => {
  it('follows the log once, with as many statements a batch as for one group', async () => {
    const batches = recordBatches(world.pool);
    const last = await fill(world, newIds(20), 400);
    const projector = world.projectGroups(both);
    await world.projected(last);
    await projector.stop();
    expect(batches.length).toBeGreaterThan(0);
    for (const { statements } of batches) {
      // Begin, the locks, the positions; select and upsert for each model; the epoch and the changes; the checkpoints, commit.
      expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(3 + 2 * 2 + 2 + 2);
      expect(statements.filter((text) => text.includes('ops.checkpoints as c'))).toHaveLength(1);
    }
    expect(new Set([...(await groupPositions(world.pool)).values()].map(({ commit }) => commit)).size).toBe(1);
  });

  it('brings groups that are at different positions together, and applies every event once', async () => {
    const ids = newIds(5);
    const alone = world.projectGroups([first]);
    await world.projected(await fill(world, ids, 50));
    await alone.stop();
    await world.pool.query(`update ops.read_models set version = 0 where name = 'two'`);
    const projector = world.projectGroups(both);
    const last = await world.append(ids[0] ?? '', counted(5));
    await world.projected(last);
    await until(async () => (await versions()).two?.[0] === 1);
    await projector.stop();
    expect(await world.rows('two')).toEqual(await world.rows('one'));
    expect(await verified(one, two)).toEqual([
      ['one', 0],
      ['two', 0],
    ]);
  });
});

describe('several processes', () => {
  it('share the groups; one that stays takes over those of one that ended, and every event is applied once', async () => {
    const ids = newIds(10);
    const processes = [world.projectGroups(both), world.projectGroups(both)];
    await until(async () => new Set((await holders()).values()).size === 2);
    await fill(world, ids, 100);
    for (let round = 0; round < 5; round += 1) for (const id of ids) await world.append(id, counted(1, `${round};`));
    await processes[0]?.stop();
    const last = await world.append(ids[0] ?? '', counted(7));
    await world.projected(last, both.length);
    await until(async () => new Set((await holders()).values()).size === 1);
    await processes[1]?.stop();
    expect(await world.rows('two')).toEqual(await world.rows('one'));
    expect(await verified(one, two)).toEqual([
      ['one', 0],
      ['two', 0],
    ]);
    const { rows } = await world.pool.query(
      `select count(*) as gaps from (
         select "offset" - row_number() over (partition by channel order by id) as gap from read.changes) as numbered
       where gap <> 0`,
    );
    expect(rows).toEqual([{ gaps: 0 }]);
  });
});

describe('a release with other versions', () => {
  it('rebuilds each model once, in the process that holds its group', async () => {
    const ids = newIds(5);
    const older = world.projectGroups(both);
    await world.projected(await fill(world, ids, 50), both.length);
    await older.stop();
    const next = both.map(({ name, models }) => ({
      name,
      models: models.map((model) => named(model.name, { version: 2, doubled: true })),
    }));
    const processes = [world.projectGroups(next), world.projectGroups(next)];
    await until(async () => new Set((await holders()).values()).size === 2);
    await until(async () => Object.values(await versions()).every(([version]) => version === 2));
    await world.projected(await world.append(ids[0] ?? '', counted()));
    for (const each of processes) await each.stop();
    expect(await versions()).toEqual({ one: [2, 2], two: [2, 2] });
    expect(await world.rows('two')).toEqual(await world.rows('one'));
  });
});

it('a read model is not built while its table has another version', async () => {
  const projector = world.projectGroups(both);
  await world.projected(await world.append(newIds(1)[0] ?? '', counted()));
  await projector.stop();
  const positions = await watchPositions(world.pool, world.databaseUrl, world.log, [one, two]);
  const setVersion = async (version: number) => {
    await world.pool.query(`update ops.read_models set version = $1 where name = 'two'`, [version]);
    await tellModels(world.pool);
  };
  try {
    expect(positions.areBuilt([one, two])).toBe(true);
    await setVersion(0);
    await until(() => !positions.areBuilt([two]));
    expect(positions.areBuilt([one])).toBe(true);
    await setVersion(two.version);
    await until(() => positions.areBuilt([one, two]));
  } finally {
    await positions.stop();
  }
});

describe('a group that is stuck', () => {
  it('leaves the others going: their replies do not wait, and it goes on with them once it is repaired', async () => {
    const [id = ''] = newIds(1);
    const batches = recordBatches(world.pool);
    const projector = world.projectGroups(both);
    await world.projected(await world.append(id, counted()));
    const positions = await watchPositions(world.pool, world.databaseUrl, world.log, [one, two]);
    try {
      await breakTable('two');
      for (let n = 0; n < 3; n += 1)
        expect(await positions.reached(await world.append(id, counted()), WAIT_MS, [one])).toBe(true);
      const last = await world.append(id, counted());
      expect(await positions.reached(last, WAIT_MS, [one])).toBe(true);
      expect(await positions.reached(last, 0, [two])).toBe(false);
      expect(await positions.reached(last, 0)).toBe(false);
      expect(await verified(one, two)).toEqual([
        ['one', 0],
        ['two', 0],
      ]);
      await repairTable('two');
      expect(await positions.reached(last, WAIT_MS)).toBe(true);
      await until(async () => {
        await world.projected(await world.append(id, counted()));
        return ['"one"', '"two"'].every((table) => batches.at(-1)?.statements.some((text) => text.includes(table)));
      });
    } finally {
      await positions.stop();
      await projector.stop();
    }
    expect(await world.rows('two')).toEqual(await world.rows('one'));
  });

  it('is rebuilt at its own position, and the others at theirs', async () => {
    const ids = newIds(5);
    const projector = world.projectGroups(both);
    await world.projected(await fill(world, ids, 20));
    await breakTable('two');
    const last = await fill(
      world,
      ids.map(() => newIds(1)[0] ?? ''),
      20,
    );
    await until(async () => !isAfter(last, await livePosition(world.pool, one)));
    expect(isAfter(last, await livePosition(world.pool, two))).toBe(true);
    // The new tables have no trigger.
    const outcomes = await rebuildAll(world, [one, two], { mode: 'rebuild', signal: never, page: 7 });
    expect([...outcomes.values()]).toEqual([one, two].map(() => expect.objectContaining({ differences: 0 })));
    await world.projected(last);
    await projector.stop();
    expect(await world.rows('two')).toEqual(await world.rows('one'));
    expect(await verified(one, two)).toEqual([
      ['one', 0],
      ['two', 0],
    ]);
  });
});

describe('a model that is declared in another group', () => {
  const runUntilShown = async (groups: readonly Group[], position = world.append(newIds(1)[0] ?? '', counted())) => {
    const projector = world.projectGroups(groups);
    const at = await position;
    await until(async () => {
      const positions = await groupPositions(world.pool);
      return groups.every(({ name }) => !isAfter(at, positions.get(name) ?? null));
    });
    const models = groups.flatMap((group) => group.models);
    await until(async () => {
      const now = await versions();
      return models.every(({ name, version }) => now[name]?.[0] === version);
    });
    await projector.stop();
  };

  it('keeps its table where both groups are at the same position, as for a new group', async () => {
    await runUntilShown([groupOf('first', [one, two])]);
    await runUntilShown(both);
    expect(await versions()).toEqual({ one: [1, 1], two: [1, 1] });
    expect(await verified(one, two)).toEqual([
      ['one', 0],
      ['two', 0],
    ]);
  });

  it('is rebuilt where they are not', async () => {
    await runUntilShown([first, groupOf('second', [two, three])]);
    const alone = world.projectGroups([first]);
    const last = await world.append(newIds(1)[0] ?? '', counted());
    await until(async () => !isAfter(last, await livePosition(world.pool, one)));
    await alone.stop();
    // An interrupted rebuild has left a table that is further than the group of its model will be.
    await world.pool.query(
      `insert into ops.rebuilds (model, mode, version, status, commit, prepare, events, target, started_at, updated_at)
       values ('three', 'rebuild', 1, 'cancelled', $1, $1, 9, 9, now(), now())`,
      [`${2n * last.commit}`],
    );
    await world.pool.query('create table read.three__rebuild (like read.three including all)');
    await runUntilShown([groupOf('first', [one, three]), second]);
    expect(await versions()).toEqual({ one: [1, 1], two: [1, 1], three: [1, 2] });
    expect(await verified(one, two, three)).toEqual(['one', 'two', 'three'].map((name) => [name, 0]));
  });

  it('and is new begins where the others are, so that nobody hears of old events', async () => {
    await runUntilShown([first]);
    const before = (await world.pool.query('select count(*) from read.changes')).rows[0]?.count;
    await runUntilShown(both);
    expect((await world.pool.query('select count(*) from read.changes')).rows[0]?.count).toBeLessThanOrEqual(
      before + 2,
    );
    expect(await world.rows('two')).toEqual(await world.rows('one'));
  });
});

describe('a database of release 0.1.0', () => {
  it('is taken over while its projector still runs, without a rebuild, and that projector writes nothing more', async () => {
    const ids = newIds(5);
    const models = [groupOf('first', [one, two])];
    const before = world.projectGroups(models);
    const last = await fill(world, ids, 20);
    await world.projected(last);
    await before.stop();
    // As 0.1.0 leaves it: one checkpoint, one lease.
    await world.pool.query(
      `delete from ops.checkpoints; delete from ops.leases; update ops.read_models set consumer = '${FORMER}'`,
    );
    const [handled] = (await world.store.readAll({ direction: 'backwards', max: 1 })).events;
    await saveCheckpoint(world.pool, FORMER, last, handled);
    // The statements with which 0.1.0 takes and renews its lease.
    const take = `update ops.leases set token = token + 1, expires_at = clock_timestamp() + interval '5 seconds'
      where name = $1 and expires_at < clock_timestamp()`;
    const renew = 'update ops.leases set expires_at = clock_timestamp() where name = $1 and token = 1';
    await world.pool.query(`insert into ops.leases (name, holder, token, expires_at) values ($1, '0.1.0', 1, now())`, [
      FORMER,
    ]);

    const positions = await watchPositions(world.pool, world.databaseUrl, world.log, [one, two]);
    expect(await positions.reached(last, 0)).toBe(true);
    const after = world.projectGroups(both);
    const next = await world.append(ids[0] ?? '', counted());
    expect(await positions.reached(next, WAIT_MS)).toBe(true);
    await world.projected(await world.append(ids[1] ?? '', counted()));
    for (const statement of [renew, take]) expect((await world.pool.query(statement, [FORMER])).rowCount).toBe(0);
    await after.stop();
    await positions.stop();

    expect(await versions()).toEqual({ one: [1, 1], two: [1, 1] });
    expect(await loadCheckpoint(world.pool, FORMER)).toBeNull();
    expect(await verified(one, two)).toEqual([
      ['one', 0],
      ['two', 0],
    ]);
  });
});
