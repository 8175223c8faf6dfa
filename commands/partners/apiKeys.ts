/** Partners' keys: `rk_live_<id>_<secret>`. The secret is shown once; the log has its SHA-256. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '../../domain/core/instants.ts';
import { type ApiKey, type ApiKeyDetails, apiKey, isUsable } from '../../domain/partners/apiKey.ts';
import { derivedId } from '../../infra/ids.ts';
import { migrations } from '../../infra/migrations.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';

/** When each key was last used, to the minute. */
export const apiKeyUsageMigrations = migrations('partners', {
  '0001_api_key_usage': `
    create table ops.api_key_usage (key_id uuid primary key, last_used_at timestamptz not null);
  `,
  personalData: { 'ops.api_key_usage': { nothing: 'when keys of partners were used' } },
});

type Deps = Pick<CoreDeps, 'aggregates'>;

const PREFIX = 'rk_live';
const KEY = /^rk_live_([0-9a-f]{32})_([0-9a-f]{64})$/;

const newSecret = (): string => randomBytes(32).toString('hex');
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
const spell = (id: string, secret: string): string => `${PREFIX}_${id.replaceAll('-', '')}_${secret}`;

const parse = (key: string): { id: string; secret: string } | null => {
  const [, hex = '', secret = ''] = KEY.exec(key) ?? [];
  return hex ? { id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'), secret } : null;
};

/** How long a key's state is cached. A key that another node revoked stops working here after this time. */
const BELIEVED_MS = 1_000;
const USE_NOTED_EVERY_MS = MINUTE_MS;
const believed = new LRUCache<string, ApiKey>({ max: 10_000, ttl: BELIEVED_MS });
const noted = new LRUCache<string, true>({ max: 10_000, ttl: USE_NOTED_EVERY_MS });

export interface IssuedKey extends ApiKeyDetails {
  readonly id: string;
  /** The whole of it, this once. */
  readonly key: string;
}

const issued = (id: string, secret: string, { name, scopes, allowedDomains, expiresAt }: ApiKey): IssuedKey => ({
  id,
  key: spell(id, secret),
  name,
  scopes,
  allowedDomains,
  expiresAt,
});

/**
 * @param secret 64 hex digits; random by default
 * @throws Rejected `invalid` when it would have expired already; `conflict` when repeated with another secret
 */
export const createApiKey = async (
  deps: Deps,
  context: CommandContext,
  details: ApiKeyDetails,
  secret = newSecret(),
): Promise<IssuedKey> => {
  const id = derivedId(context.commandId, 'apiKey');
  const command = { type: 'CreateApiKey', ...details, secretHash: hashOf(secret), at: context.at } as const;
  return issued(id, secret, (await deps.aggregates.handle(apiKey, id, command, context)).state);
};

/** A further secret; the one before stays valid until the next rotation. @throws Rejected `not_found`, `invalid_transition` */
export const rotateApiKey = async (deps: Deps, context: CommandContext, id: string): Promise<IssuedKey> => {
  const secret = newSecret();
  const command = { type: 'RotateApiKey', secretHash: hashOf(secret) } as const;
  return issued(id, secret, (await deps.aggregates.handle(apiKey, id, command, context)).state);
};

/** For good. @throws Rejected `not_found` */
export const revokeApiKey = async (deps: Deps, context: CommandContext, id: string): Promise<void> => {
  await deps.aggregates.handle(apiKey, id, { type: 'RevokeApiKey' }, context);
  believed.delete(id);
};

const keyState = async (deps: Deps, id: string): Promise<ApiKey> => {
  const { state } = await deps.aggregates.load(apiKey, id);
  believed.set(id, state);
  return state;
};

const fits = ({ secretHashes }: ApiKey, secret: string): boolean => {
  const shown = Buffer.from(hashOf(secret));
  return secretHashes.some((hash) => timingSafeEqual(Buffer.from(hash), shown));
};

/** The API key with this text; null when it is unknown, revoked or not valid at this instant. */
export const findApiKey = async (
  deps: Deps,
  text: string,
  at: string,
): Promise<{ id: string; apiKey: ApiKey } | null> => {
  const parsed = parse(text);
  if (!parsed) return null;
  const { id, secret } = parsed;
  const known = believed.get(id);
  // The secret may be newer than the cached key.
  const state = known && fits(known, secret) ? known : await keyState(deps, id);
  return fits(state, secret) && isUsable(state, at) ? { id, apiKey: state } : null;
};

/** Records that a key was used, at most once a minute per process. */
export const noteKeyUse = async ({ pool }: Pick<CoreDeps, 'pool'>, id: string, at: string): Promise<void> => {
  if (noted.has(id)) return;
  noted.set(id, true);
  await pool.query(
    `insert into ops.api_key_usage as usage (key_id, last_used_at) values ($1, $2)
     on conflict (key_id) do update set last_used_at = excluded.last_used_at
     where usage.last_used_at < excluded.last_used_at - interval '1 minute'`,
    [id, at],
  );
};
