/**
 * `Idempotency-Key`: the same key and body → the first answer again, for 24 hours; another body → 422; still running →
 * 409. Two bodies are the same when they mean the same JSON (RFC 8785). The command's id follows from the key and the
 * request as it was spelled first, so a repeat after a crash in the middle writes nothing twice, and a key that is used
 * again after its day for another request is another command ([0054](../../docs/decisions/0054-repeated-requests.md)).
 *
 * Answers hold personal data, and addresses that are as good as the card they lead to: they are kept encrypted with the
 * key of whose they are, and go with it.
 */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { ERASED } from '../../domain/core/schema.ts';
import { decryptText, encryptText, type PersonKey, type Vault } from '../../eventstore/vault.ts';
import { isClaimed } from '../../infra/claims.ts';
import { derivedId, newId } from '../../infra/ids.ts';
import { jsonOf } from '../../infra/jsonText.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Pool } from '../../infra/postgres.ts';
import { HttpError, refuseHeader } from './errors.ts';

export const idempotencyMigrations = migrations('http', {
  '0001_idempotency_keys': `
    create table ops.idempotency_keys (
      caller text not null,
      key text not null,
      request_hash text not null,
      locked_until timestamptz,
      status integer,
      -- encrypted
      reply jsonb,
      event_position text,
      created_at timestamptz not null default now(),
      primary key (caller, key)
    );
    create index idempotency_keys_created_at on ops.idempotency_keys (created_at);
  `,
  '0002_repeated_requests': `
    alter table ops.idempotency_keys
      -- null: as earlier releases derived it, from request_hash
      add column command_id uuid,
      -- what was received with a form, as a fingerprint
      add column content uuid,
      add column etag text;
  `,
  personalData: {
    'ops.idempotency_keys': {
      whose: 'caller',
      exported: [],
      erased: 'deleted',
      why: { purpose: 'answer a repeated request like the first', basis: 'contract', seenBy: ['nobody'] },
      retention: [{ after: 'created_at', hours: 24 }],
    },
  },
});

/**
 * After this long a repeat takes over: the process that had it may be gone. Harmless when it is not, because both write
 * the same events under the same ids.
 */
const LOCKED_FOR = `interval '10 seconds'`;

/** The key's day is over. */
const IS_OVER = `k.created_at < now() - interval '24 hours'`;

export interface Answer {
  readonly status: number;
  readonly reply: unknown;
  readonly position: string | null;
  /** The header; null: the reply has none. */
  readonly etag: string | null;
}

/** An answer, and the digest of what came with a form. */
export interface Worked extends Answer {
  readonly received?: string | undefined;
}

/** The key of a request, checked. Throws `HttpError` 422 for one that can't be used. */
export const checkKey = (key: string): string => {
  if (!/^[\x21-\x7e]{8,255}$/.test(key))
    refuseHeader('idempotency-key', 'pattern', 'Idempotency-Key must have 8 to 255 visible ASCII characters.');
  return key;
};

export interface KeyedRequest {
  readonly caller: string;
  /** Whose answer it is: a UUID. */
  readonly person: string;
  readonly key: string;
  /** Of what was asked, not of the address: an operation has several. */
  readonly operation: string;
  readonly params: unknown;
  readonly query?: unknown;
  readonly body: unknown;
  /** Whether the body has a secret, of which no plain hash may be made. */
  readonly isSecret?: boolean;
  /** The digest of what is sent with a form. It is asked for once the first answer is known, to compare. */
  readonly digest?: () => Promise<string>;
}

/** The text whose hash earlier releases kept. The order of members counts. */
const spellingOf = ({ operation, params, query, body }: KeyedRequest): string => {
  const asked = [operation, params ?? null, body ?? null];
  const isAskedMore = Object.keys(query ?? {}).length > 0;
  return JSON.stringify(isAskedMore ? [...asked, query] : asked);
};
const fingerprintOf = (vault: Vault, text: string): string => vault.fingerprint('idempotency', text);

/** As earlier releases made it, none of which took a key with a secret. */
const hashOf = (vault: Vault, request: KeyedRequest): string => {
  const spelling = spellingOf(request);
  return request.isSecret ? fingerprintOf(vault, spelling) : createHash('sha256').update(spelling).digest('hex');
};

/** What is compared: the same for all spellings of a request. */
const meaningOf = (vault: Vault, { operation, params, query, body }: KeyedRequest): string =>
  fingerprintOf(vault, canonicalize([operation, params ?? null, query ?? {}, body ?? null]) ?? '');

/**
 * Without any time: the same request with the same key is the same command for ever. It is the id that earlier releases
 * gave it, so that what an upgrade has interrupted goes on as the same command.
 */
