/** The demo is complete and the same, however often its seeding was interrupted. */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAggregates } from '../../commands/core/handle.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { readConfig } from '../../ops/config.ts';
import { type Demo, seedDemo } from '../../ops/seed/demo.ts';
import { wire } from '../../ops/wiring.ts';
import { freshStores, type Stores } from '../kit/stores.ts';

const AT = '2026-12-01T10:00:00.000Z';
const configOf = ({ databaseUrl, eventStore }: Stores) =>
  readConfig({ NODE_ENV: 'test', DATABASE_URL: databaseUrl, ESDB_CONNECTION_STRING: eventStore });

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'resort-seed-'));
});
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

/** Seeds a system whose log fails permanently after a number of appends. */
const seed = async (stores: Stores, appends = Number.POSITIVE_INFINITY) => {
  const wiring = wire(configOf(stores), 'seed', stores.log);
  let left = appends;
  const store: Stores['store'] = {
    ...wiring.store,
    append: (...args) => {
      left -= 1;
      return left < 0 ? Promise.reject(new Error('cut off')) : wiring.store.append(...args);
    },
  };
  const deps = { ...wiring, aggregates: createAggregates(store, wiring.codec) };
  return seedDemo(deps, directory, AT).finally(() => wiring.close());
};

/**
 * Event types in the log, and how many of each. An identifier that was claimed before the seeding was cut off is claimed once more
 * for the same account, so that of claims the identifiers are counted.
 */
const countOf = async ({ store }: Stores): Promise<Record<string, number>> => {
  const { events } = await store.readAll({ max: 10_000 });
  const counts: Record<string, number> = {};
  for (const { type } of events) counts[type] = (counts[type] ?? 0) + 1;
  const claims = events.filter(({ type }) => type === 'IdentityClaimed');
  counts.IdentityClaimed = new Set(claims.map(({ stream }) => stream)).size;
  return counts;
};

const readDemo = async (): Promise<Demo> => JSON.parse(await readFile(path.join(directory, 'demo.json'), 'utf8'));

it('seeds once, and makes the sign-ins readable only by the owner', async () => {
  const stores = await freshStores();
  const { position } = await seed(stores);
  expect(position).toEqual(await stores.store.head());
  const counts = await countOf(stores);
  expect(counts).toMatchObject({ AccountOpened: 9, HotelAdded: 12, HotelPublished: 12, ApiKeyCreated: 1 });
  expect(counts).toMatchObject({
    TourAdded: 6,
    RestaurantAdded: 6,
    TransferAdded: 5,
    InstructorAdded: 6,
    CompanyAdded: 5,
    PostCreated: 3,
    PromoCodeCreated: 1,
  });
  expect(counts.RoomNightsPriced).toBe(counts.RoomAdded);
  const [seats, tables, vehicles, people] = [6, 14, 15, 6];
  expect(counts.CapacitySet).toBe((counts.RoomAdded ?? 0) + seats + tables + vehicles + people);

  const demo = await readDemo();
  expect((await stat(path.join(directory, 'demo.json'))).mode & 0o777).toBe(0o600);
  expect(Object.values(demo.accounts).map(({ email }) => email.split('@')[0])).toEqual(Object.keys(demo.accounts));

  await seed(stores);
  expect(await countOf(stores)).toEqual(counts);
  expect(await readDemo()).toEqual(demo);
  await stores.stop();
});

it('goes on after an event store that did not answer in time', async () => {
  const stores = await freshStores();
  const wiring = wire(configOf(stores), 'seed', stores.log);
  let appends = 0;
  const store: Stores['store'] = {
    ...wiring.store,
    append: (...args) => {
      appends += 1;
      return appends === 5 || appends === 60
        ? Promise.reject(new StoreUnavailable('busy'))
        : wiring.store.append(...args);
    },
  };
  await seedDemo({ ...wiring, aggregates: createAggregates(store, wiring.codec) }, directory, AT);
  expect(await countOf(stores)).toMatchObject({ AccountOpened: 9, HotelAdded: 12, ApiKeyCreated: 1 });
  await wiring.close();
  await stores.stop();
});

it('completes an interrupted seeding without duplicates', async () => {
  const [whole, cut] = [await freshStores(), await freshStores()];
  await seed(whole);
  const complete = await countOf(whole);
  for (const appends of [3, 9, 31, 70, 90]) await expect(seed(cut, appends)).rejects.toThrow('cut off');
  expect(await countOf(cut)).not.toEqual(complete);
  await seed(cut);
  expect(await countOf(cut)).toEqual(complete);
  await Promise.all([whole.stop(), cut.stop()]);
});
