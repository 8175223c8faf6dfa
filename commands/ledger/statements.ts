/** The statement of an owner's account, from the log: commands read no read models. */
import { instantIn, nextMonth } from '../../domain/core/dates.ts';
import { type Recorded, streamName } from '../../domain/core/decider.ts';
import { addMs, HOUR_MS, isBefore } from '../../domain/core/instants.ts';
import { ledgerBalanceOf, type MonthlyStatement, statementBetween } from '../../domain/ledger/monthlyStatement.ts';
import { type OwnerAccountEvent, ownerAccount } from '../../domain/ledger/ownerAccount.ts';
import type { CoreDeps } from '../core/deps.ts';
import { timezoneAt } from '../platform/timezone.ts';
import { type AccountOf, ownerAccountId } from './ownerAccounts.ts';

const PAGE = 500;

interface Period {
  readonly from: string;
  readonly to: string;
}

/** How far clocks can be ahead of UTC, in milliseconds. */
export const AHEAD_MS = 14 * HOUR_MS;
/** When a month (`YYYY-MM`) can begin at the earliest, in whatever time zone. */
export const earliestStart = (month: string): string => addMs(`${month}-01T00:00:00Z`, -AHEAD_MS);

/**
 * When a month (`YYYY-MM`) begins and ends at the resort. Both are by the time zone that is in force when a month can begin at the
 * earliest, so that months follow each other without a gap, whenever the time zone is changed.
 */
export const monthAt = async (
  deps: Pick<CoreDeps, 'store' | 'codec'>,
  month: string,
): Promise<{ readonly period: Period; readonly timezone: string }> => {
  const next = nextMonth(month);
  const [timezone, after] = await Promise.all([
    timezoneAt(deps, earliestStart(month)),
    timezoneAt(deps, earliestStart(next)),
  ]);
  const [from, to] = [instantIn(timezone, `${month}-01`, '00:00'), instantIn(after, `${next}-01`, '00:00')];
  return { period: { from, to }, timezone };
};

/** Up to a revision, newest first, and back to a time: at most what was written since then is read, and a page. */
const eventsSince = async (
  { store, codec }: Pick<CoreDeps, 'store' | 'codec'>,
  stream: string,
  { revision, since }: { readonly revision: bigint; readonly since: string },
): Promise<Recorded<OwnerAccountEvent>[]> => {
  const found: Recorded<OwnerAccountEvent>[] = [];
  for (let from = revision; from >= 0n; from -= BigInt(PAGE)) {
    const page = await store.read(stream, { from, direction: 'backwards', max: PAGE });
    const events = await codec.decode<Recorded<OwnerAccountEvent>>(page);
    found.push(...events);
    const [oldest] = events.slice(-1);
    if (!oldest || isBefore(oldest.at, since)) break;
  }
  return found;
};

/** The statement of one month. Its lines are empty when nothing happened. */
export const statementOf = async (
  deps: Pick<CoreDeps, 'aggregates' | 'store' | 'codec'>,
  owner: AccountOf,
  period: Period,
): Promise<MonthlyStatement> => {
  const id = ownerAccountId(owner);
  const { state, revision } = await deps.aggregates.load(ownerAccount, id);
  const stream = streamName(ownerAccount.category, id);
  const events = revision === null ? [] : await eventsSince(deps, stream, { revision, since: period.from });
  return statementBetween(period, ledgerBalanceOf(state), events);
};
