/** Passes, as admins deal with them: blocks, cards, closures of the mountain, and scans with conflicts. */
import { Type } from '@sinclair/typebox';
import { closedDates, giveDaysBack, previewClosure } from '../../commands/passes/closures.ts';
import type { PassOf } from '../../commands/passes/dividePurchase.ts';
import { blockPass, returnCard, unblockPass } from '../../commands/passes/refunds.ts';
import { DateOnly, OneOf, ReasonText, Uuid } from '../../domain/core/schema.ts';
import { passReasons } from '../../domain/passes/refusalReasons.ts';
import { listClosedDates, passClosedDates } from '../../projections/passes/closedDates.ts';
import { countValidOn, passes } from '../../projections/passes/passes.ts';
import { listPassScans, passScans, scanOutcomes } from '../../projections/passes/scans.ts';
import type { App } from '../http/app.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { ById, route } from '../http/route.ts';
import { PassNow, passNow } from './wire.ts';

const one = {
  params: ById,
  reply: PassNow,
  projections: [passes],
  errors: ['not_found'],
} as const;
const shown = async (app: App, { passId, pass }: PassOf) => passNow(passId, pass, await closedDates(app));

const block = route('POST /api/v1/admin/pass/:id/block', {
  id: 'blockPass',
  access: 'admin',
  harm: 'rights',
  ...one,
  errors: [...one.errors, 'conflict'],
  summary: 'Block a ski pass',
  description: 'It opens no gate until it is unblocked. Gates without a connection learn it with their next list.',
  body: Type.Object({ reason: ReasonText }),
  handle: async ({ params, body, context }, app) => shown(app, await blockPass(app, context, params.id, body.reason)),
});

const unblock = route('POST /api/v1/admin/pass/:id/unblock', {
  id: 'unblockPass',
  access: 'admin',
  harm: 'rights',
  ...one,
  summary: 'Unblock a ski pass',
  handle: async ({ params, context }, app) => shown(app, await unblockPass(app, context, params.id)),
});

const card = route('POST /api/v1/admin/pass/:id/card-returned', {
  id: 'returnPassCard',
  access: 'admin',
  harm: { none: 'desk work, one card after another: the deposit goes back once, to whoever paid it' },
  ...one,
  summary: 'Record that the card of a ski pass came back',
  description: 'Its deposit is refunded, once.',
  errors: ['not_found', 'invalid_transition'],
  handle: async ({ params, context }, app) => shown(app, await returnCard(app, context, params.id)),
});

const scans = route('GET /api/v1/admin/pass/scans', {
  id: 'listPassScans',
  access: 'admin',
  harm: 'content',
  summary: 'List scans of ski passes',
  description:
    'Newest first. With `conflicts`, only passages against the rules, such as those of gates without a connection.',
  query: Type.Object({
    ...pagingQuery,
    pass_id: Type.Optional(Uuid),
    outcome: Type.Optional(OneOf(scanOutcomes)),
    reason: Type.Optional(OneOf(passReasons)),
    conflicts: Type.Optional(Type.Boolean()),
  }),
  reply: ListOf(passScans.row),
  handle: async ({ query }, app) => {
    const { pass_id: passId, outcome, reason, conflicts } = query;
    return paged(query, (paging) => listPassScans(app.db, { passId, outcome, reason, conflicts, ...paging }));
  },
});

const close = route('POST /api/v1/admin/pass/closures', {
  id: 'giveDaysBack',
  previews: 'POST /api/v1/admin/pass/closures',
  access: 'admin',
  harm: 'money',
  summary: 'Give back the days of a closure of the mountain',
  description:
    'Every pass that was sold before and is valid on one of the dates is valid that many days longer, and rides on these dates were free. Season passes get nothing. It cannot be undone: look at the `preview` first.',
  body: Type.Object(
    {
      from: DateOnly,
      to: Type.String({ format: 'date', description: 'The last date, included.' }),
      reason: ReasonText,
      preview: Type.Optional(Type.Boolean({ default: false })),
    },
    { $id: 'MountainClosure' },
  ),
  reply: Type.Object({
    dates: Type.Array(DateOnly, { description: 'Those that were not given back before.' }),
    passes: Type.Integer({ description: 'How many passes are valid on them.' }),
  }),
  errors: ['invalid', 'conflict'],
  projections: [passClosedDates],
  handle: async ({ body: { preview = false, ...closure }, context }, app) => {
    const dates = await (preview ? previewClosure : giveDaysBack)(app, context, closure);
    return { dates: [...dates], passes: await countValidOn(app.db, dates) };
  },
});

const closures = route('GET /api/v1/admin/pass/closures', {
  id: 'listClosedDates',
  access: 'admin',
  harm: { none: 'shows dates of closures' },
  summary: 'List the dates of closures',
  description: 'The latest first.',
  query: Type.Object(pagingQuery),
  reply: ListOf(passClosedDates.row),
  handle: ({ query }, app) => paged(query, (paging) => listClosedDates(app.db, paging)),
});

export const passAdminRoutes = [block, unblock, card, scans, close, closures];
