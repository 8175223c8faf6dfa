/**
 * Snapshots of long streams, in `ops`. They are a cache: each can be deleted at any time, and one that does not fit the
 * log or this program is ignored. Then the stream is read from its first event.
 */
import type { TSchema } from '@sinclair/typebox';
import type { SnapshotDeclaration, Whose } from '../../domain/core/decider.ts';
import { sellerKeyIn, sellerKeyToWrite, sellerOf } from '../../eventstore/sellerKeys.ts';
import { decryptText, encryptText, type Vault } from '../../eventstore/vault.ts';
import { createKeyedQueue, Overloaded } from '../../infra/keyedQueue.ts';
import type { Logger } from '../../infra/log.ts';
import { metrics } from '../../infra/metrics.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Pool } from '../../infra/postgres.ts';
import { withTimeout } from '../../infra/retry.ts';
import { explain, type Validator, validator } from '../../infra/validation.ts';

export const snapshotMigrations = migrations('commands', {
  '0003_snapshots': `
    create table ops.snapshots (
      stream text primary key,
      -- the last event that is part of the state
      revision bigint not null,
      event_id uuid not null,
      -- of the aggregate's declaration
      version integer not null,
      state text not null,
      written_at timestamptz not null default now()
    );
  `,
  '0004_sealed_snapshots': `
    -- those of rooms had what sellers say in plain
    delete from ops.snapshots where stream like 'room-%';
  `,
  personalData: { 'ops.snapshots': { nothing: 'states of aggregates: without personal data, or encrypted' } },
});

/** A state and the last event that is part of it. */
interface Snapshot<State> {
  readonly state: State;
  readonly revision: bigint;
  readonly eventId: string;
}

export interface Snapshots {
  /** The snapshot of a stream. undefined when there is none of this version, when it is damaged or cannot be read. */
  find<State>(stream: string, declared: SnapshotDeclaration<State>): Promise<Snapshot<State> | undefined>;
  /** Writes a snapshot later, in the background. It may be skipped when many are waiting. */
  offer<State>(stream: string, declared: SnapshotDeclaration<State>, of: Snapshot<State>): void;
  /** Deletes a snapshot that does not fit the log. */
  discard(stream: string, revision: bigint): Promise<void>;
}

/** Reading from the log is the alternative, so nothing waits longer than that. */
const READ_TIMEOUT_MS = 2_000;
/** One at a time in a process: writing is never urgent. */
const WRITES = { atOnce: 1, waiting: 64 };
/** A state that is larger takes longer to read than its events. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

interface Row {
  readonly revision: string;
  readonly event_id: string;
  readonly state: string;
}

/** One for each declared shape: making one takes longer than using it. */
const validators = new WeakMap<TSchema, Validator<TSchema>>();
const validatorOf = (packed: TSchema): Validator<TSchema> => {
  const known = validators.get(packed) ?? validator(packed);
  validators.set(packed, known);
  return known;
};

type Keys = Pick<Vault, 'keyToWrite' | 'keysToRead'>;

/** Before the id of a person whose own key it is. An id alone is that of the owner of a seller. */
const OF_PERSON = 'person/';

/** Encrypted it is whose key that needs, and the text. @returns undefined where it must not be kept */
const sealedText = async (keys: Keys, stream: string, text: string, whose: Whose | null) => {
  if (whose === null) return undefined;
  const isPerson = 'person' in whose;
  const key = isPerson ? await keys.keyToWrite(whose.person) : await sellerKeyToWrite(keys, whose.seller);
  if (key === 'erased') return undefined;
  return `${isPerson ? `${OF_PERSON}${whose.person}` : whose.seller} ${encryptText(key, text, stream)}`;
};

