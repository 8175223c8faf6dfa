/** OpenAPI 3.1 from the route declarations. Committed as `openapi.json`; a check holds the file to the code. */
import { isDeepStrictEqual } from 'node:util';
import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import { type Access, scopeInsteadOfAdmin } from './access.ts';
import { isGuarded } from './appModule.ts';
import { isBytesReply } from './bytes.ts';
import { type Components, collectComponents } from './components.ts';
import { needsNoBody } from './emergencies.ts';
import { type ErrorCode, statusOf } from './errors.ts';
import { freshProofNote, harms, provedFor } from './harm.ts';
import { requiresBody } from './input.ts';
import { pagingQuery } from './paging.ts';
import { Health, healthHeaders, ProblemSchema, problemResponse, replyHeaders, responseHeaders } from './responses.ts';
import { honoursKey, mediaTypeOf, type Route, successesOf } from './route.ts';

const harmList = Object.entries(harms)
  .map(([kind, means]) => `\`${kind}\` ${means}.`)
  .join(' ');

const DESCRIPTION = `All paths also work with a trailing slash. Every path under \`/api/v1\` also answers under \`/api/v1/<service>/…\`, every \`/auth/…\` under \`/api/v1/auth/…\`.

Operations without security accept an access token and recognise its user. An invalid token is ignored there; everywhere else it is answered with 401.

A field of the query that an operation does not list is refused with 422, and so is an unknown field of a body. Bodies are UTF-8 without a Content-Encoding; any other is refused with 415, and bytes that are not UTF-8 with 400.

Amounts are in major units of their currency. The field of the same name with \`_minor\` is the same amount in minor units. Requests take major units.

Errors are \`application/problem+json\`.

\`x-messages\` of an operation: the realtime channels that are told of its change at once, each with the entities of the messages. \`booking\` stands for \`booking.created\`, \`booking.updated\` and \`booking.removed\`; the hub's \`/asyncapi.json\` describes them. What follows later, such as a refund, is told in the same way.

\`x-harm\`: what somebody could do with a stolen token. ${harmList} Each of them asks people for a fresh proof; \`none\` says why an operation for admins, sellers or auditors asks for none.`;

const securityOf = (access: Access): object[] => {
  if (access === 'public' || access === 'signed') return [];
  if (access.startsWith('scope:')) return [{ apiKey: [] }];
  if (access in scopeInsteadOfAdmin) return [{ bearer: [] }, { apiKey: [] }];
  if (access === 'seed') return [{ bearer: [] }, { adminToken: [] }];
  return [{ bearer: [] }];
};

/** Errors that come with the access and the inputs, not with what the operation does. */
const generalErrors = (route: Route): ErrorCode[] => {
  const { method, access, harm, spec, module } = route;
  const needsBody = spec.body !== undefined && !needsNoBody(route);
  return [
    ...(access === 'public' || access === 'signed' ? [] : (['unauthenticated'] as const)),
    ...(['provider', 'admin', 'seed'].includes(access) || access in scopeInsteadOfAdmin || access.startsWith('scope:')
      ? (['insufficient_rights'] as const)
      : []),
    ...(isGuarded(module, access) ? (['module_closed'] as const) : []),
    ...(provedFor(harm) ? (['fresh_proof_required'] as const) : []),
    ...(needsBody ? (['malformed_json', 'too_large', 'unsupported_media_type'] as const) : []),
    ...(spec.form || spec.signedBody ? (['too_large', 'unsupported_media_type'] as const) : []),
    ...(isBytesReply(spec.reply) ? (['range_not_satisfiable'] as const) : []),
    // Also for unknown fields of the query. Every GET takes `x-min-position`.
    ...(method === 'GET' || needsBody || spec.params || spec.query || spec.openQuery === undefined
      ? (['validation_failed'] as const)
      : []),
    ...(honoursKey(route) ? (['in_flight', 'key_reused'] as const) : []),
    ...(spec.ifMatch ? (['outdated_revision'] as const) : []),
    ...(access === 'emergency' && !route.rate ? [] : (['rate_limited'] as const)),
    'unavailable',
  ];
};

