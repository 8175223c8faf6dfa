/** Reconciliation of our payments with those of the providers. */
import { Type } from '@sinclair/typebox';
import { reconcileNow } from '../../commands/payments/reconciliation.ts';
import { notFound } from '../../domain/core/decider.ts';
import { Uuid } from '../../domain/core/schema.ts';
import {
  differencesOf,
  listReconciliations,
  paymentDifferences,
  reconciliationById,
  reconciliations,
} from '../../projections/payments/reconciliations.ts';
import { SHOWS_FIGURES } from '../http/harm.ts';
import { ListOf, listOf, paged, pagingOf, pagingQuery } from '../http/paging.ts';
import { ById, route } from '../http/route.ts';

const Reconciliation = Type.Object(reconciliations.row.properties, { $id: 'Reconciliation' });
const PaymentDifference = Type.Object(paymentDifferences.row.properties, { $id: 'PaymentDifference' });
const ReconciliationReport = Type.Object(
  { ...reconciliations.row.properties, found: ListOf(PaymentDifference) },
  { $id: 'ReconciliationReport' },
);

const list = route('GET /api/v1/admin/reconciliations', {
  id: 'listReconciliations',
  access: 'admin',
  harm: SHOWS_FIGURES,
  summary: 'List reconciliations',
  description: 'Newest first. Each run compares all payments that may differ from those of their provider.',
  query: Type.Object(pagingQuery),
  reply: ListOf(Reconciliation),
  handle: ({ query }, app) => paged(query, (paging) => listReconciliations(app.db, paging)),
});

const get = route('GET /api/v1/admin/reconciliations/:id', {
  id: 'getReconciliation',
  access: 'admin',
  harm: SHOWS_FIGURES,
  summary: 'Get a reconciliation with its differences',
  description: 'Differences that remain after the state of the provider was applied.',
  params: ById,
  query: Type.Object(pagingQuery),
  reply: ReconciliationReport,
  errors: ['not_found'],
  handle: async ({ params, query }, app) => {
    const run = await reconciliationById(app.db, params.id);
    if (!run) throw notFound('reconciliation');
    const paging = pagingOf(query);
    return { ...run, found: listOf(await differencesOf(app.db, run.id, paging), paging) };
  },
});

const start = route('POST /api/v1/admin/reconciliations', {
  id: 'startReconciliation',
  access: 'admin',
  harm: { none: 'asks the providers again what is true' },
  rate: 'money',
  summary: 'Start a reconciliation',
  description: 'It runs in the background; `GET` shows its progress.',
  reply: Type.Object({ id: Uuid }),
  status: 202,
  projections: [reconciliations],
  handle: async ({ context }, app) => ({ id: await reconcileNow(app, context) }),
});

export const reconciliationRoutes = [list, get, start];
