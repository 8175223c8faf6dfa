/** The index on a real database: it follows listings, consents and erasures, and answers before it is filled. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Recorded } from '../../domain/core/decider.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { recommendedKinds } from '../../domain/recommendations/item.ts';
import { inTransaction } from '../../infra/postgres.ts';
import { applyBatch } from '../../projections/engine/applyEvents.ts';
import { type Positions, watchPositions } from '../../projections/engine/positions.ts';
import { type ReadDb, readDb } from '../../projections/engine/readDb.ts';
import { ensureTables } from '../../projections/engine/tableVersions.ts';
import { groups, models } from '../../projections/modules.ts';
import { followRecommendations } from '../../projections/recommendations/followRecommendations.ts';
import { type Asked, recommendedTo } from '../../projections/recommendations/recommendedTo.ts';
import { creation } from '../bookings/bookingFixtures.ts';
import { tourDetails } from '../catalog/listingFixtures.ts';
import { happened } from '../kit/projected.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

const AT = '2027-01-10T12:00:00.000Z';
let stores: Stores;
let positions: Positions;
let db: ReadDb;
let following: Awaited<ReturnType<typeof followRecommendations>> | undefined;
beforeAll(async () => {
  stores = await freshStores();
  await ensureTables(stores.pool, groups);
  positions = await watchPositions(stores.pool, stores.databaseUrl, stores.log, models);
  db = readDb(stores.pool);
});
afterAll(async () => {
  await following?.stop();
  await positions.stop();
});

const shown = models.filter(({ name }) => name !== 'audit_events'); // made of positions in a log
const project = (...events: readonly Recorded[]) =>
  inTransaction(stores.pool, async (client) => {
    for (const model of shown)
      await applyBatch(client, { model, table: model.name, publishes: true }, events, new Map(), async (_, reason) => {
        throw new Error(reason);
      });
  });

const seller = () => ({ ownerId: randomUUID(), timezone: 'Europe/Moscow', currency: 'RUB' });
const newTour = async (name: string): Promise<string> => {
  const id = randomUUID();
  const data = { ...tourDetails, ...seller(), name };
  await project(
    happened('tour', id, { type: 'TourAdded', data }, AT),
    happened('tour', id, { type: 'TourPublished', data: {} }, AT),
  );
  return id;
};
const bookedBy = async (userId: string, tourId: string): Promise<void> => {
  const id = randomUUID();
  const slot = { slotStart: '2027-01-15T17:00:00.000Z', slotEnd: '2027-01-15T18:30:00.000Z' };
  const item = { type: 'tour', listingId: tourId, unitId: tourId, seats: 1, ...slot } as const;
  const paid = { paymentId: randomUUID(), amountMinor: 20_000, answerBy: null };
  await project(
    happened('booking', id, { type: 'BookingCreated', data: { ...creation, userId, item } }, AT),
    happened('booking', id, { type: 'BookingPaid', data: paid }, AT),
  );
};
const answer = (person: string, granted: boolean, purpose = 'recommendations') => {
  const data = { purpose, policyVersion: '1', granted, userAgent: null };
  return project(happened('consent', person, { type: 'ConsentAnswered', data }, AT));
};
const ask = (person: string, more: Partial<Asked> = {}) =>
  recommendedTo(
    { db, positions },
    {
      ...{ person, isPersonal: true, kinds: recommendedKinds, dates: undefined, guests: 1, limit: 10, at: AT },
      ...more,
    },
  );
const idsFor = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).map(({ item }) => item.id);

it('answers before it is filled, then follows listings, bookings, consents and erasures', async () => {
  const [night, ridge, lake] = [await newTour('Night'), await newTour('Ridge'), await newTour('Lake')];
  const [anna, boris, vera] = [randomUUID(), randomUUID(), randomUUID()];
  for (const person of [anna, boris, vera]) for (const tour of [night, ridge]) await bookedBy(person, tour);
  for (const person of [anna, boris]) await answer(person, true);

  // Nothing is filled yet.
  const guest = randomUUID();
  await bookedBy(guest, night);
  expect((await idsFor(guest)).sort()).toEqual([ridge, lake].sort());

  following = await followRecommendations({ db, log: stores.log, positions, now: () => AT });
  const index = await until(() => following?.current());
  // Vera has not consented, so that nobody learns from what she booked.
  expect([index.peopleOf(night), index.togetherWith(night).get(ridge)]).toEqual([2, 2]);
  expect(await ask(guest)).toMatchObject([
    {
      item: { id: ridge },
      reasons: [{ code: 'booked_together', because: night }, { code: 'popular' }],
    },
    { item: { id: lake } },
  ]);
  const withoutConsent = (await ask(guest, { isPersonal: false })).flatMap(({ reasons }) =>
    reasons.map(({ code }) => code),
  );
  expect(withoutConsent).not.toContain('booked_together');
  expect(withoutConsent).not.toContain('similar');

  await answer(vera, true);
  await until(() => index.peopleOf(night) === 3);
  await answer(vera, true, 'marketing');
  await answer(anna, false);
  await until(() => index.peopleOf(night) === 2);
  await project(happened('account', boris, { type: 'PersonErased', data: {} }, AT));
  await until(() => index.peopleOf(night) === 1);

  const fresh = await newTour('Fresh');
  await until(() => index.itemOf(fresh));
  await project(happened('tour', fresh, { type: 'TourClosed', data: {} }, AT));
  expect(await idsFor(guest)).not.toContain(fresh); // whether the index has heard of it or not
  await until(() => index.itemOf(fresh) === undefined);

  const policy = { purpose: 'recommendations', version: '2', url: null };
  await project(happened('consentPolicies', ONLY_ONE, { type: 'ConsentPolicyPublished', data: policy }, AT));
  await until(() => index.peopleOf(night) === 0);
});

it('has with dates only what departs on them and has seats left', async () => {
  const tour = await newTour('With dates'); // on Fridays and Saturdays
  await until(() => following?.current()?.itemOf(tour));
  const [friday, monday] = [
    { checkIn: '2027-01-15', checkOut: '2027-01-17' },
    { checkIn: '2027-01-18', checkOut: '2027-01-20' },
  ];
  const found = await ask(randomUUID(), { dates: friday, kinds: ['tour'] });
  expect(found.find(({ item }) => item.id === tour)?.reasons).toContainEqual({ code: 'free' });
  expect(await idsFor(randomUUID(), { dates: monday, kinds: ['tour'] })).toEqual([]);
  expect(await idsFor(randomUUID(), { dates: friday, guests: 9 })).toEqual([]);

  for (const slot of ['2027-01-15T17:00:00.000Z', '2027-01-16T17:00:00.000Z'])
    await stores.pool.query(`insert into read.slot_holds (unit_id, slot, taken) values ($1, $2, 8)`, [tour, slot]);
  expect(await idsFor(randomUUID(), { dates: friday, kinds: ['tour'] })).not.toContain(tour);
});
