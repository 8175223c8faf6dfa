/** Runs a funnel: asks the database for the steps of some days at a time, and folds them while it looks for the next. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Rejected } from '../../domain/core/decider.ts';
import { groupBy } from '../../infra/groupBy.ts';
import type { PoolClient } from '../../infra/postgres.ts';
import { foldFunnel } from './funnelFold.ts';
import { type PackedSteps, stepsStatement } from './funnelSql.ts';
import type { FunnelGroup, FunnelQuery } from './store.ts';

/** Steps of so long are in memory at a time, and those of as long are being looked for. */
const SLICE_MS = 7 * 86_400_000;
/** Of all statements together. */
const PATIENCE_MS = 30_000;

export const tooMuch = (): Rejected =>
  new Rejected('invalid', 'Counting this takes too long. Ask for a shorter period.');

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

/** @throws Rejected `invalid` for more than can be counted in time */
export const countFunnel = async (client: PoolClient, query: FunnelQuery): Promise<FunnelGroup[]> => {
  const fold = foldFunnel(query);
  const slices = slicesOf(query);
  const until = performance.now() + PATIENCE_MS;
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
    for (const hour of groupBy(rows, ({ hour }) => hour).values()) {
      fold.take(hour);
      await nextTurn();
    }
  }
  return fold.groups();
};
