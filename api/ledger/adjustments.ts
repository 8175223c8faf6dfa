/** Settlements of the providers, and adjustments of the ledger by two admins. */

import { Type } from '@sinclair/typebox';
import { sentMinor } from '../../commands/core/amounts.ts';
import {
  type Adjusting,
  decideAdjustment,
  postSettlement,
  requestCorrection,
} from '../../commands/ledger/adjustments.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { assertCurrency } from '../../domain/core/money.ts';
import { Currency, OneOf, Uuid } from '../../domain/core/schema.ts';
import { adjustmentStatuses } from '../../domain/ledger/adjustment.ts';
import { Adjustment, adjustments, listAdjustments, showAdjustment } from '../../projections/ledger/adjustments.ts';
import { balances } from '../../projections/ledger/balances.ts';
import { ledgerEntries } from '../../projections/ledger/entries.ts';
import { SHOWS_FIGURES } from '../http/harm.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { ById, route } from '../http/route.ts';

export const Reason = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Why, for auditors. Must not contain personal data.',
});
export const Adjusted = Type.Object({ id: Uuid, status: OneOf(adjustmentStatuses) }, { $id: 'AdjustmentStatus' });
export const adjusted = ({ adjustmentId: id, adjustment: { status } }: Adjusting) => ({
  id,
  status: status === 'none' ? ('requested' as const) : status,
});
export const FOUR_EYES =
  'Another admin must approve it (`/approve`), who neither made the first an admin within 90 days nor was made one by them; nothing is posted before.';

const settle = route('POST /api/v1/admin/ledger/settlements', {
  id: 'postSettlement',
  access: 'admin',
  harm: 'money',
  rate: 'money',
  summary: 'Post a settlement of a payment provider',
  description:
    'What the provider has paid to our bank (`amount`; negative when it took money), and the fee that it kept, as its registry and the bank statement say. `clearing:<provider>` is then what the provider still owes. A reference is posted once: typed with other spaces, letter case or forms of its characters, it is a conflict.',
  body: Type.Object(
    {
      provider: Type.String({ pattern: '^[a-z]{1,30}$', examples: ['yookassa'] }),
      currency: Currency,
      amount: Type.Number(),
      fee: Type.Optional(Type.Number({ minimum: 0 })),
      reference: Type.String({ minLength: 1, maxLength: 100 }),
    },
    { $id: 'NewSettlement' },
  ),
  reply: Type.Object({ id: Uuid }),
  status: 201,
  errors: ['invalid', 'conflict'],
  projections: [balances, ledgerEntries],
  handle: async ({ body: { provider, currency, amount, fee = 0, reference }, context }, app) => {
    assertCurrency(currency);
    if (!app.paymentProviders.byName.has(provider))
      throw new Rejected('invalid', `The payment provider ${provider} is not configured on this system.`, {
        fields: ['provider'],
      });
    const [amountMinor, feeMinor] = [sentMinor('amount', amount, currency), sentMinor('fee', fee, currency)];
    return { id: await postSettlement(app, context, { provider, currency, amountMinor, feeMinor, reference }) };
  },
});

const Account = Type.String({ maxLength: 100, examples: ['fees'] });

const correct = route('POST /api/v1/admin/ledger/corrections', {
  id: 'requestCorrection',
  access: 'admin',
  harm: 'money',
  rate: 'money',
  summary: 'Request a correction of the ledger',
  description: `Debits one account and credits another: bank, fees, losses, commission, \`clearing:<provider>\`, \`service:<type>\` or \`available:<owner>\`. ${FOUR_EYES}`,
  body: Type.Object(
    {
      debit: Account,
      credit: Account,
      amount: Type.Number({ exclusiveMinimum: 0 }),
      currency: Currency,
      reason: Reason,
    },
    { $id: 'NewCorrection' },
  ),
  reply: Adjusted,
  status: 201,
  errors: ['invalid', 'not_found'],
  projections: [adjustments],
  handle: async ({ body: { amount, currency, ...body }, context }, app) => {
    assertCurrency(currency);
    const terms = { ...body, currency, amountMinor: sentMinor('amount', amount, currency) };
    return adjusted(await requestCorrection(app, context, terms));
  },
});

const list = route('GET /api/v1/admin/ledger/adjustments', {
  id: 'listAdjustments',
  access: 'admin',
  harm: SHOWS_FIGURES,
  summary: 'List adjustments of the ledger',
  description:
    'Corrections, chargebacks and chargebacks that were won, newest first. `requested` ones wait for another admin.',
  query: Type.Object({ ...pagingQuery, status: Type.Optional(OneOf(adjustmentStatuses)) }),
  reply: ListOf(Adjustment),
  handle: ({ query }, app) =>
    paged(query, (paging) => listAdjustments(app.db, { status: query.status, ...paging }), showAdjustment),
});

const approve = route('POST /api/v1/admin/ledger/adjustments/:id/approve', {
  id: 'approveAdjustment',
  access: 'admin',
  harm: 'money',
  rate: 'money',
  summary: 'Approve an adjustment of the ledger',
  description:
    'By another admin than the one who requested it, who neither made them an admin within 90 days nor was made one by them. Where no admin is left who may: 409 with what to do. A chargeback is posted in the background.',
  params: ById,
  reply: Adjusted,
  errors: ['not_found', 'invalid_transition', 'forbidden', 'conflict'],
  projections: [adjustments, balances, ledgerEntries],
  handle: async ({ params, context }, app) => adjusted(await decideAdjustment(app, context, params.id, 'approved')),
});

const reject = route('POST /api/v1/admin/ledger/adjustments/:id/reject', {
  id: 'rejectAdjustment',
  access: 'admin',
  harm: 'money',
  rate: 'money',
  summary: 'Reject an adjustment of the ledger',
  params: ById,
  body: Type.Object({ reason: Reason }),
  reply: Adjusted,
  errors: ['not_found', 'invalid_transition', 'conflict'],
  projections: [adjustments],
  handle: async ({ params, body, context }, app) => adjusted(await decideAdjustment(app, context, params.id, body)),
});

export const adjustmentRoutes = [settle, correct, list, approve, reject];