type Refer = Components['refer'];
type Responses = Record<string, object>;

const pascalCase = (code: ErrorCode): string =>
  code
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
/** The component of a response: `NotFound`, `InFlightOrKeyReused`. */
const responseName = (codes: readonly ErrorCode[]): string => codes.map(pascalCase).join('Or');

/** Responses with more codes belong to few operations and are written in place. */
const MAX_SHARED_CODES = 2;

/** The errors of an operation by status. Those that many operations have are components. */
const errorResponses = (route: Route, problem: object, shared: Responses): Responses => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...generalErrors(route), ...(route.spec.errors ?? [])])) {
    const status = statusOf(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const response = problemResponse(status, codes, problem);
      if (codes.length > MAX_SHARED_CODES) return [status, response];
      const name = responseName(codes);
      shared[name] = response;
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
};

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: object;
}

const parametersOf = (schema: TObject | undefined, where: 'path' | 'query', refer: Refer): Parameter[] =>
  Object.entries(schema?.properties ?? {}).map(([name, inner]) => ({
    name,
    in: where,
    required: where === 'path' || (schema?.required?.includes(name) ?? false),
    ...(inner.description ? { description: inner.description } : {}),
    schema: refer(inner),
  }));

const headerParameter = (name: string, description: string): Parameter => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
});

/** Parameters that many operations have, by their name as a component. */
const sharedParameters: Readonly<Record<string, Parameter>> = {
  ...Object.fromEntries(
    parametersOf(Type.Object(pagingQuery), 'query', collectComponents().refer).map((parameter) => [
      parameter.name,
      parameter,
    ]),
  ),
  'idempotency-key': headerParameter(
    'Idempotency-Key',
    'Makes retries safe: for 24 hours, the same key and body return the first reply again. Two bodies are the same when they mean the same JSON (RFC 8785), two uploads when the files are.',
  ),
  prefer: headerParameter('Prefer', '`respond-async`: do not wait until lists show the change.'),
  'x-min-position': headerParameter('x-min-position', 'Wait until at least this `x-event-position` is visible.'),
};
const sharedParameter = (name: string): Parameter => sharedParameters[name] as Parameter;

/** A reference, where many operations have exactly this parameter. */
const referShared = (parameter: Parameter): object => {
  const name = parameter.name.toLowerCase();
  return isDeepStrictEqual(sharedParameters[name], parameter) ? { $ref: `#/components/parameters/${name}` } : parameter;
};

const headersOf = ({ spec, method }: Route): Parameter[] => [
  ...Object.entries(spec.headers ?? {}).map(([name, description]) => headerParameter(name, description)),
  ...(spec.ifMatch
    ? [headerParameter('If-Match', `The \`ETag\` of ${spec.ifMatch.what}: 412 when it was changed since.`)]
    : []),
  ...(honoursKey({ method, spec }) ? [sharedParameter('idempotency-key')] : []),
  ...(spec.projections ? [sharedParameter('prefer')] : []),
  ...(spec.channel
    ? [headerParameter('Prefer', '`channel-offset`: the reply is one snapshot and has `x-channel-offset`.')]
    : []),
  ...(method === 'GET' ? [sharedParameter('x-min-position')] : []),
];

const bodyOf = (route: Route, refer: Refer): object => {
  const { spec } = route;
  if (spec.form)
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema: refer(spec.form) } } } };
  const schema = spec.body ?? spec.signedBody;
  if (!schema) return {};
  const content = ['application/json', ...(spec.bodyTypes ?? [])].map((type) => [type, { schema: refer(schema) }]);
  const isNeeded = spec.signedBody !== undefined || requiresBody(route);
  return { requestBody: { ...(isNeeded && { required: true }), content: Object.fromEntries(content) } };
};

