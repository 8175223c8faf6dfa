/** Events that come one by one, fast, are handled together, and none is passed over. */
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import type { CoreDeps } from '../../commands/core/deps.ts';
import { handleEvents, policy } from '../../commands/core/policy.ts';
import { createPolicyQueue, type Portion } from '../../commands/core/policyQueue.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { until } from '../kit/until.ts';

/** One event that the policy has no handler for: what matters is which ones it takes together. */
const portion = (n: number): Portion => ({
  events: [{ stream: `booking-${n}`, type: 'BookingCreated' } as Portion['events'][number]],
  unreadable: [],
  position: { commit: BigInt(n), prepare: BigInt(n) },
  last: undefined,
});

/** How often a policy handled something, of two events that come one after the other and two that follow at once. */
const timesHandled = async (): Promise<number> => {
  let times = 0;
  const deps = { now: () => '', pool: {} } as unknown as CoreDeps;
  const retry = {} as Parameters<typeof createPolicyQueue>[2];
  const queue = createPolicyQueue(deps, policy('watching', {}), retry, new AbortController().signal, () => {
    times += 1;
  });
  queue.add(portion(1));
  await queue.idle();
  queue.add(portion(2));
  await queue.idle();
  queue.add(portion(3));
  await Promise.resolve();
  queue.add(portion(4));
  await queue.idle();
  return times;
};

it('waits for the next events when two came shortly after each other, and not before', async () => {
  // On a busy machine the second may come too late to count as shortly after the first.
  const rounds: number[] = [];
  while (rounds.length < 5) rounds.push(await timesHandled());
  expect(Math.min(...rounds)).toBe(3);
});

it('has not handled what it could not handle before its end, though nothing for it comes after that', async () => {
  let attempts = 0;
  const failing = policy('failing', {
    BookingCreated: async () => {
      attempts += 1;
      throw new StoreUnavailable('the event store is away');
    },
  });
  const deps = { now: () => '', pool: {}, log: pino({ level: 'silent' }) } as unknown as CoreDeps;
  const ending = new AbortController();
  const retry = {} as Parameters<typeof createPolicyQueue>[2];
  const queue = createPolicyQueue(deps, failing as never, retry, ending.signal, () => undefined);
  const { events } = portion(1);
  const event = { ...events[0], meta: { correlationId: '' } } as Portion['events'][number];
  queue.add({ ...portion(1), events: [event] });
  await until(() => attempts > 0);
  ending.abort();
  await queue.idle();
  // The subscription ends a moment later, and has read on until then.
  queue.add({ events: [], unreadable: [], position: { commit: 2n, prepare: 2n }, last: undefined });
  expect(queue.handled()).toBeUndefined();
});

it('leaves an event whose handler hangs to a retry job, and goes on', async () => {
  vi.useFakeTimers();
  try {
    const left: string[] = [];
    const hanging = policy('hanging', { BookingCreated: () => new Promise<void>(() => undefined) });
    const deps = { now: () => '', pool: {}, log: pino({ level: 'silent' }) } as unknown as CoreDeps;
    const retry = { schedule: async (_: unknown, __: unknown, { id }: { id: string }) => void left.push(id) };
    const meta = { correlationId: '' } as Recorded['meta'];
    const event = { id: 'e', stream: 's', type: 'BookingCreated', revision: 0n, meta } as Recorded;
    const handling = handleEvents(deps, hanging as never, retry, { events: [event], unreadable: [] });
    await vi.advanceTimersByTimeAsync(60_000);
    await handling;
    expect(left).toEqual(['hanging:e']);
  } finally {
    vi.useRealTimers();
  }
});
