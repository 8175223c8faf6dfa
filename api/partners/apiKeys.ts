/** API keys of partners, managed by admins. */
import { type Static, Type } from '@sinclair/typebox';
import { createApiKey, type IssuedKey, revokeApiKey, rotateApiKey } from '../../commands/partners/apiKeys.ts';
import { Instant, Nullable, Uuid } from '../../domain/core/schema.ts';
import { ApiKeyDetails } from '../../domain/partners/apiKey.ts';
import { snakeSchema, toCamel, toSnake } from '../../infra/naming.ts';
import { apiKeys, listApiKeys } from '../../projections/partners/apiKeys.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { ById, NO_CONTENT, route } from '../http/route.ts';

const { name, scopes, allowed_domains, expires_at } = snakeSchema(ApiKeyDetails).properties;

const Issued = Type.Object(
  {
    id: Uuid,
    key: Type.String({ description: 'The value of the `X-API-Key` header. It is shown only once.' }),
    name,
    scopes,
    allowed_domains,
    expires_at,
  },
  { $id: 'IssuedApiKey' },
);
const issued = (key: IssuedKey): Static<typeof Issued> => toSnake(key);

const ApiKey = Type.Object({ ...apiKeys.row.properties, last_used_at: Nullable(Instant) }, { $id: 'ApiKey' });

const listKeys = route('GET /api/v1/admin/api-keys', {
  id: 'listApiKeys',
  access: 'admin',
  harm: { none: 'shows names and scopes of keys, no secrets' },
  summary: 'List API keys',
  query: Type.Object(pagingQuery),
  reply: ListOf(ApiKey),
  handle: ({ query }, app) => paged(query, (paging) => listApiKeys(app.db, paging)),
});

const createKey = route('POST /api/v1/admin/api-keys', {
  id: 'createApiKey',
  access: 'seed',
  harm: 'rights',
  summary: 'Create an API key',
  description:
    'With `allowed_domains`, browsers can use the key only on pages of these hosts; `*.host` allows its subdomains.',
  body: Type.Object({
    name,
    scopes,
    allowed_domains: Type.Optional(allowed_domains),
    expires_at: Type.Optional(expires_at),
  }),
  reply: Issued,
  status: 201,
  errors: ['invalid'],
  projections: [apiKeys],
  handle: async ({ body, context }, app) =>
    issued(await createApiKey(app, context, { allowedDomains: [], expiresAt: null, ...toCamel(body) })),
});

const rotateKey = route('POST /api/v1/admin/api-keys/:id/rotate', {
  id: 'rotateApiKey',
  access: 'admin',
  harm: 'rights',
  summary: 'Rotate the secret of an API key',
  description: 'The previous secret stays valid until the next rotation.',
  params: ById,
  reply: Issued,
  errors: ['not_found', 'invalid_transition'],
  projections: [apiKeys],
  handle: async ({ params, context }, app) => issued(await rotateApiKey(app, context, params.id)),
});

const revokeKey = route('DELETE /api/v1/admin/api-keys/:id', {
  id: 'revokeApiKey',
  access: 'admin',
  harm: 'rights',
  summary: 'Revoke an API key',
  description: 'Takes effect on all nodes within a second and cannot be undone.',
  params: ById,
  ...NO_CONTENT,
  errors: ['not_found'],
  projections: [apiKeys],
  handle: async ({ params, context }, app) => {
    await revokeApiKey(app, context, params.id);
    return null;
  },
});

export const apiKeyRoutes = [listKeys, createKey, rotateKey, revokeKey];
