/** Deciding on a real log with others around: their conflicts, their caches, their repeats, their crowds. */
import { randomUUID } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CachedAggregates, type CommandContext, createAggregates, followUp } from '../../commands/core/handle.ts';
import {
  type Decider,
  type EventDeclarations,
  type EventsOf,
  type Position,
  Rejected,
} from '../../domain/core/decider.ts';
import { type EventStore, StoreUnavailable, WrongExpectedRevision } from '../../eventstore/client/index.ts';
import { type Codec, createCodec } from '../../eventstore/codec.ts';
import { Overloaded } from '../../infra/keyedQueue.ts';
import { metrics, registry } from '../../infra/metrics.ts';
import { countingStore } from '../kit/counts.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { WAIT_MS } from '../kit/until.ts';

const CAPACITY = 10;
const seatEvents = {
  SeatTaken: { data: Type.Object({ guest: Type.String() }) },
  SeatLeft: { data: Type.Object({ guest: Type.String() }) },
} as const satisfies EventDeclarations;
type SeatEvent = EventsOf<typeof seatEvents>;
type SeatCommand = { readonly type: 'TakeSeat' | 'LeaveSeat'; readonly guest: string };

/** A table of ten: what must never be oversold. */
const table: Decider<readonly string[], SeatCommand, SeatEvent> = {
  category: 'table',
  short: 'a spec',
  events: seatEvents,
  initial: [],
  decide: ({ type, guest }, seated) => {
    const isSeated = seated.includes(guest);
    if (type === 'LeaveSeat') return isSeated ? [{ type: 'SeatLeft', data: { guest } }] : [];
    if (isSeated) return [];
    if (seated.length === CAPACITY) throw new Rejected('sold_out', 'the table is full');
    return [{ type: 'SeatTaken', data: { guest } }];
  },
  evolve: (seated, { type, data: { guest } }) =>
    type === 'SeatTaken' ? [...seated, guest] : seated.filter((other) => other !== guest),
};
const take = (guest: string): SeatCommand => ({ type: 'TakeSeat', guest });
const leave = (guest: string): SeatCommand => ({ type: 'LeaveSeat', guest });

const context = (settled: Position[] = []): CommandContext => ({
  correlationId: randomUUID(),
  causationId: randomUUID(),
  commandId: randomUUID(),
  actor: { kind: 'system', id: 'test', role: 'system' },
  ip: null,
  at: '2026-01-01T00:00:00.000Z',
  onSettled: (position) => settled.push(position),
});

let stores: Stores;
let codec: Codec;
/** With a cache of its own. */
const aProcess = (store: EventStore = stores.store, options = {}): CachedAggregates =>
  createAggregates(store, codec, options);
/** One whose commands wait for each other as long as a busy machine takes. */
const aPatientProcess = (): CachedAggregates => aProcess(stores.store, { queue: { patienceMs: WAIT_MS } });
beforeAll(async () => {
  stores = await freshStores();
  codec = createCodec(seatEvents, stores.vault);
});

const guests = (count: number) => Array.from({ length: count }, (_, n) => `guest ${n}`);
const inLog = async (id: string) => stores.store.read(`table-${id}`);
const conflicts = async () => (await metrics.commandConflicts.get()).values.reduce((sum, { value }) => sum + value, 0);

describe('the first attempt of a command', () => {
  const first = (): CommandContext => ({ ...context(), isFirstAttempt: true });

  it('appends to a new stream without reading it', async () => {
    const { store, counted } = countingStore(stores.store);
    const [one, id] = [aProcess(store), randomUUID()];
    const { state, revision } = await one.handle(table, id, take('anna'), first());
    expect([state, revision]).toEqual([['anna'], 0n]);
    expect(counted.calls).toEqual(['append table']);
  });

  it('is decided on what a stream has that is not new after all', async () => {
    const [other, id] = [aProcess(), randomUUID()];
    for (const guest of guests(CAPACITY - 1)) await other.handle(table, id, take(guest), context());
    expect((await aProcess().handle(table, id, leave('guest 0'), first())).events).toHaveLength(1);
    expect((await aProcess().handle(table, id, take('guest 1'), first())).events).toEqual([]);
    for (const guest of ['anna', 'bert']) await aProcess().handle(table, id, take(guest), first());
    await expect(aProcess().handle(table, id, take('late'), first())).rejects.toMatchObject({ code: 'sold_out' });
    expect(await inLog(id)).toHaveLength(CAPACITY + 2);
  });
});

