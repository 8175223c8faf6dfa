/** Quotes of bookings, their changes and their cancellation, against what the commands then do at the same moment. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect } from 'vitest';
import {
  cancelBooking,
  cancellationQuote,
  createBooking,
  type NewBooking,
  previewBooking,
  updateBooking,
} from '../../commands/bookings/bookings.ts';
import { changeQuote } from '../../commands/bookings/changes.ts';
import { syncPayment } from '../../commands/payments/askProvider.ts';
import { refundPayment } from '../../commands/payments/refunds.ts';
import { createPromoCode } from '../../commands/promotions/promoCodes.ts';
import type { OpenBooking } from '../../domain/bookings/booking.ts';
import { datedPolicy } from '../../domain/catalog/cancellation.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { addMs, HOUR_MS } from '../../domain/core/instants.ts';
import type { PromoTerms } from '../../domain/promotions/terms.ts';
import { contextOf } from '../kit/context.ts';
import { outcomeOf, previewIsResult } from '../kit/previews.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { promoTerms } from '../promotions/promoFixtures.ts';
import { createOffers } from './offers.ts';
import { createStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await createStage(await freshStores(), { units: 6, cancellationPolicy: 'moderate' });
  stage.work();
});

const car = (name: string, seats: number, priceMinor: number) =>
  ({ name, class: 'comfort', seats, luggage: 2, units: 1, priceMinor }) as const;
const table = (seats: number) => ({ name: `Table for ${seats}`, seats, units: 1 });

/** A listing of its own, so that runs take no places from each other. The stay is in the hotel of the stage. */
const listingFor = async (kind: 'hotel' | 'tour' | 'restaurant' | 'transfer' | 'instructor') => {
  const { list } = createOffers(stage);
  switch (kind) {
    case 'hotel':
      return stage.roomId;
    case 'tour':
      return (await list.tour({ seats: 4 })).id;
    case 'restaurant':
      return (await list.restaurant({ depositPerGuestMinor: 1_501 }, [table(2), table(4)])).id;
    case 'transfer':
      return (await list.transfer([car('Sedan', 3, 300_000), car('Bus', 6, 500_001)])).id;
    case 'instructor':
      return (await list.instructor()).id;
  }
};
type Kind = Parameters<typeof listingFor>[0];

const requestOf = (kind: Kind, itemId: string, from: number, length: number, guests: number): NewBooking =>
  kind === 'hotel'
    ? stage.stay(from, from + length, guests)
    : createOffers(stage).requestFor(kind, itemId, from, guests);

const code = fc.option(
  fc.record<Partial<PromoTerms>>({
    percentBps: fc.constantFrom(1_000, 3_333, 10_000),
    leastTotalMinor: fc.constantFrom(0, 25_000),
    uses: fc.constantFrom(1, 10),
    firstBookingOnly: fc.boolean(),
  }),
  { nil: undefined },
);
const situation = fc.record({
  kind: fc.constantFrom<Kind>('hotel', 'hotel', 'tour', 'restaurant', 'transfer', 'instructor'),
  from: fc.integer({ min: 1, max: 25 }),
  length: fc.integer({ min: 1, max: 4 }),
  guests: fc.integer({ min: 1, max: 3 }),
  others: fc.integer({ min: 0, max: 2 }),
  code,
  isOwn: fc.boolean(),
  expected: fc.constantFrom(undefined, undefined, 1),
});
type Situation = typeof situation extends fc.Arbitrary<infer S> ? S : never;

let codes = 0;
/** What a guest asks for, where others were there before. */
const asking = async ({ kind, from, length, guests, others, code: terms, expected }: Omit<Situation, 'isOwn'>) => {
  const itemId = await listingFor(kind);
  const request = requestOf(kind, itemId, from, length, guests);
  const guest = randomUUID();
  if (terms === undefined) return { request: { ...request, ...(expected && { expectedTotal: expected }) }, guest };
  codes += 1;
  const promo = `PREVIEW-${codes}`;
  await createPromoCode(stage.node, contextOf(randomUUID(), 'admin'), promo, { ...promoTerms, ...terms });
  for (let n = 0; n < others; n += 1)
    await outcomeOf(() => createBooking(stage.node, contextOf(n === 0 ? guest : randomUUID()), { ...request, promo }));
  return { request: { ...request, promo, ...(expected && { expectedTotal: expected }) }, guest };
};

