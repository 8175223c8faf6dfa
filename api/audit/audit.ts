/**
 * The audit log: who did what, when and why, and past states of any aggregate. Each read is itself recorded. What is
 * personal is shown only with a reason, which is recorded for each person.
 */
import { type Static, Type } from '@sinclair/typebox';
import { recordAuditRead, reveal } from '../../commands/audit/audit.ts';
import { stateThen } from '../../commands/audit/stateThen.ts';
import { type Aggregate, notFound, Rejected, splitStream } from '../../domain/core/decider.ts';
import { HIDDEN, Instant, isPlaceholder, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { aggregates, allEvents } from '../../domain/modules.ts';
import { parsePosition } from '../../eventstore/checkpoints.ts';
import { type Concealed, concealedEvents, concealedState } from '../../eventstore/concealed.ts';
import { decodeToShow, readHistory, shownText } from '../../eventstore/history.ts';
import { createKeyedQueue } from '../../infra/keyedQueue.ts';
import { pageAndMore } from '../../infra/paging.ts';
import { type AuditEventRow, searchEvents } from '../../projections/audit/auditEvents.ts';
import type { App } from '../http/app.ts';
import { refuseQuery } from '../http/errors.ts';
import { route } from '../http/route.ts';
import { reasonHeader, reasonOf } from './reason.ts';

const Stream = Type.String({
  pattern: '^[a-z][A-Za-z]*-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  description: '`<category>-<id>`',
  examples: ['booking-0198c0de-0000-7000-8000-000000000000'],
});
const Position = Type.String({
  pattern: '^\\d{1,18}/\\d{1,18}$',
  description: 'Position in the event log, like `x-event-position`.',
});
const Limit = Type.Integer({ minimum: 1, maximum: 100, default: 50 });
const Revision = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Shown = Type.Unknown({
  description:
    'Values are `[erased]` for erased people, and `[hidden]` for secrets and, without a reason, for what is personal.',
});

const Happened = Type.Object(
  {
    event_id: Uuid,
    position: Position,
    stream: Type.String(),
    revision: Revision,
    type: Type.String(),
    at: Instant,
    actor: Type.Object({ kind: Type.String(), id: Type.String(), role: Type.String() }),
    correlation_id: Type.String({ description: 'Shared by all events that one request or job led to.' }),
    causation_id: Type.String({ description: 'The command or event that caused this event.' }),
    command_id: Type.String(),
    ip: Nullable(Type.String({ description: '`[hidden]` without a reason.' })),
    data: Type.Optional(Shown),
  },
  { $id: 'AuditEvent' },
);
type Happened = Static<typeof Happened>;

const happenedOf = ({
  commit,
  prepare,
  actor_kind,
  actor_id,
  actor_role,
  about: _,
  ...row
}: AuditEventRow): Happened => ({
  ...row,
  position: `${commit}/${prepare}`,
  actor: { kind: actor_kind, id: actor_id, role: actor_role },
});

/** Events without their data: only the addresses of users are personal. */
const withoutData = (rows: readonly AuditEventRow[]): Concealed<readonly Happened[]> => {
  const isPersonal = ({ actor_kind, ip }: AuditEventRow) => actor_kind === 'user' && ip !== null && !isPlaceholder(ip);
  return {
    open: rows.map(happenedOf),
    hidden: rows.map((row) => happenedOf(isPersonal(row) ? { ...row, ip: HIDDEN } : row)),
    people: [...new Set(rows.filter(isPersonal).map(({ actor_id }) => actor_id))],
  };
};

/** The parameters of a read, as they are recorded. */
const asked = (...parts: readonly object[]): Record<string, string> =>
  Object.fromEntries(
    parts
      .flatMap((part) => Object.entries(part))
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );

const positionOf = (text: string) => {
  const position = parsePosition(text);
  return position ?? refuseQuery('after', 'format', 'must be the position of an event');
};

/** The events of these rows with their data, in the same order. */
export const withData = async (
  app: Pick<App, 'store' | 'codec'>,
  rows: readonly AuditEventRow[],
): Promise<Concealed<readonly Happened[]>> => {
  const stored = await Promise.all(
    rows.map(({ stream, revision }) => app.store.read(stream, { from: BigInt(revision), max: 1 })),
  );
  return concealedEvents(app.codec, await decodeToShow(app.codec, stored.flat()));
};

const listEvents = route('GET /api/v1/audit/events', {
  id: 'searchAuditEvents',
  access: 'auditor',
  harm: 'content',
  summary: 'Search events',
  description:
    'Newest first. Pass `next` of the reply as `after` to get the next page. Reads of the audit log are found only by their `type`: `AuditRead`, and `ContentShown` for each person whose personal data was shown.',
  headers: reasonHeader,
  query: Type.Object({
    from: Type.Optional(Instant),
    to: Type.Optional(Instant),
    type: Type.Optional(OneOf(Object.keys(allEvents))),
    actor: Type.Optional(
      Type.String({ maxLength: 100, description: 'The id of the account, key or job that caused the event.' }),
    ),
    correlation: Type.Optional(Type.String({ maxLength: 100 })),
    stream: Type.Optional(Stream),
    after: Type.Optional(Position),
    order: Type.Optional(OneOf(['newest', 'oldest'], { default: 'newest' })),
    limit: Type.Optional(Limit),
    data: Type.Optional(Type.Boolean({ description: 'Include the data of each event.' })),
  }),
  reply: Type.Object({ data: Type.Array(Happened), next: Nullable(Position) }),
  handle: async ({ query, context, request }, app) => {
    const reason = reasonOf(request);
    const { after, data, limit = 50, order = 'newest', ...filters } = query;
    const search = { ...filters, order, limit: limit + 1, ...(after !== undefined && { after: positionOf(after) }) };
    const read = { what: 'events', query: asked(query) } as const;
    await recordAuditRead(app, context, read);
    const { rows, hasMore } = pageAndMore(await searchEvents(app.db, search), limit);
    const last = rows.at(-1);
    const found = data ? await withData(app, rows) : withoutData(rows);
    return {
      data: [...(await reveal(app, context, { ...read, ...(reason && { reason }) }, found))],
      next: last && hasMore ? `${last.commit}/${last.prepare}` : null,
    };
  },
});

const readStream = route('GET /api/v1/audit/streams/:stream', {
  id: 'listStreamEvents',
  access: 'auditor',
  harm: 'content',
  summary: 'List the events of a stream',
  headers: reasonHeader,
  params: Type.Object({ stream: Stream }),
  query: Type.Object({ from_revision: Type.Optional({ ...Revision, default: 0 }), limit: Type.Optional(Limit) }),
  reply: Type.Object({
    stream: Type.String(),
    data: Type.Array(Happened),
    next_revision: Nullable(Revision),
  }),
  errors: ['not_found'],
  handle: async ({ params: { stream }, query, context, request }, app) => {
    const reason = reasonOf(request);
    const { from_revision: from = 0, limit = 50 } = query;
    const read = { what: 'stream', query: asked({ stream }, query) } as const;
    await recordAuditRead(app, context, read);
    const found = await readHistory(app, stream, { from, max: limit + 1 });
    const { rows: events, hasMore } = pageAndMore(found, limit);
    if (events.length === 0 && from === 0) throw notFound('stream');
    return {
      stream,
      data: [
        ...(await reveal(app, context, { ...read, ...(reason && { reason }) }, concealedEvents(app.codec, events))),
      ],
      next_revision: hasMore ? from + limit : null,
    };
  },
});

const aggregateOf = (stream: string): Aggregate => {
  const [category] = splitStream(stream);
  const found = aggregates.find((aggregate) => aggregate.category === category);
  if (!found) throw notFound('stream');
  return found;
};

/** Each may read all events of a stream, so that one caller does it once at a time, and all callers of a process twice. */
const ofCaller = createKeyedQueue({ atOnce: 1, waiting: 8, patienceMs: 20_000 });
const ofAll = createKeyedQueue({ atOnce: 2, waiting: 16, patienceMs: 20_000 });
const MOST_CHARACTERS = 1_000_000;

const refuseLarge = (state: unknown): void => {
  if (shownText(state).length <= MOST_CHARACTERS) return;
  const instead = 'Read the events of the stream, page by page: GET /api/v1/audit/streams/{stream}.';
  throw new Rejected('invalid', `The state is larger than 1 MB of JSON. ${instead}`, { fields: ['stream'] });
};

const readState = route('GET /api/v1/audit/streams/:stream/state', {
  id: 'getStreamState',
  access: 'auditor',
  harm: 'content',
  summary: 'Get a past state of an aggregate',
  description:
    'At a time (`at`), after an event (`revision`), or now. `revision` of the reply is null before the first event. Without a reason, whatever follows from personal data is hidden, too. A caller reads one state at a time: others wait. A state of more than 1 MB is refused (422): read the events of its stream instead.',
  headers: reasonHeader,
  params: Type.Object({ stream: Stream }),
  query: Type.Object({ at: Type.Optional(Instant), revision: Type.Optional(Revision) }),
  reply: Type.Object({
    stream: Type.String(),
    revision: Nullable(Revision),
    at: Nullable(Instant),
    state: Shown,
  }),
  errors: ['not_found', 'invalid'],
  handle: async ({ params: { stream }, query, context, request }, app) => {
    const reason = reasonOf(request);
    const aggregate = aggregateOf(stream);
    const read = { what: 'state', query: asked({ stream }, query) } as const;
    await recordAuditRead(app, context, read);
    const work = async () => {
      const then = await stateThen(app, aggregate, stream, query);
      if (!then) throw notFound('stream');
      const { revision, at } = then;
      refuseLarge(then.state);
      const state = await reveal(app, context, { ...read, ...(reason && { reason }) }, concealedState(then));
      return { stream, revision, at, state };
    };
    return ofCaller.run(context.actor.id, () => ofAll.run('states', work));
  },
});

export const auditRoutes = [listEvents, readStream, readState];
