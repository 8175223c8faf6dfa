/** Runs a funnel: asks the database for the steps of some days at a time, and folds them while it looks for the next. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Rejected } from '../../domain/core/decider.ts';
import { DAY_MS } from '../../domain/core/instants.ts';
import { groupBy } from '../../infra/groupBy.ts';
import type { PoolClient } from '../../infra/postgres.ts';
import { type FunnelAttempts, foldAttempts } from './funnelAttempts.ts';
import { type PackedSteps, stepsStatement } from './funnelSql.ts';
import { FunnelTally } from './funnelTally.ts';
import type { FunnelGroup, FunnelQuery } from './store.ts';

/** Steps of this long are in memory at a time, and those of as long are being looked for. */
const SLICE_MS = 7 * DAY_MS;
/** Of all statements together. */
const PATIENCE_MS = 30_000;

export const tooMuch = (): Rejected =>
  new Rejected('invalid', 'Counting this takes too long. Ask for a shorter period.', { fields: ['from', 'to'] });

interface Slice {
  readonly from: number;
  readonly to: number;
}
const slicesOf = ({ from, to, windowS }: FunnelQuery): Slice[] => {
  const [begin, end] = [Date.parse(from), Date.parse(to) + windowS * 1_000];
  return Array.from({ length: Math.ceil((end - begin) / SLICE_MS) }, (_, n) => ({
    from: begin + n * SLICE_MS,
    to: Math.min(begin + (n + 1) * SLICE_MS, end),
  }));
};

/**
 * Has the database gather what belongs together in tables of hashes, as sorting it first takes as long again, and plan for the
 * dates of each slice: a plan for any dates scans all partitions.
 */
const PLANS = 'set local enable_sort = off; set local plan_cache_mode = force_custom_plan';

/** @throws Rejected `invalid` for more than can be counted in time */
export const countFunnel = async (client: PoolClient, query: FunnelQuery): Promise<FunnelGroup[]> => {
  const parts = new Map<number, FunnelAttempts>();
  const slices = slicesOf(query);
  const until = performance.now() + PATIENCE_MS;
  await client.query(PLANS);
  const ask = async (slice: Slice | undefined): Promise<PackedSteps[]> => {
    if (!slice) return [];
    const { text, values } = stepsStatement(query, slice.from, slice.to);
    return (await client.query<PackedSteps>(text, [...values])).rows;
  };
  let next = ask(slices[0]);
  for (const [n] of slices.entries()) {
    const rows = await next;
    if (performance.now() > until) throw tooMuch();
    next = ask(slices[n + 1]);
    next.catch(() => undefined); // awaited above, after the folding
    for (const [part, steps] of groupBy(rows, (row) => row.part)) {
      const attempts = parts.get(part) ?? foldAttempts(query);
      parts.set(part, attempts);
      attempts.take(steps);
      await nextTurn();
    }
  }
  const tally = new FunnelTally(query.steps.length);
  for (const attempts of parts.values()) {
    attempts.countInto(tally);
    await nextTurn();
  }
  return tally.groups();
};
