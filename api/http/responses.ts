/** What responses have in common in the OpenAPI document: headers, problems and health. */
import { Type } from '@sinclair/typebox';
import { OneOf } from '../../domain/core/schema.ts';
import { services } from './access.ts';
import { isBytesReply } from './bytes.ts';
import { type ErrorCode, titleOf } from './errors.ts';
import { honoursKey, type Route } from './route.ts';

const FieldError = Type.Object(
  {
    pointer: Type.String({ description: 'JSON Pointer to the field: `/body/check_in`, `/query/page`.' }),
    detail: Type.String(),
    code: Type.String(),
  },
  { $id: 'FieldError' },
);

/** RFC 9457 problem details. */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({ examples: ['/errors/sold_out'] }),
    title: Type.String(),
    status: Type.Integer(),
    code: Type.String({ description: 'Stable identifier of the error.', examples: ['sold_out'] }),
    detail: Type.String({ description: 'What is wrong with this request, and what to do about it.' }),
    request_id: Type.String({ format: 'uuid' }),
    errors: Type.Optional(Type.Array(FieldError, { description: 'The invalid fields, for `validation_failed`.' })),
  },
  { $id: 'Problem' },
);

export const Health = Type.Object(
  {
    service: OneOf(services),
    version: Type.String(),
    status: OneOf(['ok', 'degraded', 'unavailable'] as const),
    faults: Type.Optional(Type.Array(Type.String(), { description: 'What is degraded, in English, for operators.' })),
  },
  { $id: 'Health' },
);

const header = (description: string, ...examples: string[]) => ({ description, schema: { type: 'string', examples } });

/** Every header that responses have, by its name as a component. */
export const responseHeaders = {
  'x-service': { description: 'The service that answered.', schema: { type: 'string', enum: services } },
  'x-response-time-ms': header('Milliseconds from the request to the response.', '12.3'),
  'x-request-id': header('Identifies the request in logs and support requests.'),
  ratelimit: header('The limit that applies, requests left and seconds until it resets.', '"user";r=297;t=58'),
  'ratelimit-policy': header('The limit: requests (q) per seconds (w).', '"user";q=300;w=60'),
  'retry-after': header(
    'Seconds to wait before the next try. With 503, 1 to 4 by chance: not all come back at once.',
    '2',
  ),
  'x-event-position': header('Position of the change in the event log. Send it as `x-min-position` to read it.'),
  'x-projected': header('`false`: the reply or a list may not show the latest changes yet.', 'false'),
  'x-channel-offset': header(
    'Up to which change of which channel the reply shows the rows. Subscribe to the channel since then, and nothing is missed or repeated.',
    '"realtime:user_0190a0e4-0000-7000-8000-000000000000";epoch="5b0f7f0e-0000-4000-8000-000000000000";offset=42',
  ),
  'idempotency-replayed': header('`true`: the stored reply to the first request with this key.', 'true'),
  etag: header('Version of the reply, for `If-None-Match`.'),
  'cache-control': header('How long a client may cache the reply.', 'private, max-age=60'),
  location: header('Where to send the browser.'),
} as const;
export type HeaderName = keyof typeof responseHeaders;

const ALWAYS: readonly HeaderName[] = ['x-service', 'x-response-time-ms', 'x-request-id'];
const LIMITED: readonly HeaderName[] = [...ALWAYS, 'ratelimit', 'ratelimit-policy'];

/** References to headers. */
const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Headers of a successful reply. */
export const replyHeaders = ({ method, spec }: Route): object =>
  headerRefs([
    ...LIMITED,
    ...(method === 'GET' ? [] : (['x-event-position'] as const)),
    ...(method === 'GET' || spec.projections ? (['x-projected'] as const) : []),
    ...(spec.channel ? (['x-channel-offset'] as const) : []),
    ...(honoursKey({ method, spec }) ? (['idempotency-replayed'] as const) : []),
    ...(spec.cache || isBytesReply(spec.reply) ? (['etag', 'cache-control'] as const) : []),
    ...(spec.ifMatch ? (['etag'] as const) : []),
    ...(spec.status === 302 ? (['location'] as const) : []),
  ]);

/** Headers of the health endpoints, which have no limit. */
export const healthHeaders = headerRefs(ALWAYS);

/** The response to the errors that have one status. */
export const problemResponse = (status: number, codes: readonly ErrorCode[], problem: object) => ({
  description: codes.map((code) => `\`${code}\` ${titleOf(code)}`).join(' · '),
  headers: headerRefs([...LIMITED, ...(status === 429 || status === 503 ? (['retry-after'] as const) : [])]),
  content: { 'application/problem+json': { schema: problem } },
});
