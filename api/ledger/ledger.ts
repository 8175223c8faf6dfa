/** The ledger, for admins, and the accounts of each owner. */
import { type Static, Type } from '@sinclair/typebox';
import { exactSum, toMajor } from '../../domain/core/money.ts';
import { Currency, Instant, Minor, MinorSum, OneOf, Uuid } from '../../domain/core/schema.ts';
import { account, type OwnerAccount, ownerAccounts } from '../../domain/ledger/ledger.ts';
import {
  balances,
  balancesOf,
  LedgerBalance,
  listBalances,
  type OwnerBalance,
} from '../../projections/ledger/balances.ts';
import { ledgerDays } from '../../projections/ledger/days.ts';
import { type LedgerEntryRow, ledgerEntries, listEntries, statementOf } from '../../projections/ledger/entries.ts';
import type { App } from '../http/app.ts';
import { SHOWS_FIGURES } from '../http/harm.ts';
import { ListOf, listOf, paged, pagingOf, pagingQuery } from '../http/paging.ts';
import { route } from '../http/route.ts';

const Amounts = { amount: Type.Number(), amount_minor: Minor };
const Balances = { balance: Type.Number(), balance_minor: MinorSum };

const { commit, prepare, ...shownOfEntry } = ledgerEntries.row.properties;
const Entry = Type.Object({ ...shownOfEntry, ...Amounts }, { $id: 'LedgerEntry' });
const entryOf = ({ commit, prepare, ...row }: LedgerEntryRow): Static<typeof Entry> => ({
  ...row,
  amount: toMajor(row.amount_minor, row.currency),
});

const period = {
  from: Type.Optional(Instant),
  to: Type.Optional({ ...Instant, description: 'End of the period, not included.' }),
};

const entries = route('GET /api/v1/admin/ledger/entries', {
  id: 'listLedgerEntries',
  access: 'admin',
  harm: SHOWS_FIGURES,
  summary: 'List ledger entries',
  description: 'Newest first. Debits are positive, credits negative.',
  query: Type.Object({
    ...pagingQuery,
    ...period,
    account: Type.Optional(Type.String({ maxLength: 100, examples: ['commission'] })),
    owner_id: Type.Optional(Uuid),
    payment_id: Type.Optional(Uuid),
  }),
  reply: ListOf(Entry),
  handle: async ({ query }, app) => {
    const { owner_id: ownerId, payment_id: paymentId, account: name, from, to } = query;
    return paged(
      query,
      (paging) => listEntries(app.db, { account: name, ownerId, paymentId, from, to, ...paging }),
      entryOf,
    );
  },
});

const Account = Type.Object({ ...LedgerBalance.properties, ...Balances }, { $id: 'LedgerAccount' });
const accountOf = (row: LedgerBalance): Static<typeof Account> => ({
  ...row,
  balance: toMajor(row.balance_minor, row.currency),
});

const allBalances = route('GET /api/v1/admin/ledger/balances', {
  id: 'listLedgerBalances',
  access: 'admin',
  harm: SHOWS_FIGURES,
  summary: 'List the balances of all ledger accounts',
  description: 'Debits are positive, credits negative. The sum over all accounts is zero in every currency.',
  reply: Type.Object({
    accounts: Type.Array(Account),
    sums: Type.Array(Type.Object({ currency: Currency, sum: Type.Number(), sum_minor: MinorSum })),
  }),
  handle: async (_, app) => {
    const rows = await listBalances(app.db);
    const sums = new Map<string, MinorSum>();
    for (const { currency, balance_minor } of rows)
      sums.set(currency, exactSum([sums.get(currency) ?? 0, balance_minor]));
    return {
      accounts: rows.map(accountOf),
      sums: [...sums].map(([currency, sum_minor]) => ({ currency, sum: toMajor(sum_minor, currency), sum_minor })),
    };
  },
});

