/** Ski passes: issued, checked and given back. */
import { type Static, Type } from '@sinclair/typebox';
import { closedDates } from '../../commands/passes/closures.ts';
import { passFor } from '../../commands/passes/dividePurchase.ts';
import { issuePass } from '../../commands/passes/issuePass.ts';
import { giveBackPass, previewGiveBack } from '../../commands/passes/refunds.ts';
import { checkPass } from '../../commands/passes/scans.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { Exact, Instant, Nullable, ReasonText, Uuid } from '../../domain/core/schema.ts';
import { MAX_SERIAL } from '../../domain/passes/passEvents.ts';
import { MAX_AREA } from '../../domain/purchases/passTerms.ts';
import type { JsonText } from '../../infra/jsonText.ts';
import { formsOf } from '../../projections/engine/replies.ts';
import { listPasses, passes as passModel, SkiPass } from '../../projections/passes/passes.ts';
import { listPassScans, passScans } from '../../projections/passes/scans.ts';
import { callersChannel } from '../accounts/channels.ts';
import { ListOf, paged, pagingOf, pagingQuery, textListOf } from '../http/paging.ts';
import { ById, route, WRITES_NOTHING } from '../http/route.ts';
import { inEverySpelling } from './pathSpellings.ts';
import { PassNow, passNow, Refund, refundWire, Verdict, verdictWire } from './wire.ts';

const Issued = Type.Object(
  {
    pass: PassNow,
    code: Type.String({
      description:
        'The content of the QR code. Printed codes are shown as they are; a phone adds the time code of docs/gates.md.',
    }),
  },
  { $id: 'IssuedSkiPass' },
);

const issue = inEverySpelling((spelling, name) =>
  route(`POST /api/v1/${spelling}/me/issue`, {
    id: `issue${name}`,
    access: 'user',
    rate: 'money',
    summary: 'Issue a ski pass',
    description:
      'The same phone gets its code again, with the dates as they are now. Another `device_key` gets a new code, and the one before opens no gate any more.',
    body: Type.Object(
      {
        purchase_id: Uuid,
        number: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 100, default: 1, description: 'Of the passes of the purchase.' }),
        ),
        device_key: Type.Optional(
          Type.String({
            pattern: '^[A-Za-z0-9_-]{43}$',
            description:
              'The Ed25519 public key of the phone that shows the code, base64url. Left out: the code is printed, and a picture of it opens gates, too.',
          }),
        ),
        replace_serial: Type.Optional(
          Type.Integer({ minimum: 1, maximum: MAX_SERIAL, description: 'The serial of a code that was lost.' }),
        ),
        holder: Type.Optional(
          Type.Object({
            name: Nullable(Type.String({ minLength: 1, maxLength: 100 })),
            photo_id: Nullable(
              Type.String({ format: 'uuid', description: 'A picture of yours in the folder `documents`.' }),
            ),
          }),
        ),
      },
      { $id: 'SkiPassIssue' },
    ),
    reply: Issued,
    errors: ['not_found', 'invalid', 'conflict', 'invalid_transition'],
    projections: [passModel],
    handle: async ({ body, context }, app) => {
      const { purchase_id: purchaseId, number = 1, device_key: deviceKey = null, replace_serial, holder } = body;
      const issued = await issuePass(app, context, {
        purchaseId,
        number,
        deviceKey,
        ...(replace_serial !== undefined && { replaces: replace_serial }),
        ...(holder && { holder: { name: holder.name, photoId: holder.photo_id } }),
      });
      return { pass: passNow(issued.passId, issued.pass, issued.closed), code: issued.code };
    },
  }),
);

