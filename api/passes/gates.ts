/** The gates: partners with an API key of the scope `passes:scan`. `docs/gates.md` tells how to build one. */
import { Type } from '@sinclair/typebox';
import { codeProblems } from '../../commands/passes/codes.ts';
import { recordScans, scanPass } from '../../commands/passes/scans.ts';
import { addDays } from '../../domain/core/dates.ts';
import { Exact, Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { MAX_SKEW_MS, passReasons } from '../../domain/passes/refusalReasons.ts';
import { MAX_AREA } from '../../domain/purchases/passTerms.ts';
import { passClosedDates } from '../../projections/passes/closedDates.ts';
import { EXTENSION_CURSOR, extensionsSince } from '../../projections/passes/extensions.ts';
import { passes, REVOCATION_CURSOR, revocationsSince } from '../../projections/passes/passes.ts';
import { itemChecker, RejectedItem } from '../http/itemwise.ts';
import { route } from '../http/route.ts';
import { Verdict, verdictWire } from './wire.ts';

const GATES = { none: 'gates let people through all day' };

const keys = route('GET /api/v1/pass/keys', {
  id: 'listPassKeys',
  access: 'public',
  rate: 'status',
  summary: 'Get the public keys of ski pass codes',
  description: 'Ed25519, as RFC 8037 writes keys. The first one signs; codes of the others are still valid.',
  reply: Type.Object({
    keys: Type.Array(
      Type.Object({
        kid: Type.String({ description: '8 hexadecimal digits, as in the code.' }),
        kty: Type.Literal('OKP'),
        crv: Type.Literal('Ed25519'),
        x: Type.String({ description: 'The public key, base64url.' }),
      }),
    ),
  }),
  cache: { maxAge: 300, shared: true },
  handle: (_, { passKeys }) => ({
    keys: passKeys.all.map(({ id, publicText }) => ({
      kid: id,
      kty: 'OKP' as const,
      crv: 'Ed25519' as const,
      x: publicText,
    })),
  }),
});

const REVOCATIONS_AT_ONCE = 1_000;
const EXTENSIONS_AT_ONCE = 5_000;
/** Closures make passes valid longer, by at most this in a winter. */
const LISTED_DAYS_AFTER = 60;

const revoked = route('GET /api/v1/pass/revoked', {
  id: 'listRevokedPasses',
  access: 'scope:passes:scan',
  harm: GATES,
  rate: 'scans',
  summary: 'List revoked ski passes',
  description: `What has changed since the last answer, oldest first, at most ${REVOCATIONS_AT_ONCE}. Ask again with \`since\` = \`next\`, at once while \`more\` is true. A pass that comes again replaces what was known of it. All come again when another history begins, such as after a move to another log.`,
  query: Type.Object({
    since: Type.Optional(
      Type.String({ pattern: REVOCATION_CURSOR, description: '`next` of the last answer. Absent: all are listed.' }),
    ),
  }),
  reply: Type.Object({
    data: Type.Array(
      Type.Object({
        pass_id: Uuid,
        valid_from_serial: Nullable(
          Type.Integer({ description: 'Codes with a lower serial open no gate; null: no code does.' }),
        ),
      }),
    ),
    next: Type.String({ description: 'Keep it as it is, and send it as `since`.' }),
    more: Type.Boolean(),
  }),
  reads: [passes],
  handle: ({ query: { since }, context }, { db }) => {
    const notBefore = addDays(context.at.slice(0, 10), -LISTED_DAYS_AFTER);
    return revocationsSince(db, { since, notBefore, limit: REVOCATIONS_AT_ONCE });
  },
});

const extended = route('GET /api/v1/pass/extended', {
  id: 'listExtendedPasses',
  access: 'scope:passes:scan',
  harm: GATES,
  rate: 'scans',
  summary: 'List ski passes that closures have made valid longer',
  description: `What has changed since the last answer. A printed code does not say it. Ask again with \`since\` = \`next\`, at once while \`more\` is true; ${EXTENSIONS_AT_ONCE} passes are looked at for an answer, which can be empty. A pass that comes again replaces what was known of it.`,
  query: Type.Object({
    since: Type.Optional(
      Type.String({ pattern: EXTENSION_CURSOR, description: '`next` of the last answer. Absent: all are listed.' }),
    ),
  }),
  reply: Type.Object({
    data: Type.Array(
      Type.Object({
        pass_id: Uuid,
        valid_until: {
          ...Instant,
          description: 'The first moment at which it is no longer valid, if that is later than its code says.',
        },
      }),
    ),
    next: Type.String({ description: 'Keep it as it is, and send it as `since`.' }),
    more: Type.Boolean(),
  }),
  reads: [passes, passClosedDates],
  handle: ({ query: { since }, context }, { db }) => {
    const notBefore = addDays(context.at.slice(0, 10), -LISTED_DAYS_AFTER);
    return extensionsSince(db, { since, notBefore, limit: EXTENSIONS_AT_ONCE });
  },
});

const code = Exact(Type.String({ minLength: 1, maxLength: 600, description: 'What the gate has read, unchanged.' }));
const scanFields = {
  scan_id: Type.String({ format: 'uuid', description: 'Chosen by the gate. The same scan again has the same id.' }),
  code,
  lift_id: Type.Optional({
    ...Uuid,
    description: 'Of the lift at which the gate stands, whose queue is counted from its passages. It is not checked.',
  }),
  area: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_AREA,
      description: 'Of the gate. Without it, passes of all areas open it.',
    }),
  ),
};
const gate_id = Type.String({ minLength: 1, maxLength: 64, pattern: '^[\\w.:-]+$' });