/** What the guest is told before and after. */
const shown = (of: Pick<OpenBooking, 'totalMinor' | 'currency' | 'lines'>) => ({
  totalMinor: of.totalMinor,
  currency: of.currency,
  lines: of.lines,
});
const lastOf = async (bookingId: string, type: string) => {
  const events = await stage.node.codec.decode<Recorded>(await stage.node.store.read(`booking-${bookingId}`));
  return events.findLast((event) => event.type === type)?.data as Record<string, unknown> | undefined;
};

previewIsResult('POST /api/v1/bookings/quote', () =>
  fc.assert(
    fc.asyncProperty(situation, fc.constantFrom(0, 0, 1, 5), async ({ isOwn, ...of }, ofGuest) => {
      const { request, guest } = await asking(of);
      // What the guest has already: unpaid, or at the same time.
      const { expectedTotal: _, promo: __, ...same } = request;
      const had = [];
      for (let n = 0; n < ofGuest; n += 1)
        had.push(await outcomeOf(() => createBooking(stage.node, contextOf(guest), same)));
      const { at } = contextOf(guest);
      const actor = isOwn ? contextOf(stage.ownerId, 'hotelier', at) : contextOf(guest, 'tourist', at);
      const quoted = await outcomeOf(() => previewBooking(stage.node, actor, request));
      const made = await outcomeOf(() =>
        createBooking(stage.node, contextOf(actor.actor.id, actor.actor.role, at), request),
      );
      if ('code' in quoted || 'code' in made) expect(quoted).toEqual(made);
      else {
        expect(shown(quoted.terms)).toEqual(shown(made.booking));
        const { cancellationPolicy, ...booked } = made.booking;
        expect(quoted.cancellationPolicy).toEqual(datedPolicy(cancellationPolicy, booked));
        expect(quoted.terms.commission).toEqual(booked.commission);
      }
      for (const each of [...had, made])
        if ('bookingId' in each)
          await cancelBooking(stage.node, contextOf(guest), each.bookingId, null).catch(() => {});
    }),
    { numRuns: 10 },
  ),
);

/** A booking of some kind that is paid, or not. */
const booked = async (of: Omit<Situation, 'isOwn' | 'expected' | 'others'>, isPaid: boolean) => {
  const { request, guest } = await asking({ ...of, others: 0, expected: undefined });
  const made = await outcomeOf(() => createBooking(stage.node, contextOf(guest), request));
  fc.pre(!('code' in made));
  const { bookingId, booking } = made as Exclude<typeof made, { code: string }>;
  if (!isPaid || booking.status !== 'pending_payment') return { bookingId, guest, booking };
  const { paymentId } = await stage.pay(bookingId, guest);
  stage.provider.says(paymentId, 'succeeded');
  await syncPayment(stage.node, contextOf('system'), paymentId);
  await stage.untilBooking(bookingId, 'paid');
  return { bookingId, guest, booking: await stage.booking(bookingId), paymentId };
};
const {
  isOwn: _,
  expected: __,
  others: ___,
  ...plain
} = {
  isOwn: 0,
  expected: 0,
  others: 0,
  kind: fc.constantFrom<Kind>('hotel', 'hotel', 'hotel', 'tour', 'restaurant', 'transfer'),
  from: fc.integer({ min: 1, max: 25 }),
  length: fc.integer({ min: 1, max: 4 }),
  guests: fc.integer({ min: 1, max: 2 }),
  code,
};
/** Hours before the booking begins. */
const ahead = fc.constantFrom(1, 23, 24, 25, 49, 121, 400);
const momentOf = ({ startsAt }: OpenBooking, hours: number): string => {
  const [then, now] = [addMs(startsAt, -hours * HOUR_MS), new Date().toISOString()];
  return then > now ? then : now;
};