/** The channels that are told of the operation's change, and of which entities. */
const messagesOf = ({ spec }: Route): object => {
  const byChannel: Record<string, string[]> = {};
  for (const { entity, publishTo } of spec.projections ?? [])
    for (const { channel } of publishTo)
      byChannel[channel.address] = [...new Set([...(byChannel[channel.address] ?? []), entity])];
  return Object.keys(byChannel).length > 0 ? { 'x-messages': byChannel } : {};
};

/** What the description says of a key that has no effect. */
const ignoredKeyNote = ({ spec: { ignoresKey } }: Route): string =>
  ignoresKey === undefined ? '' : `An \`Idempotency-Key\` is accepted and has no effect: ${ignoresKey}.`;

const operationOf = (route: Route, refer: Refer, shared: Responses): object => {
  const { spec } = route;
  const parameters = [
    ...parametersOf(spec.params, 'path', refer),
    ...parametersOf(spec.query, 'query', refer),
    ...headersOf(route),
  ].map(referShared);
  const headers = replyHeaders(route);
  const contentOf = (reply: TSchema) => ({ [mediaTypeOf(reply)]: { schema: refer(reply) } });
  const description = [spec.description, freshProofNote(route.harm), ignoredKeyNote(route)].filter(Boolean).join(' ');
  return {
    operationId: route.id,
    tags: [route.service],
    summary: spec.summary,
    ...(description && { description }),
    security: securityOf(route.access),
    ...(route.harm !== undefined && { 'x-harm': route.harm }),
    ...messagesOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...bodyOf(route, refer),
    responses: {
      ...Object.fromEntries(
        [...successesOf(spec)].map(([status, { description, reply }]) => [
          status,
          { description, headers, ...(status !== 204 && { content: contentOf(reply) }) },
        ]),
      ),
      ...(isBytesReply(spec.reply) && {
        206: { description: 'The part that was asked for', headers, content: contentOf(spec.reply) },
      }),
      ...((spec.cache || isBytesReply(spec.reply)) && { 304: { description: 'Not modified', headers } }),
      ...errorResponses(route, refer(ProblemSchema), shared),
    },
  };
};

const SUMMARY_OF = { Health: 'Check the health of the service', Ready: 'Check whether the service takes requests' };

/** `GET` and `HEAD` of `/health`, which every service also answers under `/api/v1/<service>/health`, or of `/ready`. */
const healthPath = (refer: Refer, name: 'Health' | 'Ready', description: string): object => {
  const response = (description: string, content: object) => ({ description, headers: healthHeaders, ...content });
  const json = { content: { 'application/json': { schema: refer(Health) } } };
  const operation = (operationId: string, summary: string, content: object) => ({
    operationId,
    tags: ['platform'],
    summary,
    description,
    security: [],
    responses: {
      200: response('The data stores answer; `degraded`: something else needs an operator.', content),
      503: response('A data store does not answer.', content),
    },
  });
  return {
    get: operation(`get${name}`, SUMMARY_OF[name], json),
    head: operation(`head${name}`, `${SUMMARY_OF[name]} without a body`, {}),
  };
};

export const openApi = (routes: readonly Route[], version: string): object => {
  const { refer, schemas } = collectComponents();
  const shared: Responses = {};
  const paths: Record<string, object> = {
    '/health': healthPath(refer, 'Health', 'Each service also answers at `/api/v1/{service}/health`.'),
    '/ready': healthPath(refer, 'Ready', '503 while no requests should be sent to this process, also while it stops.'),
  };
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, refer, shared) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Resort booking platform', version, description: DESCRIPTION },
    paths,
    components: {
      schemas: schemas(),
      responses: Object.fromEntries(Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1))),
      parameters: sharedParameters,
      headers: responseHeaders,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        adminToken: { type: 'apiKey', in: 'header', name: 'X-Admin-Token' },
      },
    },
  };
};

/** The document as text: indented, with references on one line. */
export const openApiText = (routes: readonly Route[], version: string): string =>
  `${JSON.stringify(openApi(routes, version), undefined, 2).replace(/\{\s+("\$ref": "[^"]+")\s+\}/g, '{ $1 }')}\n`;
