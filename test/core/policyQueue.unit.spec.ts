/** Events that come one by one, fast, are handled together. */
import { expect, it } from 'vitest';
import type { CoreDeps } from '../../commands/core/deps.ts';
import { policy } from '../../commands/core/policy.ts';
import { createPolicyQueue, type Portion } from '../../commands/core/policyQueue.ts';

const position = { commit: 1n, prepare: 1n };
/** One event that the policy has no handler for: what matters is which ones it takes together. */
const portion = (n: number): Portion => ({
  events: [{ stream: `booking-${n}`, type: 'BookingCreated' } as Portion['events'][number]],
  unreadable: [],
  position,
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
