/** Limits that several API processes share, at times of our choosing. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createRateCounts, type RateCounts } from '../../api/http/rateCounts.ts';
import { MINUTE_MS } from '../../domain/core/instants.ts';
import type { Queryable } from '../../infra/postgres.ts';
import { freshStores, type Stores } from '../kit/stores.ts';

let stores: Stores;
beforeAll(async () => {
  stores = await freshStores();
  stores.pool.on('acquire', () => {
    statements += 1;
  });
});

const START = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
let now = START;
let statements = 0;
/** Sends when a test says so, and not by itself every second. */
const newProcess = (db: Queryable = stores.pool): RateCounts => {
  const sending = new AbortController();
  const counts = createRateCounts({
    db,
    fingerprint: (key) => stores.vault.fingerprint('rate', key),
    log: stores.log,
    signal: sending.signal,
    now: () => now,
  });
  sending.abort();
  return counts;
};
const takes = (counts: RateCounts, key: string, times: number, max: number) =>
  Array.from({ length: times }, () => counts.take(key, max)).filter(({ allowed }) => allowed).length;

describe('requests of the last minute', () => {
  it('are counted without a statement; what a process sends in a second is one', async () => {
    const counts = newProcess();
    statements = 0;
    for (const key of ['a', 'b', 'c'].map((name) => name + randomUUID())) takes(counts, key, 1_000, 5_000);
    expect(statements).toBe(0);
    await counts.sync();
    expect(statements).toBe(2); // and one a minute that deletes what is old
    takes(counts, randomUUID(), 1_000, 5_000);
    await counts.sync();
    expect(statements).toBe(3);
    await counts.sync();
    expect(statements).toBe(3);
  });

  it('count together: what one process allows, the others know a second later', async () => {
    const key = randomUUID();
    const [one, two] = [newProcess(), newProcess()];
    expect(takes(one, key, 30, 60)).toBe(30);
    expect(takes(two, key, 20, 60)).toBe(20);
    await one.sync();
    await two.sync();
    await one.take(key, 60);
    await one.sync();
    expect(one.take(key, 60).left).toBe(60 - 52);
    expect(takes(two, key, 100, 60)).toBe(10);
    await Promise.all([one.sync(), two.sync()]);
    expect(takes(newProcess(), key, 1, 60)).toBe(1); // has not asked yet
  });

  it('slide: a limit is not twice as much around the turn of a minute', () => {
    const counts = newProcess();
    const key = randomUUID();
    now = START + 59_000;
    expect(takes(counts, key, 100, 60)).toBe(60);
    const refused = counts.take(key, 60);
    expect(refused).toMatchObject({ allowed: false, left: 0 });
    now = START + MINUTE_MS + 1_000;
    expect(takes(counts, key, 100, 60)).toBe(1);
    now = START + MINUTE_MS + 30_000;
    expect(takes(counts, key, 100, 60)).toBe(29);
    now = START + 3 * MINUTE_MS;
    expect(takes(counts, key, 100, 60)).toBe(60);
  });

  it('say when the next one is allowed, and no second earlier', () => {
    for (const passed of [0, 12_345, 59_999]) {
      const counts = newProcess();
      const key = randomUUID();
      now = START + 10 * MINUTE_MS + passed;
      takes(counts, key, 60, 60);
      const { seconds } = counts.take(key, 60);
      const refusedAt = now;
      now = refusedAt + (seconds - 1) * 1_000 - 1;
      expect(counts.take(key, 60).allowed, `${passed} early`).toBe(false);
      now = refusedAt + seconds * 1_000;
      expect(counts.take(key, 60).allowed, `${passed} in time`).toBe(true);
    }
  });

  it('go on being counted while the database is away', async () => {
    const away = Object.assign(Object.create(stores.pool), { query: () => Promise.reject(new Error('away')) });
    const counts = newProcess(away);
    const key = randomUUID();
    expect(takes(counts, key, 40, 60)).toBe(40);
    await counts.sync();
    expect(takes(counts, key, 40, 60)).toBe(20);
  });

  it('name nobody in the table, and are deleted after two minutes', async () => {
    now = START + 20 * MINUTE_MS;
    const counts = newProcess();
    counts.take('anonymous 192.0.2.1', 60);
    await counts.sync();
    const { rows } = await stores.pool.query('select * from ops.rate_counts');
    expect(JSON.stringify(rows)).not.toContain('192.0.2');
    now += 3 * MINUTE_MS;
    counts.take('anonymous 192.0.2.1', 60);
    await counts.sync();
    const left = await stores.pool.query('select 1 from ops.rate_counts');
    expect(left.rowCount).toBe(1);
  });
});
