/** The statement of an owner's account, from the log: commands read no read models. */
import { instantIn, nextMonth } from '../../domain/core/dates.ts';
import { type Recorded, streamName } from '../../domain/core/decider.ts';
import { isBefore } from '../../domain/core/instants.ts';
import { ledgerBalanceOf, type MonthlyStatement, statementBetween } from '../../domain/ledger/monthlyStatement.ts';
import { type OwnerAccountEvent, ownerAccount } from '../../domain/ledger/ownerAccount.ts';
import type { CoreDeps } from '../core/deps.ts';
import { type AccountOf, ownerAccountId } from './ownerAccounts.ts';

const PAGE = 500;

/** When a month (`YYYY-MM`) begins and ends in an IANA time zone. */
export const periodOf = (timezone: string, month: string): { readonly from: string; readonly to: string } => ({
  from: instantIn(timezone, `${month}-01`, '00:00'),
  to: instantIn(timezone, `${nextMonth(month)}-01`, '00:00'),
});

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
  period: { readonly from: string; readonly to: string },
): Promise<MonthlyStatement> => {
  const id = ownerAccountId(owner);
  const { state, revision } = await deps.aggregates.load(ownerAccount, id);
  const stream = streamName(ownerAccount.category, id);
  const events = revision === null ? [] : await eventsSince(deps, stream, { revision, since: period.from });
  return statementBetween(period, ledgerBalanceOf(state), events);
};
