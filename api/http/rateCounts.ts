/**
 * Requests of the last minute, counted by all API processes together and without a statement for each: a process counts
 * in memory, and once a second sends what it has counted and gets the sums. So a client can exceed a limit by what it
 * sends within one second through every further process. While the database is away, each process counts alone.
 *
 * The last minute is estimated from two calendar minutes: the current one, and the part of the previous one that is still
 * within 60 seconds, as if its requests had been spread evenly.
 */
import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '../../domain/core/instants.ts';
import type { Logger } from '../../infra/log.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Queryable } from '../../infra/postgres.ts';

/** `key` is a fingerprint: who is counted is not readable here. Nothing is lost with the table but a minute of counts. */
export const rateCountMigrations = migrations('http', {
  personalData: {
    'ops.rate_counts': {
      nothing: 'counts under keyed fingerprints, for some minutes',
      retention: { until: 'the next minutes, when it is overwritten' },
    },
  },
  '0002_rate_counts': `
    create unlogged table ops.rate_counts (
      minute integer not null,
      key uuid not null,
      count integer not null,
      primary key (minute, key)
    );
  `,
});

const SYNC_MS = 1_000;
/** Counters in memory. An evicted one starts again at what the others know. */
const MAX_KEYS = 50_000;
/** Counters in one statement. */
const BATCH = 2_000;

interface Entry {
  minute: number;
  /** Counted here and not sent yet. */
  unsent: number;
  /** Counted by all in this minute, as of the last answer. */
  total: number;
  /** Counted by all in the minute before. */
  previous: number;
}

interface Taken {
  readonly allowed: boolean;
  /** Requests left of the limit. */
  readonly left: number;
  /** Seconds: until the next request is allowed, or until the limit is whole again. At least 1. */
  readonly seconds: number;
}

export interface RateCounts {
  /** Counts one request of `key` if fewer than `max` were counted in the last minute. */
  take(key: string, max: number): Taken;
  /** Sends what was counted and gets the sums. Runs by itself every second. */
  sync(): Promise<void>;
}

export interface RateCountOptions {
  readonly db: Queryable;
  /** The key in the table: it must not reveal whom it counts. */
  readonly fingerprint: (key: string) => string;
  readonly log: Logger;
  /** Ends the sending. */
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** The entry as of this minute: after a minute, its count is that of the minute before. */
const turn = (entry: Entry, minute: number): Entry => {
  if (entry.minute === minute) return entry;
  const previous = entry.minute === minute - 1 ? entry.total + entry.unsent : 0;
  return Object.assign(entry, { minute, previous, total: 0, unsent: 0 });
};

/** How long until one more request fits, in milliseconds. */
const waitFor = ({ total, unsent, previous }: Entry, max: number, passed: number): number => {
  const current = total + unsent;
  const share = current >= max ? 0 : Math.max(0, 1 - (max - 1 - current) / Math.max(1, previous));
  if (current < max) return share * MINUTE_MS - passed;
  return MINUTE_MS - passed + (1 - (max - 1) / current) * MINUTE_MS;
};

const SYNC = `
  with sent as (
    insert into ops.rate_counts as c (minute, key, count)
    select minute, key, count from unnest($1::integer[], $2::uuid[], $3::integer[]) as new (minute, key, count)
    order by minute, key
    on conflict (minute, key) do update set count = c.count + excluded.count
    returning minute, key, count)
  select s.key, s.count as total, coalesce(p.count, 0) as previous
  from sent s left join ops.rate_counts p on p.minute = s.minute - 1 and p.key = s.key`;

export const createRateCounts = ({ db, fingerprint, log, signal, now = Date.now }: RateCountOptions): RateCounts => {
  const entries = new LRUCache<string, Entry>({ max: MAX_KEYS });
  /** Keys with something to send. */
  let dirty = new Set<string>();
  let cleaned = 0;
  let running: Promise<void> | undefined;

  const entryOf = (key: string, minute: number): Entry => {
    const found = entries.get(key);
    if (found) return turn(found, minute);
    const fresh = { minute, unsent: 0, total: 0, previous: 0 };
    entries.set(key, fresh);
    return fresh;
  };

  const sendBatch = async (keys: readonly string[]): Promise<void> => {
    const sent = keys.flatMap((key) => {
      const entry = entries.get(key);
      return entry && entry.unsent > 0
        ? [{ entry, id: fingerprint(key), minute: entry.minute, count: entry.unsent }]
        : [];
    });
    if (sent.length === 0) return;
    const columns = [sent.map(({ minute }) => minute), sent.map(({ id }) => id), sent.map(({ count }) => count)];
    const { rows } = await db.query<{ key: string; total: number; previous: number }>(SYNC, columns);
    const sums = new Map(rows.map((row) => [row.key, row]));
    for (const { entry, id, minute, count } of sent) {
      const sum = sums.get(id);
      if (entry.minute !== minute || !sum) continue;
      Object.assign(entry, { unsent: entry.unsent - count, total: sum.total, previous: sum.previous });
    }
  };

  const send = async (): Promise<void> => {
    const keys = [...dirty];
    dirty = new Set();
    for (let from = 0; from < keys.length; from += BATCH) await sendBatch(keys.slice(from, from + BATCH));
    const minute = Math.floor(now() / MINUTE_MS);
    if (keys.length === 0 || minute === cleaned) return;
    cleaned = minute;
    await db.query('delete from ops.rate_counts where minute < $1', [minute - 1]);
  };

  const sync = (): Promise<void> => {
    running ??= send()
      .catch((err: unknown) => log.warn({ err }, 'rate limits count in this process only: the counts were not shared'))
      .finally(() => {
        running = undefined;
      });
    return running;
  };

  const timer = setInterval(() => void (dirty.size > 0 && sync()), SYNC_MS);
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });

  return {
    take: (key, max) => {
      const at = now();
      const [minute, passed] = [Math.floor(at / MINUTE_MS), at % MINUTE_MS];
      const entry = entryOf(key, minute);
      const used = entry.total + entry.unsent + entry.previous * (1 - passed / MINUTE_MS);
      if (used + 1 > max + 1e-9) {
        const seconds = Math.max(1, Math.ceil(waitFor(entry, max, passed) / 1_000));
        return { allowed: false, left: 0, seconds };
      }
      entry.unsent += 1;
      dirty.add(key);
      const seconds = Math.max(1, Math.ceil((MINUTE_MS - passed) / 1_000));
      return { allowed: true, left: Math.max(0, Math.floor(max - used - 1)), seconds };
    },
    sync,
  };
};