describe('a state that may be of a while ago', () => {
  it('is read once within that time, and after an append here is the new one', async () => {
    const { store, counted } = countingStore(stores.store);
    const [one, other, id] = [aProcess(store), aProcess(), randomUUID()];
    const load = (maxAgeMs: number) => one.load(table, id, { maxAgeMs });
    expect((await load(60_000)).state).toEqual([]);
    await other.handle(table, id, take('anna'), context());
    expect((await load(60_000)).state).toEqual([]);
    expect(counted.calls).toEqual(['read table']);
    expect((await load(0)).state).toEqual(['anna']);
    await one.handle(table, id, take('bert'), context());
    counted.calls.length = 0;
    expect((await load(60_000)).state).toEqual(['anna', 'bert']);
    expect(counted.calls).toEqual([]);
  });

  it('is never what a command is decided on', async () => {
    const [one, other, id] = [aProcess(), aProcess(), randomUUID()];
    await one.load(table, id, { maxAgeMs: 60_000 });
    for (const guest of guests(CAPACITY)) await other.handle(table, id, take(guest), context());
    await one.load(table, id, { maxAgeMs: 60_000 });
    await expect(one.handle(table, id, take('late'), context())).rejects.toMatchObject({ code: 'sold_out' });
  });
});

describe('two processes', () => {
  it('never sell more than there is, and sell all of it', async () => {
    const [one, two, id] = [aPatientProcess(), aPatientProcess(), randomUUID()];
    const before = await conflicts();
    const outcomes = await Promise.allSettled(
      guests(60).map((guest, n) => (n % 2 ? one : two).handle(table, id, take(guest), context())),
    );
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(60 - CAPACITY);
    for (const { reason } of refused as PromiseRejectedResult[]) expect(reason).toMatchObject({ code: 'sold_out' });
    expect(await inLog(id)).toHaveLength(CAPACITY);
    expect((await one.load(table, id)).state).toEqual((await two.load(table, id)).state);
    expect(await conflicts()).toBeGreaterThan(before);
  });

  it('do not refuse because of a cached state that the other has changed', async () => {
    const [one, two, id] = [aProcess(), aProcess(), randomUUID()];
    for (const guest of guests(CAPACITY)) await one.handle(table, id, take(guest), context());
    await expect(one.handle(table, id, take('late'), context())).rejects.toThrow(Rejected);
    await two.handle(table, id, leave('guest 3'), context());
    expect((await one.handle(table, id, take('late'), context())).state).toContain('late');
    await expect(two.handle(table, id, take('later'), context())).rejects.toThrow(Rejected);
  });

  it('do not treat a command as applied because of a cached state that the other has changed', async () => {
    const [one, two, id] = [aProcess(), aProcess(), randomUUID()];
    await one.handle(table, id, take('anna'), context());
    await two.handle(table, id, leave('anna'), context());
    const again = await one.handle(table, id, take('anna'), context());
    expect(again.events).toHaveLength(1);
    expect(again.revision).toBe(2n);
  });

  it('load what the other wrote', async () => {
    const [one, two, id] = [aProcess(), aProcess(), randomUUID()];
    expect(await one.load(table, id)).toEqual({ state: [], revision: null, position: null });
    const { position } = await two.handle(table, id, take('anna'), context());
    expect(await one.load(table, id)).toEqual({ state: ['anna'], revision: 0n, position });
  });
});

