/** Events that cannot be read: each stops its own stream only, for the models that need it. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../eventstore/client/index.ts';
import { consumerLags } from '../../eventstore/lag.ts';
import { watchConsumers } from '../../ops/consumers.ts';
import { listParked, retryParked } from '../../projections/engine/parked.ts';
import { rebuild } from '../../projections/engine/rebuild.ts';
import { until } from '../kit/until.ts';
import { type Counters, counted, counterModel, counters, groupsOf, newIds } from './counters.ts';
import { useWorld, world } from './world.ts';

useWorld({ amongOthers: true });

const never = new AbortController().signal;
const model = counterModel();

/** Appends an event that was changed after it was encoded, after `before` readable ones. */
const appendChanged = async (id: string, before: number, change: (event: NewEvent) => Partial<NewEvent>) => {
  if (before > 0) await world.append(id, ...Array.from({ length: before }, () => counted(1, 'r')));
  const stream = `counter-${id}`;
  const about = {
    correlationId: '1',
    causationId: '1',
    commandId: randomUUID(),
    ip: null,
    at: new Date().toISOString(),
  };
  const actor = { kind: 'system', id: 'test', role: 'system' } as const;
  const [event] = await world.codec.encode(stream, [counted(1, 'x')], { ...about, actor });
  if (!event) throw new Error('an event');
  const expected = before === 0 ? 'no_stream' : BigInt(before - 1);
  await world.store.append(stream, [{ ...event, ...change(event) }], expected);
  await world.store.append(stream, [{ ...event, id: randomUUID() }], BigInt(before));
};

describe('an event that cannot be read', () => {
  it.each<[string, (event: NewEvent) => Partial<NewEvent>, string]>([
    ['an unknown type', () => ({ type: 'Guessed' }), 'unknown event type Guessed'],
    ['a newer version', ({ metadata }) => ({ metadata: { ...metadata, schema: 9 } }), 'newer than this program'],
    ['another shape', () => ({ data: { by: 'one' } }), 'does not fit'],
    ['metadata of others', () => ({ metadata: {} as never }), 'invalid metadata'],
  ])('with %s is parked with the rest of its stream; others go on', async (_, change, reason) => {
    const [bad = '', good = ''] = newIds(2);
    await appendChanged(bad, 2, change);
    const projector = world.project(model);
    await world.projected(await world.append(good, counted(1, 'a')));
    await projector.stop();
    const labels = new Map((await world.rows()).map((row) => [row.id, row.labels]));
    expect(labels).toEqual(
      new Map([
        [bad, 'rr'],
        [good, 'a'],
      ]),
    );
    expect(await listParked(world.pool)).toMatchObject([
      { model: 'counters', stream: `counter-${bad}`, revision: 2, reason: expect.stringContaining(reason) },
    ]);
    expect(await retryParked(world, model, `counter-${bad}`)).toContain(reason);
  });

  it('is left out of a rebuild and of a verification, which then agree with live', async () => {
    const [bad = '', good = ''] = newIds(2);
    await appendChanged(bad, 1, () => ({ type: 'Guessed' }));
    const projector = world.project(model);
    await world.projected(await world.append(good, counted()));
    await projector.stop();
    const before = await listParked(world.pool);
    expect(await rebuild(world, model, { mode: 'verify', signal: never })).toMatchObject({ differences: 0 });
    expect(await rebuild(world, model, { mode: 'rebuild', signal: never, page: 2 })).toMatchObject({ differences: 0 });
    expect(await listParked(world.pool)).toMatchObject(before.map(({ parked_at: _, ...same }) => same));
  });

  it('is applied by itself once a program starts that can read it', async () => {
    const [id = ''] = newIds(1);
    await appendChanged(id, 0, ({ data }) => ({ data: { ...data, by: 'one' } }));
    const projector = world.project(model);
    await until(async () => (await listParked(world.pool)).length === 1);
    await projector.stop();
    // A release that reads this shape: here the codec's answer stands for its upcaster.
    const repaired: Counters['codec'] = {
      ...world.codec,
      decodeEach: (stored, options) =>
        world.codec.decodeEach(
          stored.map((event) => ({ ...event, data: { ...event.data, by: 1 } })),
          options,
        ),
    };
    const later = counters(world, repaired).project(model);
    await until(async () => (await listParked(world.pool)).length === 0);
    await later.stop();
    expect(await world.rows()).toMatchObject([{ id, total: 2 }]);
  });
});

describe('the lag', () => {
  it('shows a consumer that has stopped, and one that never started', async () => {
    const [id = ''] = newIds(1);
    const projector = world.project(model);
    await world.projected(await world.append(id, counted()));
    await projector.stop();
    const name = groupsOf()[0]?.name ?? '';
    const watch = watchConsumers(world, [name], { everyMs: 5, patienceMs: 50 });
    const names = [name, 'policy:never'];
    expect(await consumerLags(world, names, 10)).toMatchObject([{ events: 0 }, { events: 1, position: null }]);
    await until(() => watch.faults().length === 0);
    await world.append(id, counted());
    await until(() => watch.faults().some((fault) => fault.startsWith(`${name} has stopped`)));
    const again = world.project(model);
    await until(() => watch.faults().length === 0);
    await again.stop();
    await watch.stop();
  });
});
