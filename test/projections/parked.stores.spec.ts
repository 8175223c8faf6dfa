import { describe, expect, it } from 'vitest';
import type { Recorded } from '../../domain/core/decider.ts';
import { listParked, retryParked } from '../../projections/engine/parked.ts';
import { rebuild } from '../../projections/engine/rebuild.ts';
import { counted, counterModel, newIds } from './counters.ts';
import { useWorld, world } from './world.ts';

useWorld({ amongOthers: true });

const never = new AbortController().signal;

/** A model that cannot apply the label `poison` until it is repaired. */
const fragile = (refuse: () => never) => {
  const state = { broken: true };
  const check = ({ data }: Recorded) => {
    if (state.broken && 'label' in data && data.label === 'poison') refuse();
  };
  return { model: counterModel({ check }), state };
};
const poison = () => {
  throw new Error('cannot take this');
};

describe('an event that a model cannot apply', () => {
  it('parks its stream; other streams continue', async () => {
    const [bad = '', good = ''] = newIds(2);
    const { model } = fragile(poison);
    const healthy = counterModel({ name: 'healthy_counters' });
    const projector = world.project(model, healthy);
    await world.append(good, counted(1, 'x'));
    await world.append(bad, counted(1, 'a'), counted(1, 'poison'), counted(1, 'c'));
    await world.append(good, counted(1, 'y'));
    await world.append(bad, counted(1, 'd'));
    await world.projected(await world.append(good, counted(1, 'z')));
    await projector.stop();
    const labels = new Map((await world.rows()).map((row) => [row.id, row.labels]));
    expect(labels).toEqual(
      new Map([
        [bad, 'a'],
        [good, 'xyz'],
      ]),
    );
    const elsewhere = new Map((await world.rows('healthy_counters')).map((row) => [row.id, row.labels]));
    expect(elsewhere).toEqual(
      new Map([
        [bad, 'apoisoncd'],
        [good, 'xyz'],
      ]),
    );
    expect(await listParked(world.pool)).toMatchObject([
      { model: 'counters', stream: `counter-${bad}`, revision: 1, type: 'Counted', reason: 'cannot take this' },
    ]);
  });

  it('is left out of a verification, with the later events of its stream', async () => {
    const [bad = ''] = newIds(1);
    const { model } = fragile(poison);
    const projector = world.project(model);
    await world.projected(await world.append(bad, counted(1, 'a'), counted(1, 'poison'), counted(1, 'c')));
    await projector.stop();
    expect(await rebuild(world, model, { mode: 'verify', signal: never })).toEqual({ events: 3, differences: 0 });
  });

  it('stays parked while it fails, and is applied in order once the program is repaired', async () => {
    const [bad = ''] = newIds(1);
    const stream = `counter-${bad}`;
    const { model, state } = fragile(poison);
    const projector = world.project(model);
    await world.projected(await world.append(bad, counted(1, 'a'), counted(1, 'poison'), counted(1, 'c')));
    expect(await retryParked(world, model, stream)).toBe('cannot take this');
    expect(await listParked(world.pool)).toMatchObject([{ stream, revision: 1 }]);
    expect(await world.rows()).toMatchObject([{ labels: 'a' }]);

    state.broken = false;
    const during = world.append(bad, counted(1, 'd'));
    expect(await retryParked(world, model, stream)).toBeUndefined();
    await world.projected(await during);
    await world.projected(await world.append(bad, counted(1, 'e')));
    await projector.stop();
    expect(await listParked(world.pool)).toEqual([]);
    expect(await world.rows()).toMatchObject([{ labels: 'apoisoncde', total: 5 }]);
    expect(await rebuild(world, model, { mode: 'verify', signal: never })).toMatchObject({ differences: 0 });
  });

  it('a retry stops at the next event that cannot be applied', async () => {
    const [bad = ''] = newIds(1);
    const { model } = fragile(poison);
    const projector = world.project(model);
    await world.projected(await world.append(bad, counted(1, 'poison'), counted(1, 'b'), counted(1, 'poison')));
    await projector.stop();
    const repaired = counterModel({
      check: ({ revision }) => {
        if (revision === 2n) throw new Error('nor this');
      },
    });
    expect(await retryParked(world, repaired, `counter-${bad}`)).toBe('nor this');
    expect(await listParked(world.pool)).toMatchObject([{ revision: 2, reason: 'nor this' }]);
    expect(await world.rows()).toMatchObject([{ labels: 'poisonb' }]);
  });

  it.each([
    [
      'an error of the runtime with a code',
      () => {
        throw new TypeError(Buffer.alloc(1).toString('nothing' as 'hex'));
      },
    ],
    [
      'something that is no error',
      () => {
        throw 'text';
      },
    ],
  ])('is parked whatever the handler throws: %s', async (_, refuse) => {
    const [bad = '', good = ''] = newIds(2);
    const { model } = fragile(refuse);
    const projector = world.project(model);
    await world.append(bad, counted(1, 'poison'));
    await world.projected(await world.append(good, counted()));
    await projector.stop();
    expect(await listParked(world.pool)).toMatchObject([{ stream: `counter-${bad}` }]);
    expect(await world.rows()).toMatchObject([{ id: good }]);
  });

  it('is parked when the table refuses the row', async () => {
    const [big = '', good = ''] = newIds(2);
    const odd = 'not-an-id';
    const projector = world.project(counterModel());
    await world.append(
      big,
      counted(Number.MAX_SAFE_INTEGER),
      ...Array.from({ length: 1_100 }, () => counted(Number.MAX_SAFE_INTEGER)),
    );
    await world.append(odd, counted(1, 'a'));
    await world.projected(await world.append(good, counted()));
    await projector.stop();
    expect((await listParked(world.pool)).map(({ stream }) => stream).toSorted()).toEqual(
      [big, odd].map((id) => `counter-${id}`).toSorted(),
    );
    expect((await world.rows()).map(({ id }) => id)).toContain(good);
  });
});