describe('a command', () => {
  it('that was appended but not answered gives the same events when repeated, in any process', async () => {
    const id = randomUUID();
    let losesAnswers = true;
    const flaky: EventStore = {
      ...stores.store,
      append: async (...append) => {
        const appended = await stores.store.append(...append);
        if (losesAnswers) throw new StoreUnavailable('the answer was lost');
        return appended;
      },
    };
    const process = aProcess(flaky);
    const same = context();
    await expect(process.handle(table, id, take('anna'), same)).rejects.toThrow(StoreUnavailable);
    losesAnswers = false;
    for (const each of [process, aProcess()])
      expect(await each.handle(table, id, take('anna'), same)).toMatchObject({ events: [], state: ['anna'] });
    expect(await inLog(id)).toHaveLength(1);
  });

  it('on a condition is not refused because of what it has changed itself, and is because of others', async () => {
    const id = randomUUID();
    const onlyAt = { stream: `table-${id}`, revisions: [0] };
    await aProcess().handle(table, id, take('anna'), context());
    const once = { ...context(), onlyAt };
    await aProcess().handle(table, id, take('bert'), once);
    expect((await aProcess().handle(table, id, take('bert'), once)).events).toEqual([]);
    const another = aProcess().handle(table, id, take('bert'), { ...context(), onlyAt });
    await expect(another).rejects.toMatchObject({ code: 'outdated_revision' });
    await aProcess().handle(table, id, leave('bert'), context());
    expect((await aProcess().handle(table, id, take('bert'), once)).events).toEqual([]);
    expect(await inLog(id)).toHaveLength(3);
  });

  it('that comes again and leads to other events gives them ids of their own', async () => {
    const [process, id, same] = [aProcess(), randomUUID(), context()];
    await process.handle(table, id, take('anna'), same);
    await process.handle(table, id, leave('anna'), context());
    await process.handle(table, id, take('anna'), same);
    const ids = (await inLog(id)).map((event) => event.id);
    expect(new Set(ids).size).toBe(3);
  });

  it('reports the log position of its outcome, also when it was already applied', async () => {
    const id = randomUUID();
    const settled: Position[] = [];
    const process = aProcess();
    const { position } = await process.handle(table, id, take('anna'), context(settled));
    await process.handle(table, id, take('anna'), context(settled));
    await aProcess().handle(table, id, take('anna'), context(settled));
    expect(settled).toEqual([position, position, position]);
    await process.handle(table, randomUUID(), leave('nobody'), context(settled));
    expect(settled).toHaveLength(3);
  });

  it('derives the ids of follow-up commands: the same each time, different for each step', () => {
    const first = context();
    const ids = ['hold', 'release'].map((step) => followUp(first, step).commandId);
    expect(new Set([first.commandId, ...ids]).size).toBe(3);
    expect(followUp(first, 'hold')).toMatchObject({
      commandId: ids[0],
      causationId: first.commandId,
      correlationId: first.correlationId,
    });
    const nested = followUp(followUp(first, 'hold'), 'release');
    expect(ids).not.toContain(nested.commandId);
    expect(nested.causationId).toBe(ids[0]);
  });

  it('decides on the whole of a long stream', async () => {
    const id = randomUUID();
    const events = Array.from({ length: 4_500 }, (_, n) => ({
      type: n % 2 ? 'SeatLeft' : 'SeatTaken',
      data: { guest: `guest ${n - (n % 2)}` },
    }));
    for (let n = 0; n < events.length; n += 500) {
      const encoded = await codec.encode(`table-${id}`, events.slice(n, n + 500), context());
      await stores.store.append(`table-${id}`, encoded, n === 0 ? 'no_stream' : BigInt(n - 1));
    }
    expect(await aProcess().handle(table, id, take('anna'), context())).toMatchObject({
      state: ['anna'],
      revision: 4_500n,
    });
  });

  it('is measured by its outcome', async () => {
    registry.resetMetrics();
    const [process, id] = [aProcess(), randomUUID()];
    for (const guest of [...guests(CAPACITY), 'guest 0']) await process.handle(table, id, take(guest), context());
    await expect(process.handle(table, id, take('late'), context())).rejects.toThrow(Rejected);
    const text = await registry.getSingleMetricAsString('command_seconds');
    for (const counted of ['outcome="done"} 10', 'outcome="unchanged"} 1', 'outcome="sold_out"} 1'])
      expect(text).toContain(`command_seconds_count{command="TakeSeat",${counted}`);
  });

  it('gives up for now when others always append first', async () => {
    let attempts = 0;
    const contended: EventStore = {
      ...stores.store,
      append: () => {
        attempts += 1;
        return Promise.reject(new WrongExpectedRevision('somebody was first'));
      },
    };
    const handling = aProcess(contended).handle(table, randomUUID(), take('anna'), context());
    const error = await handling.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'unavailable' });
    // What reacts to a refusal, for example with a refund, must not do so.
    expect(error).not.toBeInstanceOf(Rejected);
    expect(attempts).toBe(51);
  });
});