/** @throws Error where it cannot be read, also because the person or seller was erased */
const openedText = async (keys: Keys, stream: string, stored: string): Promise<string> => {
  const [whose = '', text = ''] = stored.split(' ');
  const person = whose.startsWith(OF_PERSON) ? whose.slice(OF_PERSON.length) : undefined;
  const known = await keys.keysToRead(person ? [person] : [sellerOf(whose), whose]);
  const key = person ? known.get(person) : sellerKeyIn(known, whose);
  if (key === undefined || key === 'erased') throw new Error('the key of its person or seller is gone');
  return decryptText(key, text, stream);
};

/** @throws Error for a text that is not the packed state */
const read = <State>({ state, ...row }: Row, declared: SnapshotDeclaration<State>): Snapshot<State> => {
  const packed: unknown = JSON.parse(state);
  const fits = validatorOf(declared.packed);
  if (!fits(packed)) throw new Error(explain(fits.errors));
  return { state: declared.unpack(packed as never), revision: BigInt(row.revision), eventId: row.event_id };
};

/** @param keys those of people and sellers, with which some states are encrypted */
export const createSnapshots = (pool: Pool, log: Logger, keys: Keys): Snapshots => {
  const queue = createKeyedQueue(WRITES);

  const write = async <State>(
    stream: string,
    { version, pack, sealedFor }: SnapshotDeclaration<State>,
    { state, revision, eventId }: Snapshot<State>,
  ): Promise<void> => {
    const plain = JSON.stringify(pack(state));
    const text = sealedFor ? await sealedText(keys, stream, plain, sealedFor(state)) : plain;
    if (text === undefined) return;
    if (text.length > MAX_CHARACTERS) {
      log.warn({ stream, characters: text.length }, 'the state is too large for a snapshot');
      return;
    }
    // While two releases run side by side, that of the newer one stays.
    await pool.query(
      `insert into ops.snapshots as s (stream, revision, event_id, version, state) values ($1, $2, $3, $4, $5)
       on conflict (stream) do update set revision = excluded.revision, event_id = excluded.event_id,
         version = excluded.version, state = excluded.state, written_at = now()
       where (s.version, s.revision) < (excluded.version, excluded.revision)`,
      [stream, revision.toString(), eventId, version, text],
    );
    metrics.snapshots.inc({ outcome: 'written' });
  };

  const rowOf = async (stream: string, version: number): Promise<Row | undefined> => {
    const { rows } = await withTimeout(
      pool.query<Row>('select revision::text, event_id, state from ops.snapshots where stream = $1 and version = $2', [
        stream,
        version,
      ]),
      READ_TIMEOUT_MS,
      `no snapshot of ${stream} within ${READ_TIMEOUT_MS} ms`,
    );
    return rows[0];
  };

  const remove = async (stream: string, revision: string, err?: unknown): Promise<void> => {
    log.warn({ err, stream, revision }, 'a snapshot is damaged or does not fit the log, and is deleted');
    metrics.snapshots.inc({ outcome: 'deleted' });
    await pool
      .query('delete from ops.snapshots where stream = $1 and revision = $2', [stream, revision])
      .catch((err: unknown) => log.warn({ err, stream }, 'a snapshot was not deleted'));
  };

  return {
    async find(stream, declared) {
      const row = await rowOf(stream, declared.version).catch((err: unknown) => {
        log.warn({ err, stream }, 'a snapshot cannot be read: the stream is read from its first event');
        return undefined;
      });
      if (!row) return undefined;
      try {
        const state = declared.sealedFor ? await openedText(keys, stream, row.state) : row.state;
        return read({ ...row, state }, declared);
      } catch (err) {
        await remove(stream, row.revision, err);
        return undefined;
      }
    },
    offer(stream, declared, of) {
      queue
        .run('snapshots', () => write(stream, declared, of))
        .catch((err: unknown) => {
          if (!(err instanceof Overloaded)) log.warn({ err, stream }, 'a snapshot was not written');
          metrics.snapshots.inc({ outcome: 'skipped' });
        });
    },
    discard: (stream, revision) => remove(stream, revision.toString()),
  };
};