const Balance = Type.Object(
  {
    currency: Currency,
    held: Type.Number({
      description: 'Earned, but not available yet: released when the dispute window after the service has passed.',
    }),
    held_minor: MinorSum,
    available: Type.Number({ description: 'Ready for payout. A negative amount is owed to the platform.' }),
    available_minor: MinorSum,
    in_refund: Type.Number({
      description: 'The part of `available` that refunds under way will take. It cannot be paid out.',
    }),
    in_refund_minor: MinorSum,
    in_payout: Type.Number({ description: 'Reserved for payouts that are not yet paid.' }),
    in_payout_minor: MinorSum,
    paid_out: Type.Number(),
    paid_out_minor: MinorSum,
  },
  { $id: 'OwnerBalance' },
);
const balanceOf = (row: OwnerBalance): Static<typeof Balance> => ({
  ...row,
  held: toMajor(row.held_minor, row.currency),
  available: toMajor(row.available_minor, row.currency),
  in_refund: toMajor(row.in_refund_minor, row.currency),
  in_payout: toMajor(row.in_payout_minor, row.currency),
  paid_out: toMajor(row.paid_out_minor, row.currency),
});

const ownBalance = route('GET /api/v1/provider/balance', {
  id: 'getOwnBalance',
  // Also of those who no longer sell: what they earned is theirs.
  access: 'user',
  harm: SHOWS_FIGURES,
  summary: 'Get your balance',
  description: 'One balance for each currency.',
  reply: Type.Object({ balances: Type.Array(Balance) }),
  needs: [balances],
  handle: async ({ caller }, app) => ({ balances: (await balancesOf(app.db, caller.id)).map(balanceOf) }),
});

const statementQuery = Type.Object({
  ...pagingQuery,
  ...period,
  currency: Currency,
  account: Type.Optional(
    OneOf(ownerAccounts, { description: 'Only this account. Default: all three, including transfers between them.' }),
  ),
});
const { owner_id, ...shownOfLine } = shownOfEntry;
const StatementLine = Type.Object({ ...shownOfLine, ...Amounts, ...Balances }, { $id: 'StatementLine' });
const Statement = Type.Object(
  {
    owner_id: Uuid,
    currency: Currency,
    opening: Type.Number(),
    opening_minor: MinorSum,
    closing: Type.Number(),
    closing_minor: MinorSum,
    entries: ListOf(StatementLine),
  },
  { $id: 'Statement' },
);

const statement = async (
  app: App,
  ownerId: string,
  query: Static<typeof statementQuery>,
): Promise<Static<typeof Statement>> => {
  const { currency, account: kind, from, to } = query;
  const paging = pagingOf(query);
  const name = kind && account[kind satisfies OwnerAccount](ownerId);
  const found = await statementOf(app.db, { ownerId, currency, account: name, from, to, ...paging });
  const rows = found.rows.map(({ owner_id: _, balance_minor, ...line }) => ({
    ...line,
    amount: toMajor(line.amount_minor, currency),
    balance_minor,
    balance: toMajor(balance_minor, currency),
  }));
  return {
    owner_id: ownerId,
    currency,
    opening: toMajor(found.openingMinor, currency),
    opening_minor: found.openingMinor,
    closing: toMajor(found.closingMinor, currency),
    closing_minor: found.closingMinor,
    entries: listOf({ rows, total: found.total }, paging),
  };
};

const ownStatement = route('GET /api/v1/provider/statement', {
  id: 'getOwnStatement',
  // Also of those who no longer sell: what they earned is theirs.
  access: 'user',
  harm: SHOWS_FIGURES,
  summary: 'Get your statement',
  description:
    'Oldest first, with the balance after each entry. Income is positive. `opening` and `closing` are the balances of the period, not of the page.',
  query: statementQuery,
  reply: Statement,
  needs: [ledgerDays],
  handle: ({ query, caller }, app) => statement(app, caller.id, query),
});

const ownerStatement = route('GET /api/v1/admin/ledger/owners/:owner_id/statement', {
  id: 'getOwnerStatement',
  access: 'admin',
  harm: SHOWS_FIGURES,
  summary: 'Get the statement of an owner',
  params: Type.Object({ owner_id: Uuid }),
  query: statementQuery,
  reply: Statement,
  needs: [ledgerDays],
  handle: ({ params, query }, app) => statement(app, params.owner_id, query),
});

export const ledgerRoutes = [entries, allBalances, ownBalance, ownStatement, ownerStatement];
