/** Payouts: admins create them and record the result; owners see their own. */
import { Type } from '@sinclair/typebox';
import { requestPayout, settlePayout } from '../../commands/ledger/payouts.ts';
import { notFound } from '../../domain/core/decider.ts';
import { assertCurrency, toMajor } from '../../domain/core/money.ts';
import { Currency, Minor, OneOf, Uuid } from '../../domain/core/schema.ts';
import { payoutStatuses } from '../../domain/ledger/ownerAccount.ts';
import { balances } from '../../projections/ledger/balances.ts';
import { ledgerEntries } from '../../projections/ledger/entries.ts';
import { listPayouts, Payout, payoutById, payouts, payoutWire } from '../../projections/ledger/payouts.ts';
import { callersSales } from '../accounts/channels.ts';
import type { App } from '../http/app.ts';
import { SHOWS_FIGURES } from '../http/harm.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { ById, route } from '../http/route.ts';

const shown = [payouts, balances, ledgerEntries];
const filters = { ...pagingQuery, status: Type.Optional(OneOf(payoutStatuses)) };

const request = route('POST /api/v1/admin/payouts', {
  id: 'createPayout',
  access: 'admin',
  harm: 'money',
  rate: 'money',
  summary: 'Create a payout',
  description:
    'Reserves the amount, by default the whole available balance in the currency. Make the bank transfer; another admin records it with `paid`, or any admin that it has `failed`.',
  body: Type.Object({
    owner_id: Uuid,
    currency: Currency,
    amount: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  }),
  reply: Type.Object(
    {
      id: Uuid,
      owner_id: Uuid,
      currency: Currency,
      amount: Type.Number(),
      amount_minor: Minor,
      status: Type.Literal('requested'),
    },
    { $id: 'RequestedPayout' },
  ),
  status: 201,
  errors: ['invalid', 'balance_too_low'],
  projections: shown,
  handle: async ({ body: { owner_id: ownerId, currency, amount }, context }, app) => {
    assertCurrency(currency);
    const request = { ownerId, currency, ...(amount !== undefined && { amount }) };
    const { payoutId, amountMinor } = await requestPayout(app, context, request);
    return {
      id: payoutId,
      owner_id: ownerId,
      currency,
      amount: toMajor(amountMinor, currency),
      amount_minor: amountMinor,
      status: 'requested' as const,
    };
  },
});

/** The stream of a payout. Its owner and currency never change, so that the read model can be trusted for them. */
const addressOf = async (app: App, payoutId: string) => {
  const found = await payoutById(app.db, payoutId);
  if (!found) throw notFound('payout');
  return { payoutId, ownerId: found.owner_id, currency: found.currency };
};

const Settled = Type.Object({ id: Uuid, status: OneOf(payoutStatuses) }, { $id: 'SettledPayout' });
const Text = Type.String({ minLength: 1, maxLength: 200 });

/** What the operations share that record what became of a payout. */
const settling = {
  access: 'admin',
  harm: 'money',
  rate: 'money',
  params: ById,
  reply: Settled,
  errors: ['not_found', 'invalid_transition', 'forbidden', 'conflict'],
  projections: shown,
} as const;

const paid = route('POST /api/v1/admin/payouts/:id/paid', {
  ...settling,
  id: 'markPayoutPaid',
  summary: 'Record that a payout was paid',
  description:
    'By another admin than the one who created it; nobody counts as another beside an admin whom they made an admin within 90 days. Repeated with another reference, it is a conflict.',
  body: Type.Object({ reference: { ...Text, description: 'The reference of the bank transfer.' } }),
  handle: async ({ params: { id }, body, context }, app) => {
    await settlePayout(app, context, await addressOf(app, id), body);
    return { id, status: 'paid' as const };
  },
});

const failed = route('POST /api/v1/admin/payouts/:id/failed', {
  ...settling,
  id: 'markPayoutFailed',
  summary: 'Record that a payout failed',
  description: 'The amount returns to the available balance of the owner.',
  body: Type.Object({ reason: Text }),
  handle: async ({ params: { id }, body, context }, app) => {
    await settlePayout(app, context, await addressOf(app, id), body);
    return { id, status: 'failed' as const };
  },
});

const listAll = route('GET /api/v1/admin/payouts', {
  id: 'listPayouts',
  access: 'admin',
  harm: SHOWS_FIGURES,
  summary: 'List payouts',
  query: Type.Object({ ...filters, owner_id: Type.Optional(Uuid) }),
  reply: ListOf(Payout),
  handle: ({ query }, app) =>
    paged(
      query,
      (paging) => listPayouts(app.db, { ownerId: query.owner_id, status: query.status, ...paging }),
      (row) => payoutWire.of(row, 'admin'),
    ),
});

const listOwn = route('GET /api/v1/provider/payouts', {
  id: 'listOwnPayouts',
  // Also of those who no longer sell: what they earned is theirs.
  access: 'user',
  harm: SHOWS_FIGURES,
  summary: 'List own payouts',
  query: Type.Object(filters),
  reply: ListOf(Payout),
  channel: callersSales,
  handle: ({ query, caller }, app) =>
    paged(
      query,
      (paging) => listPayouts(app.db, { ownerId: caller.id, status: query.status, ...paging }),
      (row) => payoutWire.of(row, 'seller'),
    ),
});

export const payoutRoutes = [request, paid, failed, listAll, listOwn];
