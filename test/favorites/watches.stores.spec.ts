/** Watches on the real stores: what is news, told once whoever looks, and the stay that becomes free. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { changeListing } from '../../commands/catalog/listings.ts';
import { changeRoom, priceNights } from '../../commands/catalog/rooms.ts';
import { addFavorite, type Marked, removeAllFavorites } from '../../commands/favorites/favorites.ts';
import { lookAt } from '../../commands/favorites/lookAtWatched.ts';
import { favoritePolicy } from '../../commands/favorites/policy.ts';
import { keepWatch, rememberRoom } from '../../commands/favorites/watches.ts';
import { inventory } from '../../domain/catalog/inventory.ts';
import { type ListingKind, listingKinds } from '../../domain/catalog/listings.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { addMs, HOUR_MS } from '../../domain/core/instants.ts';
import type { Target, Watch } from '../../domain/favorites/favorites.ts';
import { createOffers } from '../bookings/offers.ts';
import { createStage, type Stage } from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { freshStores, type Stores } from '../kit/stores.ts';

let stores: Stores;
let stage: Stage;
beforeAll(async () => {
  stores = await freshStores();
  stage = await createStage(stores, { units: 1 });
  await rememberRoom(stores.pool, stage.roomId, stage.hotelId);
});

const hotel = () => ({ kind: 'hotel', id: stage.hotelId }) as const;
const look = (id: string = stage.hotelId) => lookAt(stage.node, contextOf('worker', 'system'), id);
/** Marks the hotel or something else, and looks at it for the first time, as the policy does. @returns the person */
const watching = async (watch: Watch, target: Target = hotel()): Promise<string> => {
  const person = randomUUID();
  await addFavorite(stage.node, contextOf(person), person, target as Marked, watch);
  await keepWatch(stage.node, person, target);
  await look(target.id);
  return person;
};
/** Has the policy handle the last event of a stream, and looks at what it wants to have looked at. */
const follow = async (stream: string): Promise<void> => {
  const { node } = stage;
  const stored = await node.store.read(stream, { direction: 'backwards', max: 1 });
  const [event] = await node.codec.decodeWithoutAddress<Recorded>(stored);
  const context = contextOf('worker', 'system');
  await favoritePolicy.handlers.get(event?.type ?? '')?.(event as never, { deps: node, context });
  const { rows } = await stores.pool.query<{ id: string }>(
    `delete from ops.jobs where kind = 'favorite_look' returning data->>'targetId' as id`,
  );
  for (const { id } of rows) await look(id);
};
/** The names of what the person is to be told. */
const told = async (person: string): Promise<string[]> => {
  const { rows } = await stores.pool.query<{ name: string }>(
    `select data->>'name' as name from ops.jobs
     where kind = 'notification_cue' and data->'about'->>'person' = $1 order by 1`,
    [person],
  );
  return rows.map(({ name }) => name);
};
const price = (value: number) =>
  priceNights(stage.node, stage.owner(), stage.roomId, [{ from: stage.day(0), to: stage.day(60), price: value }]);

it('a drop is told once, also when two look at the same time', async () => {
  const person = await watching({ reasons: ['price_drop'], stay: null });
  await price(120);
  await look();
  expect(await told(person)).toEqual([]);
  await price(90);
  await Promise.all([look(), look(), look()]);
  await keepWatch(stage.node, person, hotel()); // the event is handled again
  await look();
  expect(await told(person)).toEqual(['favorite_price_dropped']);
  await price(80);
  await look();
  expect(await told(person)).toHaveLength(2);
});

it('dates that were taken become free', async () => {
  const [checkIn, checkOut] = [stage.day(20), stage.day(22)];
  const hold = { holdId: randomUUID(), bookingId: randomUUID(), keys: [checkIn, stage.day(21)], quantity: 1 };
  const { at } = contextOf('');
  const expiresAt = addMs(at, HOUR_MS);
  const handle = stage.node.aggregates.handle;
  const system = contextOf('system', 'system');
  await handle(inventory, stage.roomId, { type: 'PlaceHold', ...hold, expiresAt, at }, system);

  const person = await watching({ reasons: ['free_dates'], stay: { checkIn, checkOut, guests: 1 } });
  const anyDates = await watching({ reasons: ['free_dates'], stay: null });
  await look();
  expect(await told(person)).toEqual([]);
  const release = { type: 'ReleaseHold', holdId: hold.holdId, reason: 'cancelled' } as const;
  await handle(inventory, stage.roomId, release, contextOf('system', 'system'));
  await look();
  expect(await told(person)).toEqual(['favorite_became_free']);
  expect(await told(anyDates)).toEqual([]);

  await removeAllFavorites(stage.node, contextOf(person), person);
  await keepWatch(stage.node, person, hotel());
  const { rowCount } = await stores.pool.query('select from ops.favorite_watches where person_id = $1', [person]);
  expect(rowCount).toBe(0);
});

it.each([
  ['tour', { pricePerPersonMinor: 100 }],
  ['transfer', { vehicles: [{ name: 'Van', class: 'comfort', seats: 3, luggage: 2, units: 1, priceMinor: 100 }] }],
  ['instructor', { pricePerHourMinor: 100 }],
] as const)('a lower price of a closed %s is told when it opens again', async (kind, details) => {
  const { id } = await createOffers(stage).list[kind]();
  const change = (changes: Parameters<typeof changeListing>[4]) =>
    changeListing(stage.node, stage.owner(), listingKinds[kind] as unknown as ListingKind<object>, id, changes);
  const person = await watching({ reasons: ['price_drop'], stay: null }, { kind, id });
  await change({ status: 'closed' });
  await follow(`${kind}-${id}`);
  await change({ details });
  await follow(`${kind}-${id}`);
  expect(await told(person)).toEqual([]);
  await change({ status: 'published' });
  await follow(`${kind}-${id}`);
  expect(await told(person)).toEqual(['favorite_price_dropped']);
});

it('a stay becomes free when its room takes more guests', async () => {
  const stay = { checkIn: stage.day(40), checkOut: stage.day(42), guests: 3 };
  const person = await watching({ reasons: ['free_dates'], stay });
  await changeRoom(stage.node, stage.owner(), stage.roomId, { capacity: 3 });
  await follow(`room-${stage.roomId}`);
  expect(await told(person)).toEqual(['favorite_became_free']);
});
