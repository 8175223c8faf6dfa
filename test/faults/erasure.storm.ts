/**
 * A thousand accounts that have left something everywhere are erased, some at a time, while others book, pay, cancel and
 * read. Nobody may get a 5xx, the read models stay within seconds, every certificate becomes complete, nothing of the
 * erased is found in any table, and rebuilt read models equal the live ones. STORM_SMALL=1 has 40 accounts,
 * STORM_PEOPLE any number.
 */
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../domain/core/instants.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { createLogger } from '../../infra/log.ts';
import { inTransaction, unbounded } from '../../infra/postgres.ts';
import type { TokenSecrets } from '../../infra/tokens.ts';
import { readConfig } from '../../ops/config.ts';
import { type Wiring, wire } from '../../ops/wiring.ts';
import { photo } from '../files/samples.ts';
import { cliWithin } from '../kit/cli.ts';
import { type CallApi, caller, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { startWorld, type World } from '../kit/world.ts';
import { MARK, makePlaces, newLeaver, type Places } from './leavers.ts';
import { type Load, startLoad } from './load.ts';
import { type Member, newSession } from './stormCast.ts';

const SMALL = process.env.STORM_SMALL === '1';
const PEOPLE = Number(process.env.STORM_PEOPLE ?? (SMALL ? 40 : 1_000));
/** Of so many people an operator erases one, with the command of the command line. */
const OPERATOR_EACH = Math.ceil(PEOPLE / 10);
const MAKE_AT_ONCE = 8;
const ERASE_AT_ONCE = 4;
const READERS = 4;
/** A machine that clients and system share is slow; a queue that never ends is longer. */
const LAG_LIMIT_S = 30;
/** It only ends what would never end. */
const LONG_MS = 6 * HOUR_MS;
const runCli = cliWithin(LONG_MS);

const say = (line: string) => process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
const percentile = (times: readonly number[], part: number): string =>
  (times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? Number.NaN).toFixed(0);
const spread = (times: readonly number[]) =>
  `p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms of ${times.length}, load average ${loadavg()[0]?.toFixed(1)}`;

let world: World;
let wiring: Wiring;
let secrets: TokenSecrets;
let api: string;
let metrics: string;
let call: CallApi;
let places: Places;
const leavers: Member[] = [];
/** Replies with 5xx, and requests without a reply. */
const wrongs: string[] = [];

beforeAll(async () => {
  world = await startWorld({ CHAT_STRANGERS_PER_DAY: '0', FORUM_POSTS_PER_HOUR: '0', FORUM_TOPICS_PER_DAY: '0' });
  const now = await world.runtime();
  ({ api, metrics } = now);
  const config = readConfig({
    NODE_ENV: 'test',
    DATABASE_URL: now.databaseUrl,
    ESDB_CONNECTION_STRING: now.eventStore,
  });
  wiring = wire(config, 'storm', createLogger({ level: 'warn' }));
  secrets = { jwtSecret: config.JWT_SECRET, jwtSecretPrevious: undefined };
  const plain = caller(api);
  call = async (request, more) => {
    const reply = await plain(request, more).catch((error: unknown) => {
      wrongs.push(`${request}: ${error}`);
      throw error;
    });
    if (reply.status >= 500) wrongs.push(`${request}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply;
  };
  const as = (who: 'hotelier' | 'restaurant' | 'admin') => signIn(call, world.demo, who);
  const tokens = { hotelier: await as('hotelier'), restaurant: await as('restaurant'), admin: await as('admin') };
  places = await makePlaces(wiring, secrets, call, tokens);
});
afterAll(async () => {
  if (wrongs.length > 0) for (const line of world?.output.slice(-50) ?? []) say(line);
  await wiring?.close();
  await world?.stop();
});

/** Reads what people read, without a pause, until it is stopped. */
const startReaders = (token: string) => {
  const paths = [
    ...['/api/v1/hotels', '/api/v1/stories', '/api/v1/bookings/me', '/api/v1/resort/slopes', '/auth/me'],
    ...[`/api/v1/hotels/${places.hotelId}`, `/api/v1/forums/topics/${places.topics[0]}/posts`],
    `/api/v1/reviews?target_type=restaurant&target_id=${places.restaurantId}`,
  ];
  const times: number[] = [];
  let going = true;
  const readers = Array.from({ length: READERS }, async (_, first) => {
    for (let n = first; going; n += 1) {
      const begun = performance.now();
      const { status } = await call(`GET ${paths[n % paths.length]}`, { token });
      expect(status).toBeLessThan(500);
      times.push(performance.now() - begun);
      await delay(20);
    }
  });
  return {
    times,
    stop: async () => {
      going = false;
      for (const each of await Promise.allSettled(readers)) if (each.status === 'rejected') throw each.reason;
    },
  };
};

/** The largest lag of any group of read models, in seconds, looked at once a second. */
const watchLag = () => {
  const lags: number[] = [];
  let going = true;
  const watching = (async () => {
    while (going) {
      const text = await fetch(metrics, { signal: AbortSignal.timeout(10_000) }).then(
        (reply) => reply.text(),
        () => '',
      );
      const found = [...text.matchAll(/^projection_lag_seconds\{.*\} ([\d.e+-]+)$/gm)].map(([, value]) =>
        Number(value),
      );
      lags.push(...(found.length > 0 ? [Math.max(...found)] : []));
      await delay(1_000);
    }
  })();
  return async () => {
    going = false;
    await watching;
    return lags;
  };
};

const certificates: string[] = [];

describe(`${PEOPLE} accounts are erased under load`, () => {
  it(
    'makes them',
    async () => {
      const begun = performance.now();
      const picture = await photo(64, 48);
      await concurrentEach(Array(PEOPLE).keys(), MAKE_AT_ONCE, async (n) => {
        leavers.push(await newLeaver({ deps: wiring, secrets, call, api }, places, n, picture));
      });
      say(`${PEOPLE} accounts made in ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
      expect(wrongs).toEqual([]);
    },
    LONG_MS,
  );

  it(
    'erases them while others book and read',
    async () => {
      const tourist = await signIn(call, world.demo, 'tourist');
      // Signed again for each request: a token ends after some minutes.
      const client = { world, call, token: () => token };
      let token = tourist;
      const renewal = setInterval(async () => {
        token = await signIn(call, world.demo, 'tourist').catch(() => token);
      }, 300_000);
      const reader = await newSession(wiring, secrets, world.demo.accounts.tourist2.id);
      const lagNow = watchLag();
      const load: Load = await startLoad(client, { cancel: 0.6 });
      const calm = startReaders(reader);
      await until(() => calm.times.length > 200 && load.booked.size > 5, LONG_MS);
      await calm.stop();
      say(`reads before: ${spread(calm.times)}`);
      const readers = startReaders(reader);
      const begun = performance.now();
      const took: number[] = [];
      await concurrentEach(leavers.entries(), ERASE_AT_ONCE, async ([n, { id }]) => {
        if (n % OPERATOR_EACH === OPERATOR_EACH - 1) {
          certificates.push((await runCli(world.dataDir, 'vault', 'erase', id, '--json')).certificate_id);
          return;
        }
        const own = await newSession(wiring, secrets, id);
        const at = performance.now();
        const reply = await call('DELETE /api/v1/me?settle=cancel', { token: own });
        took.push(performance.now() - at);
        expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 200, body: { status: 'erased' } });
        certificates.push(reply.body.certificate_id);
        if (took.length % 100 === 0) say(`${took.length} erased`);
      });
      const seconds = (performance.now() - begun) / 1_000;
      const booked = load.booked.size;
      await readers.stop();
      await load.stop();
      clearInterval(renewal);
      const lags = await lagNow();
      say(`${leavers.length} erased in ${seconds.toFixed(0)} s: ${spread(took)}; ${booked} bookings meanwhile`);
      say(`reads meanwhile: ${spread(readers.times)}`);
      expect(lags.length).toBeGreaterThan(0);
      say(`lag: ${Math.max(...lags).toFixed(1)} s at most, p50 ${percentile(lags, 0.5)} s, of ${lags.length} looks`);
      expect(Math.max(...lags)).toBeLessThan(LAG_LIMIT_S);
      expect(wrongs).toEqual([]);
    },
    LONG_MS,
  );

  it(
    'every certificate becomes complete',
    async () => {
      expect(new Set(certificates).size).toBe(PEOPLE);
      await concurrentEach(certificates, ERASE_AT_ONCE, async (id) => {
        const certificate = await until(async () => {
          const { status, body } = await call(`GET /api/v1/erasures/${id}`);
          expect(status, JSON.stringify(body)).toBe(200);
          return body.status === 'complete' && body;
        }, 600_000);
        const holders = certificate.parts.map(({ holder }: { holder: string }) => holder);
        expect(holders).toEqual(
          expect.arrayContaining([
            'read.accounts',
            'read.messages',
            'read.forum_posts',
            'ops.sessions',
            'ops.push_devices',
          ]),
        );
      });
      expect(wrongs).toEqual([]);
    },
    LONG_MS,
  );

  it(
    'nothing of them is found, and the read models equal rebuilt ones',
    async () => {
      const tables = await wiring.pool.query<{ name: string }>(
        `select oid::regclass::text as name from pg_class
         where relnamespace in ('ops'::regnamespace, 'read'::regnamespace) and relkind in ('r', 'p') and not relispartition`,
      );
      const found: string[] = [];
      for (const { name } of tables.rows) {
        const { rows } = await inTransaction(wiring.pool, (client) =>
          unbounded<{ row: string }>(
            client,
            `select t::text as row from ${name} t where t::text like '%${MARK}%' limit 1`,
          ),
        );
        if (rows[0]) found.push(`${name}: ${rows[0].row.slice(0, 500)}`);
      }
      expect(found).toEqual([]);
      expect(await runCli(world.dataDir, 'jobs', 'parked', '--json')).toEqual([]);
      for (const model of await runCli(world.dataDir, 'projections', 'verify', '--json'))
        expect(model, JSON.stringify(model)).toMatchObject({ differences: 0 });
      expect(wrongs).toEqual([]);
    },
    LONG_MS,
  );
});
