/** OpenAPI 3.1 from the route declarations. Committed as `openapi.json`; a check holds the file to the code. */
import type { TObject } from '@sinclair/typebox';
import type { Access } from './access.ts';
import { type ErrorCode, statusOf, titleOf } from './errors.ts';
import { mediaTypeOf, type Route } from './route.ts';

const PROBLEM = {
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'detail', 'request_id'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string' },
    detail: { type: 'string' },
    request_id: { type: 'string', format: 'uuid' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { pointer: { type: 'string' }, detail: { type: 'string' }, code: { type: 'string' } },
      },
    },
  },
};

const securityOf = (access: Access): object[] => {
  if (access === 'public' || access === 'signed') return [];
  if (access.startsWith('scope:')) return [{ apiKey: [] }];
  if (access === 'auditor') return [{ bearer: [] }, { apiKey: [] }];
  if (access === 'seed') return [{ bearer: [] }, { adminToken: [] }];
  return [{ bearer: [] }];
};

/** Errors that come with the access and the inputs, not with what the operation does. */
const generalErrors = ({ access, spec }: Route): ErrorCode[] => [
  ...(access === 'public' || access === 'signed' ? [] : (['unauthenticated'] as const)),
  ...(['provider', 'admin', 'auditor'].includes(access) || access.startsWith('scope:')
    ? (['insufficient_rights'] as const)
    : []),
  ...(spec.body ? (['malformed_json', 'too_large', 'unsupported_media_type'] as const) : []),
  ...(spec.body || spec.params || spec.query ? (['validation_failed'] as const) : []),
  ...(spec.idempotent ? (['in_flight', 'key_reused'] as const) : []),
  'rate_limited',
  'unavailable',
];

const errorResponses = (route: Route): Record<string, object> => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...generalErrors(route), ...(route.spec.errors ?? [])])) {
    const status = statusOf(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\` ${titleOf(code)}`).join(' · '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
};

const parametersOf = (schema: TObject | undefined, where: 'path' | 'query'): object[] =>
  Object.entries(schema?.properties ?? {}).map(([name, inner]) => ({
    name,
    in: where,
    required: where === 'path' || (schema?.required?.includes(name) ?? false),
    ...(inner.description ? { description: inner.description } : {}),
    schema: inner,
  }));

const headersOf = ({ spec, method }: Route): object[] =>
  Object.entries({
    ...spec.headers,
    ...(spec.idempotent && { 'Idempotency-Key': 'Same key and body: the first answer again, for 24 hours.' }),
    ...(spec.projections && { Prefer: '`respond-async` does not wait until the change is projected.' }),
    ...(method === 'GET' && { 'x-min-position': 'Wait until at least this `x-event-position` is projected.' }),
  }).map(([name, description]) => ({ name, in: 'header', required: false, description, schema: { type: 'string' } }));

const operationOf = (route: Route): object => {
  const { spec, status = spec.status ?? 200 } = route as Route & { status?: number };
  const parameters = [...parametersOf(spec.params, 'path'), ...parametersOf(spec.query, 'query'), ...headersOf(route)];
  return {
    operationId: route.id,
    tags: [route.service],
    summary: spec.summary,
    ...(spec.description && { description: spec.description }),
    security: securityOf(route.access),
    ...(parameters.length > 0 && { parameters }),
    ...(spec.body && { requestBody: { required: true, content: { 'application/json': { schema: spec.body } } } }),
    responses: {
      [status]: {
        description: 'Done',
        ...(status !== 204 && { content: { [mediaTypeOf(spec.reply)]: { schema: spec.reply } } }),
      },
      ...(spec.cache && { 304: { description: 'Not modified' } }),
      ...errorResponses(route),
    },
  };
};

export const openApi = (routes: readonly Route[], version: string): object => {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Resort booking platform',
      version,
      description:
        'Every path under `/api/v1` also answers under `/api/v1/<service>/…`, every `/auth/…` under `/api/v1/auth/…`. ' +
        'Every response has `x-service` and `x-response-time-ms`; errors are `application/problem+json`.',
    },
    paths,
    components: {
      schemas: { Problem: PROBLEM },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        adminToken: { type: 'apiKey', in: 'header', name: 'X-Admin-Token' },
      },
    },
  };
};
