/** Stays that are shortened, and no-shows, on the real stores: what is for sale again, and what goes back. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { confirmBooking, createBooking, updateBooking } from '../../commands/bookings/bookings.ts';
import { changeQuote } from '../../commands/bookings/changes.ts';
import { markNoShow, noShowPolicy, withdrawNoShow } from '../../commands/bookings/noShows.ts';
import { bookingDue, bookingPolicy, holdExpiry } from '../../commands/bookings/policy.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import { booking } from '../../domain/bookings/booking.ts';
import { freeAt } from '../../domain/catalog/inventory.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { addMinutes } from '../../domain/core/instants.ts';
import { derivedId } from '../../infra/ids.ts';
import { contextOf } from '../kit/context.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { createOffers } from './offers.ts';
import { createStage, dyingBefore, type Settings, type Stage } from './stage.ts';

let stage: Stage;
let offers: ReturnType<typeof createOffers>;

const NIGHTS = 4;
const FIRST = 10;
/** Four nights in the only room, paid, ten days ahead; nobody works for it any more unless `works`. */
const begin = async ({ works = true, ...settings }: Settings & { readonly works?: boolean } = {}) => {
  stage = await createStage(await freshStores(), { units: 1, ...settings });
  offers = createOffers(stage);
  const worker = stage.work();
  const guest = randomUUID();
  const { bookingId } = await stayOf(guest, 0, NIGHTS);
  await pay(guest, bookingId);
  if (settings.confirmation === 'on_request') {
    await confirmBooking(stage.node, stage.owner(), bookingId);
  }
  await until(async () => (await stage.jobs()).join() === 'booking_due' || undefined);
  if (!works) await worker.stop();
  return { guest, bookingId };
};
const pay = async (guest: string, bookingId: string) => {
  const { paymentId } = await stage.pay(bookingId, guest);
  stage.provider.says(paymentId, 'succeeded');
  await stage.notify(paymentId);
  await stage.untilBooking(bookingId, 'paid');
};
/** From the `from`th to the `to`th day of the first guest. */
const stayOf = (guest: string, from: number, to: number) =>
  createBooking(stage.node, contextOf(guest), stage.stay(FIRST + from, FIRST + to, 2));
const day = (n: number): string => stage.day(FIRST + n);
/** The seller acts `hours` after the check-in at 14:00. */
const seller = (bookingId: string, hours: number): Promise<CommandContext> =>
  stage
    .booking(bookingId)
    .then(({ startsAt }) => contextOf(stage.ownerId, 'hotelier', addMinutes(startsAt, 60 * hours)));
const free = async (): Promise<number[]> => {
  const stock = await stage.stock();
  return Array.from({ length: NIGHTS }, (_, n) => freeAt(stock, day(n), new Date().toISOString()));
};
const holds = async () => [...(await stage.stock()).holds].map(([, { expiresAt }]) => expiresAt);
const refunds = async (bookingId: string) => {
  const { paymentIds } = await stage.booking(bookingId);
  const [state] = await Promise.all(paymentIds.map((id) => stage.payment(id)));
  return Object.values(state?.refunds ?? {}).map(({ amountMinor, status }) => `${amountMinor} ${status}`);
};
const eventsOf = async (bookingId: string): Promise<Recorded[]> =>
  stage.node.codec.decode<Recorded>(await stage.node.store.read(`booking-${bookingId}`));
const due = (bookingId: string, at: string) =>
  bookingDue.run(
    { id: bookingId, data: {}, attempt: 1 },
    { deps: stage.node, context: contextOf('system', 'system', at) },
  );

