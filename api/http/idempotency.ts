/**
 * `Idempotency-Key`: the same key and body → the first answer again, for 24 hours; another body → 422; still running →
 * 409. The command's id follows from the key and the request, so a repeat after a crash in the middle writes nothing
 * twice, and a key that is used again after its day for another request is another command.
 *
 * Answers hold personal data, and addresses that are as good as the card they lead to: they are kept encrypted with the
 * key of whose they are, and go with it.
 */
import { createHash } from 'node:crypto';
import { ERASED } from '../../domain/core/schema.ts';
import { decryptText, encryptText, type PersonKey, type Vault } from '../../eventstore/vault.ts';
import { isClaimed } from '../../infra/claims.ts';
import { derivedId } from '../../infra/ids.ts';
import { jsonOf } from '../../infra/jsonText.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Pool } from '../../infra/postgres.ts';
import { HttpError } from './errors.ts';

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
  holds: {
    'ops.idempotency_keys': {
      person: 'caller',
      exported: [],
      erased: 'deleted',
      why: { purpose: 'answer a repeated request like the first', basis: 'contract', seenBy: ['nobody'] },
      kept: [{ after: 'created_at', hours: 24 }],
    },
  },
});

/**
 * After this long a repeat takes over: the process that had it may be gone. Harmless when it is not, because both write
 * the same events under the same ids.
 */
const LOCKED_FOR = `interval '10 seconds'`;

export interface Answer {
  readonly status: number;
  readonly reply: unknown;
  readonly position: string | null;
}

/** The key of a request, checked. Throws `HttpError` 422 for one that can't be used. */
export const checkKey = (key: string): string => {
  if (!/^[\x21-\x7e]{8,255}$/.test(key))
    throw new HttpError('validation_failed', 'Idempotency-Key must have 8 to 255 visible ASCII characters.');
  return key;
};

/** Of what was asked, not of the address: an operation has several. */
const hashOf = ({ operation, params, body }: KeyedRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([operation, params ?? null, body ?? null]))
    .digest('hex');

export interface KeyedRequest {
  readonly caller: string;
  /** Whose answer it is: a UUID. */
  readonly person: string;
  readonly key: string;
  readonly operation: string;
  readonly params: unknown;
  readonly body: unknown;
}

const opened = (personKey: PersonKey, sealed: string, key: string): unknown => {
  const text = decryptText(personKey, sealed, key);
  return text === ERASED ? null : JSON.parse(text);
};

/** Without any time: the same request with the same key is the same command for ever. */
const commandIdOf = ({ caller, key }: KeyedRequest, hash: string): string =>
  derivedId('idempotency', caller, key, hash);

/**
 * Runs `work` at most once per caller and key. What it answers (also a refusal, 4xx) is kept; what it throws is not,
 * so that the client can try again.
 */
export const once = async (
  { pool, vault }: { readonly pool: Pool; readonly vault: Vault },
  request: KeyedRequest,
  work: (commandId: string) => Promise<Answer>,
): Promise<Answer & { replayed: boolean }> => {
  const hash = hashOf(request);
  const where = [request.caller, request.key];
  const taken = await pool.query(
    `insert into ops.idempotency_keys as k (caller, key, request_hash, locked_until)
     values ($1, $2, $3, now() + ${LOCKED_FOR})
     on conflict (caller, key) do update set locked_until = excluded.locked_until, request_hash = excluded.request_hash,
       created_at = now(), status = null, reply = null, event_position = null
     where (k.status is null and not ${isClaimed('k.locked_until', LOCKED_FOR)} and k.request_hash = excluded.request_hash)
        or k.created_at < now() - interval '24 hours'
     returning 1`,
    [...where, hash],
  );
  if (taken.rowCount === 0) {
    const { rows } = await pool.query<{
      request_hash: string;
      status: number | null;
      reply: string;
      event_position: string | null;
    }>(
      'select request_hash, status, reply, event_position from ops.idempotency_keys where caller = $1 and key = $2',
      where,
    );
    const first = rows[0];
    if (first && first.request_hash !== hash)
      throw new HttpError('key_reused', 'This Idempotency-Key was used for another request. Use a new key.');
    if (!first || first.status === null)
      throw new HttpError(
        'in_flight',
        'The first request with this Idempotency-Key is still running. Try again shortly.',
        {
          headers: { 'retry-after': '1' },
        },
      );
    const reply = opened(await vault.keyToWrite(request.person), first.reply, request.key);
    return { status: first.status, reply, position: first.event_position, replayed: true };
  }
  try {
    const answer = await work(commandIdOf(request, hash));
    const text = jsonOf(answer.reply ?? null);
    const sealed = encryptText(await vault.keyToWrite(request.person), text, request.key);
    await pool.query(
      'update ops.idempotency_keys set status = $3, reply = $4, event_position = $5 where caller = $1 and key = $2',
      [...where, answer.status, JSON.stringify(sealed), answer.position],
    );
    return { ...answer, replayed: false };
  } catch (error) {
    await pool.query('delete from ops.idempotency_keys where caller = $1 and key = $2 and status is null', where);
    throw error;
  }
};
