/** API keys of partners, for the list of admins. Whether a key is valid is decided on the log, not here. */
import { Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { Instant, Nullable, Uuid } from '../../domain/core/schema.ts';
import { ApiKeyDetails } from '../../domain/partners/apiKey.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { existing, type RowOf, readModel } from '../engine/readModel.ts';

export const apiKeys = readModel('api_keys', {
  version: 1,
  row: Type.Object({
    id: Uuid,
    ...snakeSchema(ApiKeyDetails).properties,
    created_at: Instant,
    rotated_at: Nullable(Instant),
    revoked_at: Nullable(Instant),
  }),
  key: 'id',
  on: {
    ApiKeyCreated: (_, { streamId, at, data: { secretHash, ...details } }) => ({
      id: streamId,
      ...toSnake(details),
      created_at: at,
      rotated_at: null,
      revoked_at: null,
    }),
    ApiKeyRotated: (row, { at }) => ({ ...existing(row), rotated_at: at }),
    ApiKeyRevoked: (row, { at }) => ({ ...existing(row), revoked_at: at }),
  },
});

type ApiKeyRow = RowOf<typeof apiKeys>;

export type ListedApiKey = ApiKeyRow & { readonly last_used_at: string | null };

/** Newest first, with the last time each was used. */
export const listApiKeys = async (db: ReadDb, paging: Paging): Promise<Page<ListedApiKey>> => {
  const lastUse = sql<string | null>`(select last_used_at from ops.api_key_usage where key_id = id)`;
  const keys = tables(db, apiKeys).selectFrom('api_keys').selectAll().select(lastUse.as('last_used_at'));
  return pageOf(db, keys.orderBy('created_at', 'desc').orderBy('id'), paging);
};