describe('a stay that has begun', () => {
  it('is shortened by its seller: the nights are for sale at once, and nothing is refunded', async () => {
    const { bookingId } = await begin();
    const leaves = await seller(bookingId, 26);
    const change = { checkOut: day(2) };
    expect(await changeQuote(stage.node, leaves, bookingId, change)).toMatchObject({
      totalMinor: 40_000,
      refundMinor: 0,
    });
    const { booking: after } = await updateBooking(stage.node, leaves, bookingId, change);
    expect(after).toMatchObject({ status: 'paid', totalMinor: 40_000, change: null, item: { checkOut: day(2) } });
    expect(await free()).toEqual([0, 0, 1, 1]);
    await stayOf(randomUUID(), 2, 4);
    await until(() => stage.handledAll());
    expect(await refunds(bookingId)).toEqual([]);
    await due(bookingId, after.endsAt);
    expect((await stage.booking(bookingId)).status).toBe('completed');
  });

  it('gives back what the seller says, as it was previewed, and not more than was paid', async () => {
    const { bookingId } = await begin();
    const leaves = await seller(bookingId, 26);
    const change = { checkOut: day(2), refund: 150 };
    const preview = await changeQuote(stage.node, leaves, bookingId, change);
    expect(preview).toMatchObject({ totalMinor: 25_000, dueMinor: 0, penaltyMinor: 0, refundMinor: 15_000 });
    const tooMuch = updateBooking(stage.node, leaves, bookingId, { ...change, refund: 400.01 });
    await expect(tooMuch).rejects.toMatchObject({ code: 'refund_too_large', facts: { refundable_minor: 40_000 } });
    expect(await holds()).toEqual([null]);
    const { booking: after } = await updateBooking(stage.node, leaves, bookingId, change);
    const { totalMinor, lines, commission } = after;
    expect({ totalMinor, lines }).toMatchObject({ totalMinor: preview.totalMinor, lines: preview.lines });
    await until(async () => (await refunds(bookingId)).join() === '15000 succeeded' || undefined);
    const { paymentIds } = after;
    const { parts } = await stage.payment(paymentIds[0] ?? '');
    expect(parts[bookingId]).toMatchObject({
      heldMinor: commission.providerMinor,
      platformMinor: commission.commissionMinor,
    });
    // Once more, a day later.
    const again = await seller(bookingId, 27);
    const most = updateBooking(stage.node, again, bookingId, { checkOut: day(1), refund: 250.01 });
    await expect(most).rejects.toMatchObject({ code: 'refund_too_large', facts: { refundable_minor: 25_000 } });
    await updateBooking(stage.node, again, bookingId, { checkOut: day(1), refund: 250 });
    await until(async () => (await refunds(bookingId)).join() === '15000 succeeded,25000 succeeded' || undefined);
    expect(await free()).toEqual([0, 1, 1, 1]);
  });

  it('is not asked about again where its listing confirms each booking', async () => {
    const { bookingId } = await begin({ confirmation: 'on_request' });
    const { booking: after } = await updateBooking(stage.node, await seller(bookingId, 26), bookingId, {
      checkOut: day(2),
    });
    expect(after).toMatchObject({ status: 'confirmed', item: { checkOut: day(2) } });
  });

  it('is refused for everything else, and for everybody else', async () => {
    const { guest, bookingId } = await begin();
    const at = (await seller(bookingId, 26)).at;
    const asked = (change: object, context: CommandContext) => updateBooking(stage.node, context, bookingId, change);
    const by = async (change: object, context?: CommandContext) =>
      asked(change, context ?? (await seller(bookingId, 26))).then(
        () => 'done',
        (error: { code: string; fields: string[] }) => [error.code, ...error.fields].join(' '),
      );
    expect(await by({ checkOut: day(2) }, contextOf(guest, 'tourist', at))).toBe('invalid_transition');
    expect(await by({ checkOut: day(2) }, contextOf(randomUUID(), 'hotelier', at))).toBe('not_found');
    expect(await by({ checkOut: day(2) }, await seller(bookingId, -1))).toBe('forbidden');
    expect(await by({ checkOut: day(0) })).toBe('invalid check_out');
    expect(await by({ checkOut: day(5) })).toBe('invalid check_out');
    expect(await by({ checkOut: day(2), guests: 1 })).toBe('invalid guests');
    expect(await by({ refund: 10 })).toBe('invalid check_out');
    expect(await by({ checkOut: day(2), refund: 0.001 })).toBe('invalid refund');
    expect(await by({ checkOut: day(2), refund: 10 }, contextOf(guest))).toBe('invalid refund');
    await until(() => stage.handledAll()); // the seller is told of the payment last
    expect(await by({ checkOut: day(4) })).toBe('done');
    await until(() => stage.handledAll());
    expect(await eventsOf(bookingId).then((events) => events.at(-1)?.type)).toBe('BookingSellerNotified');
    expect(await free()).toEqual([0, 0, 0, 0]);
  });

  it('a table is not shortened', async () => {
    await begin();
    const { id } = await offers.list.restaurant({ depositPerGuestMinor: 0 });
    const { bookingId } = await offers.book(offers.requestFor('restaurant', id, 1));
    await stage.untilBooking(bookingId, 'paid');
    await confirmBooking(stage.node, stage.owner(), bookingId);
    const later = await seller(bookingId, 0.5);
    await expect(updateBooking(stage.node, later, bookingId, { checkOut: day(2) })).rejects.toMatchObject({
      code: 'invalid_transition',
    });
  });

  it.each(['Shorten', 'CommitHold', 'MakeChange', 'ReleaseHold'])(
    'is shortened once, also when the process dies before %s and the request is repeated',
    async (command) => {
      const { bookingId } = await begin({ works: false });
      const leaves = await seller(bookingId, 26);
      const change = { checkOut: day(2), refund: 150 };
      const dying = dyingBefore(stage.node, command);
      await expect(updateBooking(dying, leaves, bookingId, change)).rejects.toThrow();
      expect(dying.died()).toBe(true);
      const { booking: after } = await updateBooking(stage.node, leaves, bookingId, change);
      expect(after).toMatchObject({ totalMinor: 25_000, item: { checkOut: day(2) }, change: null });
      stage.work();
      await until(async () => (await refunds(bookingId)).join() === '15000 succeeded' || undefined);
      await until(async () => (await free()).join() === '0,0,1,1' || undefined);
      await until(async () => (await holds()).join() === [null].join() || undefined);
    },
  );

  it('is shortened by the policies when the process dies and nobody asks again', async () => {
    const { bookingId } = await begin({ works: false });
    const dying = dyingBefore(stage.node, 'MakeChange');
    await expect(updateBooking(dying, await seller(bookingId, 26), bookingId, { checkOut: day(2) })).rejects.toThrow();
    stage.work();
    await until(async () => (await free()).join() === '0,0,1,1' || undefined);
    expect(await stage.booking(bookingId)).toMatchObject({ change: null, endsAt: expect.stringContaining(day(2)) });
  });
});

