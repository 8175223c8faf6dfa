/**
 * What each read costs when the history has grown: five times as many rows of every table, for one person, one seller, one
 * thread, one night as for all. `GROWTH=300,3000` copies other numbers of rows, and prints all that grows.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '../../infra/log.ts';
import { output } from '../../infra/output.ts';
import { createPool, type Pool } from '../../infra/postgres.ts';
import { readConfig } from '../../ops/config.ts';
import { start } from '../../ops/roles/api.ts';
import type { Running } from '../../ops/roles/role.ts';
import { type Call, type CallApi, caller } from '../kit/http.ts';
import { startWorld, type World } from '../kit/world.ts';
import { fillWorld } from '../privacy/filledWorld.ts';
import { createMarks } from '../privacy/marks.ts';
import { type Cast, createCast } from '../privacy/people.ts';
import { createWriter, type Writer } from '../privacy/writer.ts';
import { addCopies, keepOriginals } from './copies.ts';
import { bounded, notYet } from './grows.ts';
import { type Cost, explainStatements, hearPlans } from './plans.ts';
import { requestsOf } from './requests.ts';

const IS_BY_HAND = process.env.GROWTH !== undefined;
/** How many copies of each row there are, first and then. */
const [SMALL, LARGE] = (process.env.GROWTH ?? '60,300').split(',').map(Number) as [number, number];

const log = createLogger({ level: 'silent' });
let world: World;
let pool: Pool;
let api: Running;
let cast: Cast;
let writer: Writer;
const plans = hearPlans();

beforeAll(async () => {
  world = await startWorld();
  const { demo, dataDir } = world;
  const runtime = await world.runtime();
  pool = createPool(runtime.databaseUrl, {
    max: 4,
    applicationName: 'spec',
    log,
    statementTimeoutMs: 600_000,
    answerTimeoutMs: 600_000,
  });
  writer = createWriter(caller(runtime.api), createMarks());
  cast = await createCast(writer, { demo, dataDir, runtime }, pool);
  await fillWorld(writer, cast);
  const { rows } = await pool.query<{ name: string }>('select current_database() as name');
  await explainStatements(pool, rows[0]?.name as string);
  const config = readConfig({
    NODE_ENV: 'test',
    ROLE: 'api',
    PORT: '0',
    LOG_LEVEL: 'silent',
    RATE_LIMITS: '0',
    DATABASE_URL: runtime.databaseUrl,
    ESDB_CONNECTION_STRING: runtime.eventStore,
    SANDBOX_URL: runtime.sandbox,
  });
  api = await start(config, log);
});
afterAll(async () => {
  plans.end();
  await api?.stop();
  await pool?.end();
  await world?.stop();
});

const today = new Date().toISOString().slice(0, 10);

interface Asked {
  /** Of the operation. */
  readonly key: string;
  readonly reader: string;
  readonly at: string;
  readonly as: Call;
}

/** Sellers of other kinds than instructors, who see the same of theirs, only in a run by hand. */
const readersOf = (): Readonly<Record<string, Call>> => ({
  admin: { token: cast.admin, headers: { 'x-reason': 'what it costs' } },
  guest: { token: cast.guest.token },
  instructor: { token: cast.seller.token },
  staying: { token: cast.staying.token },
  ...(IS_BY_HAND && Object.fromEntries(Object.entries(cast.sellers).map(([role, { token }]) => [role, { token }]))),
  partner: { apiKey: world.demo.partner_key },
});

/** Ids that queries may name. */
const knownIds = (): Map<string, readonly string[]> => {
  const people = [cast.guest.id, cast.seller.id, ...Object.values(cast.sellers).map(({ id }) => id)];
  const of = (noun: string) => [...(writer.ids.get(noun) ?? people)].slice(0, 2);
  return new Map<string, readonly string[]>([
    ['account_id', people.slice(0, 2)],
    ['user_id', people.slice(0, 1)],
    ['owner_id', people.slice(1, 2)],
    ['booking_id', of('bookings')],
    ['pass_id', of('passes')],
    ['purchase_id', of('purchases')],
  ]);
};

/** What is answered, by the first of its ids that a reader may see. */
const answered = async (call: CallApi): Promise<Asked[]> => {
  const asked: Asked[] = [];
  for (const { key, paths } of requestsOf(writer, { ids: knownIds(), today })) {
    const seen = new Map<string, string>();
    for (const at of paths)
      for (const [reader, as] of Object.entries(readersOf())) {
        const [where = ''] = at.split('?');
        if ((seen.get(reader) ?? where) !== where) continue;
        if ((await call(`GET ${at}`, as)).status >= 300) continue;
        seen.set(reader, where);
        asked.push({ key, reader, at, as });
      }
  }
  return asked;
};

const measure = async (call: CallApi, asked: readonly Asked[]): Promise<Cost[]> => {
  const costs: Cost[] = [];
  for (const { at, as } of asked) {
    plans.cost();
    await call(`GET ${at}`, as);
    costs.push(plans.cost());
  }
  return costs;
};

/** By more than a third, and by more than what happens beside it. */
const isMore = (small: Cost, large: Cost): boolean =>
  large.blocks > small.blocks * 1.34 + 60 ||
  large.rows > small.rows * 1.34 + 100 ||
  large.statements > small.statements * 1.34 + 5;

/** Thousands of requests, one after the other. */
const LONG = { timeout: 1_200_000 };

it('no read costs more when there is more that it does not show', LONG, async () => {
  const call = caller(api.address as string);
  const tables = await keepOriginals(pool);
  await addCopies(pool, tables, 1, SMALL);
  const asked = await answered(call);
  expect(new Set(asked.map(({ key }) => key)).size).toBeGreaterThan(100);
  const small = await measure(call, asked);
  await addCopies(pool, tables, SMALL + 1, LARGE);
  const large = await measure(call, asked);

  const grown = new Map<string, string>();
  for (const [nth, { key, reader, at }] of asked.entries()) {
    const [before, after] = [small[nth] as Cost, large[nth] as Cost];
    if (!isMore(before, after)) continue;
    const what = `${key} ?${/\?(\w+)/.exec(at)?.[1] ?? ''}`;
    const [most = ''] = [...after.reads].map(([table, rows]) => `${rows} rows of ${table}`);
    const cost = ({ blocks, rows, statements }: Cost) => `${blocks} blocks, ${rows} rows, ${statements} statements`;
    grown.set(what, `${what} (${reader}): ${cost(before)}; then ${cost(after)}, ${most}`);
  }
  if (IS_BY_HAND) output.write([...grown.values()].join('\n'));
  const isKnown = (what: string) => [...bounded, ...notYet].some((each) => each.what.test(what));
  expect([...grown].filter(([what]) => !isKnown(what)).map(([, found]) => found)).toEqual([]);
});