const own = inEverySpelling((spelling, name) =>
  route(`GET /api/v1/${spelling}/me`, {
    id: `listOwn${name}es`,
    access: 'user',
    summary: 'List own ski passes',
    description: 'The latest first valid date first. Passes appear once their purchase is paid.',
    query: Type.Object({ ...pagingQuery, purchase_id: Type.Optional(Uuid) }),
    reply: ListOf(SkiPass),
    channel: callersChannel,
    handle: async ({ query, caller }, { db }) => {
      const paging = pagingOf(query);
      const { rows, total } = await listPasses(db, { userId: caller.id, purchaseId: query.purchase_id, ...paging });
      const formOf = await formsOf(db, passModel, rows, ['guest']);
      const shown = rows.map((row) => formOf(row, 'guest') as JsonText<Static<typeof SkiPass>>);
      return textListOf({ rows: shown, total }, paging);
    },
  }),
);

const ownScans = inEverySpelling((spelling, name) =>
  route(`GET /api/v1/${spelling}/me/:id/scans`, {
    id: `listOwn${name}Scans`,
    access: 'user',
    summary: 'List the scans of your ski pass',
    description: 'Newest first.',
    params: ById,
    query: Type.Object(pagingQuery),
    reply: ListOf(passScans.row),
    errors: ['not_found'],
    handle: async ({ params: { id }, query, context }, app) => {
      await passFor(app, context, id);
      return paged(query, (paging) => listPassScans(app.db, { passId: id, ...paging }));
    },
  }),
);

const area = Type.Integer({ minimum: 1, maximum: MAX_AREA, description: 'The area of the gate.' });

const validate = inEverySpelling((spelling, name) =>
  route(`POST /api/v1/${spelling}/validate`, {
    id: `validate${name}`,
    ignoresKey: WRITES_NOTHING,
    access: 'user',
    summary: 'Check whether a ski pass opens a gate',
    description: 'Consumes nothing. Send the code that somebody shows, or the id of your pass.',
    body: Type.Object({
      code: Type.Optional(Exact(Type.String({ minLength: 1, maxLength: 600 }))),
      pass_id: Type.Optional(Uuid),
      area: Type.Optional(area),
    }),
    reply: Verdict,
    errors: ['not_found', 'invalid'],
    handle: async ({ body, context }, app) => {
      const { code, pass_id: passId, area: at = null } = body;
      if ((code === undefined) === (passId === undefined))
        throw new Rejected('invalid', 'Send either code or pass_id.', { fields: ['code', 'pass_id'] });
      const checked = code !== undefined ? { code } : { passId: passId as string };
      return verdictWire(await checkPass(app, context, checked, at));
    },
  }),
);

const GivenBack = Type.Object(
  {
    pass: PassNow,
    ...Refund.properties,
    settles_at: Nullable({
      ...Instant,
      description:
        'When the refund is fixed: gates without a connection can tell passages until then, which lower it. Null for a preview.',
    }),
  },
  { $id: 'SkiPassGivenBack' },
);

const giveBack = inEverySpelling((spelling, name) =>
  route(`POST /api/v1/${spelling}/me/:id/give-back`, {
    id: `giveBack${name}`,
    previews: `POST /api/v1/${spelling}/me/:id/give-back`,
    access: 'user',
    harm: { of: 'money', by: 'admin' },
    rate: 'money',
    summary: 'Give a ski pass back',
    description:
      'It opens no gate any more. Before its first day its whole price is refunded, later that of unused days if the tariff `refunds_unused`, or if an admin does it. `preview` only computes.',
    params: ById,
    body: Type.Object({
      preview: Type.Optional(Type.Boolean({ default: false })),
      reason: Type.Optional(ReasonText),
    }),
    reply: GivenBack,
    errors: ['not_found', 'invalid_transition', 'conflict'],
    projections: [passModel],
    handle: async ({ params: { id }, body, context }, app) => {
      const [closed, back] = await Promise.all([
        closedDates(app),
        body.preview ? previewGiveBack(app, context, id) : giveBackPass(app, context, id, body.reason ?? null),
      ]);
      const { pass, units, refundMinor } = back;
      const settles_at = body.preview ? null : (pass.ended?.settlesAt ?? null);
      return { pass: passNow(id, pass, closed), ...refundWire(units, refundMinor, pass.currency), settles_at };
    },
  }),
);

export const passRoutes = [issue, own, ownScans, validate, giveBack].flat();
