/** A seller who loses the role: the listings close, what is booked is still answered. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { changeRole, openAccount } from '../../commands/accounts/accounts.ts';
import { confirmBooking, createBooking } from '../../commands/bookings/bookings.ts';
import { addListing, changeListing, loadListing } from '../../commands/catalog/listings.ts';
import { catalogPolicy } from '../../commands/catalog/ownedListings.ts';
import { account } from '../../domain/accounts/account.ts';
import type { Role } from '../../domain/accounts/role.ts';
import { listingKinds } from '../../domain/catalog/listings.ts';
import { type Recorded, streamName } from '../../domain/core/decider.ts';
import { addMinutes } from '../../domain/core/instants.ts';
import { createOffers } from '../bookings/offers.ts';
import { createStage, type Stage, TIMEZONE } from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { restaurantDetails } from './listingFixtures.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await createStage(await freshStores());
});

const seller = async (role: Role = 'restaurant') => {
  const who = { role, email: `${randomUUID()}@example.test`, phone: null, password: 'correct horse battery' };
  return (await openAccount(stage.node, contextOf(randomUUID(), 'admin'), who)).accountId;
};
const always = {
  openingHours: [{ weekdays: restaurantDetails.openingHours[0]?.weekdays ?? [], from: '00:00', to: '24:00' }],
};
const list = async (ownerId: string) => {
  const details = {
    ...restaurantDetails,
    ...always,
    depositPerGuestMinor: 0,
    closedDates: [],
    tables: [{ name: 'Small', seats: 2, units: 1 }],
  };
  const fixed = { ownerId, timezone: TIMEZONE, currency: 'RUB' };
  return (
    await addListing(stage.node, contextOf(ownerId, 'restaurant'), listingKinds.restaurant, { ...fixed, details })
  ).id;
};
const statusOf = async (id: string) => (await loadListing(stage.node, listingKinds.restaurant.decider, id)).status;
const publish = (id: string, actor: string, role: string) =>
  changeListing(stage.node, contextOf(actor, role), listingKinds.restaurant, id, { status: 'published' });
const grant = (owner: string, role: Role) => changeRole(stage.node, contextOf(randomUUID(), 'admin'), owner, { role });
/** The policy handles the event again, as after a restart. */
const handledAgain = async (accountId: string) => {
  const stored = await stage.node.store.read(streamName(account.category, accountId), { from: 0n, max: 100 });
  for (const event of await stage.node.codec.decodeWithoutAddress<Recorded>(stored))
    await catalogPolicy.handlers.get(event.type)?.(event as never, { deps: stage.node, context: contextOf('system') });
};

it('listings of a lost role close once; only an admin or the owner with the role again opens them', async () => {
  const owner = await seller();
  const before = await list(owner);
  stage.work();
  await until(
    async () =>
      (await stage.node.pool.query('select from ops.owned_listings where owner_id = $1', [owner])).rowCount === 1,
  );
  await grant(owner, 'tourist');
  await until(async () => (await statusOf(before)) === 'closed');
  // With a token from before, the owner neither adds another one nor opens it again.
  await expect(list(owner)).rejects.toMatchObject({ code: 'insufficient_rights' });
  await expect(publish(before, owner, 'restaurant')).rejects.toMatchObject({ code: 'insufficient_rights' });

  await publish(before, randomUUID(), 'admin');
  await handledAgain(owner);
  expect(await statusOf(before)).toBe('published');

  await grant(owner, 'hotelier');
  await until(async () => (await statusOf(before)) === 'closed');
  await grant(owner, 'restaurant');
  await handledAgain(owner);
  expect(await statusOf(before)).toBe('closed');
  await publish(before, owner, 'restaurant');
  expect(await statusOf(before)).toBe('published');
});

it('what is booked is answered by the former seller', async () => {
  const owner = await seller();
  const id = await list(owner);
  stage.work();
  const { start } = createOffers(stage);
  const request = { type: 'restaurant', itemId: id, slotStart: start(20), guests: 2 } as const;
  const { bookingId } = await createBooking(stage.node, contextOf(randomUUID()), request);
  await stage.untilBooking(bookingId, 'paid');
  await grant(owner, 'tourist');
  await until(async () => (await statusOf(id)) === 'closed');
  const again = { ...request, slotStart: addMinutes(request.slotStart, 24 * 60) };
  await expect(createBooking(stage.node, contextOf(randomUUID()), again)).rejects.toMatchObject({
    code: 'not_bookable',
  });
  expect((await confirmBooking(stage.node, contextOf(owner, 'tourist'), bookingId)).booking.status).toBe('confirmed');
});

it('listings of an erased owner close, whatever the role was', async () => {
  const owner = await seller();
  const id = await list(owner);
  stage.work();
  await grant(owner, 'tourist');
  await until(async () => (await statusOf(id)) === 'closed');
  await publish(id, randomUUID(), 'admin');
  await stage.node.aggregates.handle(account, owner, { type: 'ErasePerson' }, contextOf(randomUUID(), 'admin'));
  await until(async () => (await statusOf(id)) === 'closed');
});