describe('of what is booked', () => {
  previewIsResult('POST /api/v1/bookings/:id/change-quote', () =>
    fc.assert(
      fc.asyncProperty(
        fc.record(plain),
        fc.boolean(),
        ahead,
        fc.array(fc.record({ days: fc.integer({ min: -1, max: 2 }), guests: fc.integer({ min: 1, max: 4 }) }), {
          minLength: 1,
          maxLength: 3,
        }),
        async (of, isPaid, hours, changes) => {
          const { bookingId, guest } = await booked(of, isPaid);
          for (const { days, guests } of changes) {
            const before = await stage.booking(bookingId);
            const at = before.status === 'pending_payment' ? contextOf(guest).at : momentOf(before, hours);
            const { item } = before;
            const when = item.type === 'hotel' ? { checkOut: stage.day(of.from + of.length + days) } : {};
            const change = { ...when, guests };
            const quote = await outcomeOf(() =>
              changeQuote(stage.node, contextOf(guest, 'tourist', at), bookingId, change),
            );
            const done = await outcomeOf(() =>
              updateBooking(stage.node, contextOf(guest, 'tourist', at), bookingId, change),
            );
            if ('code' in quote || 'code' in done) {
              expect(quote).toEqual(done);
              continue;
            }
            const { booking: after } = done;
            const { dueMinor, penaltyPercent, penaltyMinor, refundMinor, cancellationPolicy, ...price } = quote;
            const promised = { dueMinor, penaltyPercent, penaltyMinor, refundMinor };
            expect(price).toEqual(shown(after.change?.terms ?? after));
            if (before.status === 'pending_payment') {
              expect(promised).toEqual({
                dueMinor: after.totalMinor,
                penaltyPercent: 0,
                penaltyMinor: 0,
                refundMinor: 0,
              });
              continue;
            }
            if (after.change) {
              expect(after.change).toMatchObject(promised);
              continue;
            }
            expect(dueMinor).toBe(0);
            const isSame = before.holdId === after.holdId;
            const made = isSame
              ? { penaltyMinor: 0, refundMinor: 0 }
              : (await lastOf(bookingId, 'BookingRescheduled'))?.change;
            expect(made).toMatchObject({ penaltyMinor, refundMinor });
            expect(cancellationPolicy).toEqual(
              datedPolicy(before.cancellationPolicy, { ...before, startsAt: after.startsAt }),
            );
          }
        },
      ),
      { numRuns: 6 },
    ),
  );

  previewIsResult('GET /api/v1/bookings/:id/cancellation-quote', () =>
    fc.assert(
      fc.asyncProperty(
        fc.record(plain),
        fc.boolean(),
        ahead,
        fc.constantFrom('tourist', 'tourist', 'hotelier', 'admin'),
        fc.option(fc.integer({ min: 1, max: 5_000 }), { nil: undefined }),
        async (of, isPaid, hours, role, refundedMinor) => {
          const { bookingId, guest, booking, paymentId } = await booked(of, isPaid);
          if (paymentId && refundedMinor && refundedMinor < booking.totalMinor) {
            await refundPayment(stage.node, contextOf(randomUUID(), 'admin'), {
              paymentId,
              amount: refundedMinor / 100,
            });
            await until(async () =>
              Object.values((await stage.payment(paymentId)).refunds).every(({ status }) => status === 'succeeded'),
            );
          }
          const at = isPaid ? momentOf(booking, hours) : contextOf(guest).at;
          const actor = { tourist: guest, hotelier: stage.ownerId, admin: randomUUID() }[role] as string;
          const quote = await outcomeOf(() => cancellationQuote(stage.node, contextOf(actor, role, at), bookingId));
          const done = await outcomeOf(() => cancelBooking(stage.node, contextOf(actor, role, at), bookingId, null));
          if ('code' in quote || 'code' in done) {
            expect(quote).toEqual(done);
            return;
          }
          const { penaltyPercent, penaltyMinor, refundMinor } = quote;
          expect(await lastOf(bookingId, 'BookingCancelled')).toMatchObject({
            penaltyPercent,
            penaltyMinor,
            refundMinor,
          });
          if (!paymentId) return;
          // What the payer gets in the end, beside what they had before.
          const before = refundedMinor && refundedMinor < booking.totalMinor ? refundedMinor : 0;
          await until(async () => {
            const refunds = Object.values((await stage.payment(paymentId)).refunds);
            const back = refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
            return back === before + refundMinor || undefined;
          });
        },
      ),
      { numRuns: 6 },
    ),
  );
});