const commandIdOf = ({ caller, key, digest }: KeyedRequest, hash: string): string =>
  // What comes with a form is not known yet. A file that is uploaded twice is deleted after a day, because nothing uses it.
  digest ? newId() : derivedId('idempotency', caller, key, hash);

const opened = (personKey: PersonKey, sealed: string, key: string): unknown => {
  const text = decryptText(personKey, sealed, key);
  return text === ERASED ? null : JSON.parse(text);
};

const keyReused = (): never =>
  refuseHeader(
    'idempotency-key',
    'reused',
    'This Idempotency-Key was used for another request. Use a new key.',
    'key_reused',
  );

interface Stores {
  readonly pool: Pool;
  readonly vault: Vault;
}

/** By which a row is known to be of the same request. */
interface Hashes {
  readonly meaning: string;
  /** Of rows that an earlier release has written. */
  readonly former: string;
}

/**
 * Claims the key for this request: one that is new, is older than a day, or whose first request failed or was cut off.
 * @returns the id of the command; undefined when the key has an answer, is claimed, or is another request's
 */
const claim = async (
  { pool }: Stores,
  request: KeyedRequest,
  { meaning, former }: Hashes,
): Promise<string | undefined> => {
  const { rows } = await pool.query<{ command_id: string }>(
    `insert into ops.idempotency_keys as k (caller, key, request_hash, command_id, locked_until)
     values ($1, $2, $3, $5, now() + ${LOCKED_FOR})
     on conflict (caller, key) do update set locked_until = excluded.locked_until, request_hash = excluded.request_hash,
       command_id = case when ${IS_OVER} then excluded.command_id else coalesce(k.command_id, excluded.command_id) end,
       created_at = now(), status = null, reply = null, event_position = null, content = null, etag = null
     where (k.status is null and not ${isClaimed('k.locked_until', LOCKED_FOR)} and k.request_hash in ($3, $4)) or ${IS_OVER}
     returning command_id`,
    [request.caller, request.key, meaning, former, commandIdOf(request, former)],
  );
  return rows[0]?.command_id;
};

interface Row {
  readonly request_hash: string;
  readonly status: number | null;
  readonly reply: string;
  readonly event_position: string | null;
  readonly content: string | null;
  readonly etag: string | null;
}

/**
 * The answer that the key has.
 * @throws HttpError 409 `in_flight`, 422 `key_reused`
 */
const firstAnswer = async (
  { pool, vault }: Stores,
  request: KeyedRequest,
  { meaning, former }: Hashes,
): Promise<Answer> => {
  const { rows } = await pool.query<Row>(
    'select request_hash, status, reply, event_position, content, etag from ops.idempotency_keys where caller = $1 and key = $2',
    [request.caller, request.key],
  );
  const first = rows[0];
  if (first && ![meaning, former].includes(first.request_hash)) return keyReused();
  if (!first || first.status === null)
    throw new HttpError(
      'in_flight',
      'The first request with this Idempotency-Key is still running. Try again shortly.',
      {
        headers: { 'retry-after': '1' },
      },
    );
  if (first.content !== null && request.digest && first.content !== fingerprintOf(vault, await request.digest()))
    return keyReused();
  const reply = opened(await vault.keyToWrite(request.person), first.reply, request.key);
  return { status: first.status, reply, position: first.event_position, etag: first.etag };
};

const keep = async ({ pool, vault }: Stores, { caller, key, person }: KeyedRequest, answer: Worked): Promise<void> => {
  const sealed = encryptText(await vault.keyToWrite(person), jsonOf(answer.reply ?? null), key);
  const content = answer.received === undefined ? null : fingerprintOf(vault, answer.received);
  await pool.query(
    `update ops.idempotency_keys set status = $3, reply = $4, event_position = $5, content = $6, etag = $7
     where caller = $1 and key = $2`,
    [caller, key, answer.status, JSON.stringify(sealed), answer.position, content, answer.etag],
  );
};

/**
 * Runs `work` at most once per caller and key. What it answers (also a refusal, 4xx) is kept; what it throws is not, so
 * that the client can try again: the key then stays that of the request, and of its command, some of which may have
 * happened.
 */
export const once = async (
  stores: Stores,
  request: KeyedRequest,
  work: (commandId: string) => Promise<Worked>,
): Promise<Answer & { replayed: boolean }> => {
  const hashes = { meaning: meaningOf(stores.vault, request), former: hashOf(stores.vault, request) };
  const commandId = await claim(stores, request, hashes);
  if (commandId === undefined) return { ...(await firstAnswer(stores, request, hashes)), replayed: true };
  try {
    const answer = await work(commandId);
    await keep(stores, request, answer);
    return { ...answer, replayed: false };
  } catch (error) {
    await stores.pool.query(
      'update ops.idempotency_keys set locked_until = null where caller = $1 and key = $2 and status is null',
      [request.caller, request.key],
    );
    throw error;
  }
};
