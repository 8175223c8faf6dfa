/** The ledger, line by line: every posting of every event that moves money. Lines never change. */

import { type Static, Type } from '@sinclair/typebox';
import { type RawBuilder, sql } from 'kysely';
import type { Recorded } from '../../domain/core/decider.ts';
import { Currency, Instant, Minor, type MinorSum, Nullable, Uuid } from '../../domain/core/schema.ts';
import { ledgerPurpose } from '../../domain/ledger/index.ts';
import { account as accountNames, ownerAccounts, ownerOf } from '../../domain/ledger/ledger.ts';
import { forTheBooks } from '../../infra/personalData.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { filtersOf, type ReadDb, tableOf, tables } from '../engine/readDb.ts';
import { type EventWith, onEventsWith, readModel } from '../engine/readModel.ts';
import { ledgerDays } from './days.ts';

type MoneyEvent = Recorded<EventWith<'postings'>>;

const payoutOf = ({ data }: MoneyEvent): string | null => ('payoutId' in data ? data.payoutId : null);

const Row = Type.Object({
  event_id: Uuid,
  /** The number of the posting in the event, from 0. */
  line: Type.Integer(),
  account: Type.String(),
  /** The owner of the account; null for accounts of the platform. */
  owner_id: Nullable(Uuid),
  /** Debits positive, credits negative. */
  amount_minor: Minor,
  currency: Currency,
  /** The type of the event. */
  type: Type.String(),
  payment_id: Nullable(Uuid),
  /** The booking or purchase that the line is about, if there is one. */
  item_id: Nullable(Uuid),
  payout_id: Nullable(Uuid),
  at: Instant,
  /** The position in the log: the order of the ledger. */
  commit: Type.Integer(),
  prepare: Type.Integer(),
});
export type LedgerEntryRow = Static<typeof Row>;

export const ledgerEntries = readModel('ledger_entries', {
  version: 1,
  row: Row,
  key: ['event_id', 'line'],
  insertOnly: true,
  personalData: { whose: 'owner_id', why: ledgerPurpose, retention: forTheBooks },
  on: onEventsWith('postings', {
    keys: ({ id, data }) => data.postings.map((_, line) => ({ event_id: id, line })),
    fold: (_, event, { event_id, line }): LedgerEntryRow => {
      const { type, category, streamId, data, at, position } = event;
      const posting = data.postings[line];
      if (!posting) throw new RangeError(`${type} has no posting ${line}`);
      return {
        event_id,
        line,
        account: posting.account,
        owner_id: ownerOf(posting.account),
        amount_minor: posting.amountMinor,
        currency: data.currency,
        type,
        payment_id: category === 'payment' ? streamId : null,
        item_id: posting.itemId ?? null,
        payout_id: payoutOf(event),
        at,
        commit: Number(position.commit),
        prepare: Number(position.prepare),
      };
    },
  }),
  indexes: [
    'commit desc, prepare desc, line',
    'at',
    'owner_id, currency, commit',
    'owner_id, currency, at',
    'account, commit',
    'payment_id',
    'item_id',
  ],
});

export interface EntryFilter extends Paging {
  readonly account?: string | undefined;
  readonly ownerId?: string | undefined;
  readonly paymentId?: string | undefined;
  /** Instants; `to` is not included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Newest first; the lines of one event stay in their order. */
export const listEntries = (db: ReadDb, filter: EntryFilter): Promise<Page<LedgerEntryRow>> => {
  const { account, ownerId, paymentId, from, to, ...paging } = filter;
  const equal = filtersOf({ account, owner_id: ownerId, payment_id: paymentId });
  const matching = tables(db, ledgerEntries)
    .selectFrom('ledger_entries')
    .where((q) => q.and(equal))
    .$if(from !== undefined, (q) => q.where('at', '>=', from ?? ''))
    .$if(to !== undefined, (q) => q.where('at', '<', to ?? ''));
  const ordered = matching.selectAll().orderBy('commit', 'desc').orderBy('prepare', 'desc').orderBy('line');
  return pageOf(db, ordered, paging);
};

export interface StatementFilter extends Paging {
  readonly ownerId: string;
  readonly currency: string;
  /** One of the owner's accounts; by default all of them together. */
  readonly account?: string | undefined;
  /** Instants; `to` is not included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** A line as its owner sees it: money that the owner gets is positive. */
type StatementLine = LedgerEntryRow & { readonly balance_minor: MinorSum };

export interface Statement extends Page<StatementLine> {
  readonly openingMinor: MinorSum;
  readonly closingMinor: MinorSum;
}

/** What an owner had on some accounts before an instant, positive: the days before its day (UTC), and its day's lines before it. */
const balanceBefore = (
  instant: RawBuilder<unknown>,
  {
    ownerId,
    currency,
    accounts,
  }: Pick<StatementFilter, 'ownerId' | 'currency'> & { readonly accounts: readonly string[] },
) => {
  const isTheirs = sql`currency = ${currency} and account = any(${accounts})`;
  // Sessions run in UTC.
  const day = sql`${instant}::date`;
  return sql<MinorSum>`(0
    - coalesce((select sum(change_minor) from ${tableOf(ledgerDays)} where ${isTheirs}
        and day < ${day}), 0)
    - coalesce((select sum(amount_minor) from ${tableOf(ledgerEntries)} where owner_id = ${ownerId} and ${isTheirs}
        and at >= ${day} and at < ${instant}), 0))::bigint`;
};

/** The lines of an owner in a period, oldest first, each with the balance after it. */
export const statementOf = async (db: ReadDb, filter: StatementFilter): Promise<Statement> => {
  const { ownerId, currency, account, from, to, ...paging } = filter;
  const accounts = account === undefined ? ownerAccounts.map((kind) => accountNames[kind](ownerId)) : [account];
  const before = (instant: RawBuilder<unknown>) => balanceBefore(instant, { ownerId, currency, accounts });
  const end = sql`${to ?? 'infinity'}::timestamptz`;
  const begin = sql`least(${from ?? '-infinity'}::timestamptz, ${end})`;
  const { opening, closing } = await db
    .selectNoFrom([before(begin).as('opening'), before(end).as('closing')])
    .executeTakeFirstOrThrow();
  const running = sql<MinorSum>`(${opening}::bigint - sum(amount_minor) over (order by commit, prepare, line))::bigint`;
  const lines = tables(db, ledgerEntries)
    .selectFrom('ledger_entries')
    .where('owner_id', '=', ownerId)
    .where('currency', '=', currency)
    .$if(account !== undefined, (q) => q.where('account', '=', account ?? ''))
    .$if(from !== undefined, (q) => q.where('at', '>=', from ?? ''))
    .$if(to !== undefined, (q) => q.where('at', '<', to ?? ''))
    .selectAll()
    .select(running.as('balance_minor'))
    .orderBy('commit')
    .orderBy('prepare')
    .orderBy('line');
  const { rows, total } = await pageOf(db, lines, paging);
  const credited = rows.map((row) => ({ ...row, amount_minor: 0 - row.amount_minor }));
  return { rows: credited, total, openingMinor: opening, closingMinor: closing };
};