describe('a no-show', () => {
  it('frees the places at once, and takes them again when it is withdrawn', async () => {
    const { bookingId } = await begin();
    await markNoShow(stage.node, await seller(bookingId, 5), bookingId);
    expect(await free()).toEqual([1, 1, 1, 1]);
    const { booking: back } = await withdrawNoShow(stage.node, await seller(bookingId, 8), bookingId);
    expect(back.status).toBe('confirmed');
    expect(await free()).toEqual([0, 0, 0, 0]);
    expect(await holds()).toEqual([null]);
    await until(() => stage.handledAll());
    expect(await free()).toEqual([0, 0, 0, 0]);
    expect(await refunds(bookingId)).toEqual([]);
  });

  it('cannot be withdrawn when somebody else has the places', async () => {
    const { bookingId } = await begin();
    await markNoShow(stage.node, await seller(bookingId, 5), bookingId);
    const other = randomUUID();
    await pay(other, (await stayOf(other, 2, 3)).bookingId);
    await expect(withdrawNoShow(stage.node, await seller(bookingId, 8), bookingId)).rejects.toMatchObject({
      code: 'sold_out',
      facts: { key: day(2) },
    });
    expect((await stage.booking(bookingId)).status).toBe('no_show');
    expect(await free()).toEqual([1, 1, 0, 1]);
  });

  it('is withdrawn when only nights that are over were sold to somebody else, and can be shortened then', async () => {
    const { bookingId } = await begin();
    await markNoShow(stage.node, await seller(bookingId, 5), bookingId);
    const walkIn = randomUUID();
    await pay(walkIn, (await stayOf(walkIn, 0, 1)).bookingId);
    const { booking: back } = await withdrawNoShow(stage.node, await seller(bookingId, 23), bookingId);
    expect(back.status).toBe('confirmed');
    expect(await free()).toEqual([0, 0, 0, 0]);
    await updateBooking(stage.node, await seller(bookingId, 26), bookingId, { checkOut: day(3) });
    expect(await free()).toEqual([0, 0, 0, 1]);
    await until(() => stage.handledAll());
    expect(await stage.booking(bookingId)).toMatchObject({ status: 'confirmed', item: { checkOut: day(3) } });
  });

  it.each([
    ['WithdrawNoShow', 'no_show', '1,1,1,1'],
    ['CommitHold', 'confirmed', '0,0,0,0'],
  ])('keeps no places too many when the process dies before %s', async (command, status, left) => {
    const { bookingId } = await begin({ works: false });
    const early = contextOf(stage.ownerId, 'hotelier', addMinutes((await stage.booking(bookingId)).startsAt, 60));
    await markNoShow(stage.node, early, bookingId);
    const dying = dyingBefore(stage.node, command);
    const { startsAt } = await stage.booking(bookingId);
    await expect(
      withdrawNoShow(dying, contextOf(stage.ownerId, 'hotelier', addMinutes(startsAt, 61)), bookingId),
    ).rejects.toThrow();
    expect((await stage.booking(bookingId)).status).toBe(status);
    const { holdId } = await stage.booking(bookingId);
    stage.work();
    if (status === 'no_show') {
      const [[id] = ['']] = [...(await stage.stock()).holds];
      const data = { unitId: stage.roomId, bookingId };
      const late = contextOf('system', 'system', addMinutes(startsAt, 120));
      await holdExpiry.run({ id, data, attempt: 1 }, { deps: stage.node, context: late });
    }
    await until(async () => (await free()).join() === left || undefined);
    expect((await stage.booking(bookingId)).holdId).toBe(holdId);
  });

  it('of before, which kept its places, gives them up', async () => {
    const { bookingId } = await begin({ works: false });
    const { at } = await seller(bookingId, 5);
    const context = contextOf(stage.ownerId, 'hotelier', at);
    await stage.node.aggregates.handle(booking, bookingId, { type: 'MarkNoShow', by: 'provider', at }, context);
    expect(await free()).toEqual([0, 0, 0, 0]);
    stage.work();
    await until(async () => (await free()).join() === '1,1,1,1' || undefined);
  });

  it('that is handled late takes nothing from a guest who came after all', async () => {
    const { bookingId } = await begin({ works: false });
    await markNoShow(stage.node, await seller(bookingId, 5), bookingId);
    await withdrawNoShow(stage.node, await seller(bookingId, 6), bookingId);
    const ctx = (name: string) => ({
      deps: stage.node,
      context: { ...contextOf('system', 'system'), commandId: derivedId(name) },
    });
    for (const event of await eventsOf(bookingId))
      for (const { name, handlers } of [noShowPolicy, bookingPolicy])
        await handlers.get(event.type)?.(event as never, ctx(`${name} ${event.id}`));
    expect(await free()).toEqual([0, 0, 0, 0]);
    expect((await stage.booking(bookingId)).status).toBe('confirmed');
  });

  it('frees a table', async () => {
    await begin();
    const { id } = await offers.list.restaurant({ depositPerGuestMinor: 0 });
    const { bookingId } = await offers.book(offers.requestFor('restaurant', id, 1));
    await stage.untilBooking(bookingId, 'paid');
    await confirmBooking(stage.node, stage.owner(), bookingId);
    const before = await offers.left(bookingId);
    await markNoShow(stage.node, await seller(bookingId, 0.5), bookingId);
    expect(await offers.left(bookingId)).toBe(before + 1);
  });
});