const scan = route('POST /api/v1/pass/scan', {
  id: 'scanPass',
  ignoresKey: 'a scan is known by its `scan_id`',
  access: 'scope:passes:scan',
  harm: GATES,
  rate: 'scans',
  summary: 'Scan a ski pass at a gate',
  description:
    'Open the gate only if `opens` is true. Without an answer ask again with the same `scan_id`: it gets the same answer.',
  body: Type.Object({ ...scanFields, gate_id }, { $id: 'SkiPassScan' }),
  reply: Type.Object({ scan_id: Uuid, ...Verdict.properties }, { $id: 'SkiPassScanned' }),
  errors: ['not_found', 'conflict'],
  handle: async ({ body, context }, app) => {
    const { scan_id: scanId, gate_id: gateId, lift_id: liftId = null, area = null, code } = body;
    const answer = await scanPass(app, context, { scanId, gateId, liftId, area, code });
    return { scan_id: scanId, ...verdictWire(answer) };
  },
});

const MAX_SCANS_AT_ONCE = 1_000;
const OfflineScan = Type.Object(
  {
    ...scanFields,
    scanned_at: { ...Instant, description: 'By the clock of the gate.' },
    passed: Type.Boolean({ description: 'Whether somebody passed.' }),
    reason: Type.Optional(OneOf(passReasons, { description: 'Why not.' })),
  },
  { $id: 'OfflineSkiPassScan' },
);
const check = itemChecker('scans', OfflineScan);

const batch = route('POST /api/v1/pass/scans', {
  id: 'recordPassScans',
  ignoresKey: 'a scan is known by its `scan_id`',
  access: 'scope:passes:scan',
  harm: GATES,
  rate: 'scans',
  summary: 'Record scans that happened without a connection',
  description: `At most ${MAX_SCANS_AT_ONCE}. They are kept whatever the rules say, because they happened; passages against the rules have a \`conflict\`. Safe to repeat.`,
  body: Type.Object(
    {
      gate_id,
      device_time: {
        ...Instant,
        description: 'What the clock of the gate shows now. Times are corrected by the difference.',
      },
      scans: Type.Array(OfflineScan, { minItems: 1, maxItems: MAX_SCANS_AT_ONCE }),
    },
    { $id: 'OfflineSkiPassScans' },
  ),
  itemwise: 'scans',
  bodyLimit: 2 * 1024 * 1024,
  reply: Type.Object(
    {
      server_time: Instant,
      clock_ahead_ms: Type.Integer({ description: 'How much the clock of the gate is ahead.' }),
      clock_ok: Type.Boolean({ description: 'False: set the clock of the gate. Its passages are in conflict.' }),
      kept: Type.Array(
        Type.Object({
          scan_id: Uuid,
          pass_id: Nullable(Uuid),
          conflict: Nullable(OneOf(passReasons)),
          problem: Nullable(OneOf(codeProblems, { description: 'Not kept: the code is not a pass of ours.' })),
        }),
      ),
      rejected: Type.Array(RejectedItem),
    },
    { $id: 'KeptSkiPassScans' },
  ),
  errors: ['conflict'],
  handle: async ({ body: { gate_id: gateId, device_time: deviceTime, scans }, context }, app) => {
    const { fitting, rejected } = check(scans);
    const happened = fitting.map(({ item }) => ({
      scanId: item.scan_id,
      gateId,
      liftId: item.lift_id ?? null,
      area: item.area ?? null,
      code: item.code,
      scannedAt: item.scanned_at,
      passed: item.passed,
      reason: item.reason ?? null,
    }));
    const { skewMs, kept } = await recordScans(app, context, { deviceTime, scans: happened });
    return {
      server_time: context.at,
      clock_ahead_ms: skewMs,
      clock_ok: Math.abs(skewMs) <= MAX_SKEW_MS,
      kept: kept.map(({ scanId, passId, conflict, problem }) => ({
        scan_id: scanId,
        pass_id: passId,
        conflict,
        problem,
      })),
      rejected,
    };
  },
});

export const gateRoutes = [keys, revoked, extended, scan, batch];