describe('a process that forgets what it knows', () => {
  /** A store whose reads go on only after `meanwhile`, and that notes from where it is read. */
  const interrupted = (meanwhile: () => void) => {
    const from: bigint[] = [];
    const store: EventStore = {
      ...stores.store,
      read: async (stream, options) => {
        from.push(options?.from ?? 0n);
        const page = await stores.store.read(stream, options);
        meanwhile();
        return page;
      },
      append: async (...append) => {
        const appended = await stores.store.append(...append);
        meanwhile();
        return appended;
      },
    };
    return { store, from };
  };

  it('keeps nothing of what it began to read or to decide on before', async () => {
    const id = randomUUID();
    await aProcess().handle(table, id, take('anna'), context());
    let forget = (): void => undefined;
    const { store, from } = interrupted(() => forget());
    const process = aProcess(store);
    forget = () => process.forget();
    await process.load(table, id);
    forget = () => undefined;
    await process.load(table, id);
    expect(from).toEqual([0n, 0n]);
    forget = () => process.forget();
    await process.handle(table, id, take('bert'), context());
    forget = () => undefined;
    expect((await process.load(table, id)).state).toEqual(['anna', 'bert']);
    expect(from.at(-1)).toBe(0n);
  });
});

describe('a crowd before one aggregate', () => {
  /** A store whose appends wait until they are let through. */
  const gated = () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const store: EventStore = {
      ...stores.store,
      append: async (...append) => {
        await gate;
        return stores.store.append(...append);
      },
    };
    return { store, open: () => open() };
  };

  it('is refused at once when the queue is too long, and nothing has started', async () => {
    const { store, open } = gated();
    const [process, id] = [aProcess(store, { queue: { waiting: 3 } }), randomUUID()];
    const inLine = guests(4).map((guest) => process.handle(table, id, take(guest), context()));
    await expect(process.handle(table, id, take('late'), context())).rejects.toThrow(Overloaded);
    const elsewhere = process.handle(table, randomUUID(), take('late'), context());
    open();
    expect((await Promise.all([...inLine, elsewhere])).map(({ revision }) => revision)).toEqual([0n, 1n, 2n, 3n, 0n]);
    expect((await process.handle(table, id, take('late'), context())).state).toEqual([...guests(4), 'late']);
  });

  it('is refused when the queue does not move', async () => {
    const { store, open } = gated();
    const [process, id] = [aProcess(store, { queue: { patienceMs: 50 } }), randomUUID()];
    const [first, ...others] = guests(5).map((guest) => process.handle(table, id, take(guest), context()));
    for (const outcome of await Promise.allSettled(others))
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(Overloaded) });
    open();
    await first;
    expect(await inLog(id)).toHaveLength(1);
  });

  it('is served in the order of arrival', async () => {
    const [process, id] = [aPatientProcess(), randomUUID()];
    await Promise.all(guests(CAPACITY).map((guest) => process.handle(table, id, take(guest), context())));
    expect((await process.load(table, id)).state).toEqual(guests(CAPACITY));
  });
});
