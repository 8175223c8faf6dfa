/** The seller's answer: instant bookings need none; the others have a deadline, reminders, and end with a refund. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { SmsRefused } from '../../commands/accounts/smsSender.ts';
import { confirmBooking, createBooking, rejectBooking, updateBooking } from '../../commands/bookings/bookings.ts';
import { markNoShow, withdrawNoShow } from '../../commands/bookings/noShows.ts';
import { sellerNotice } from '../../commands/bookings/notices.ts';
import { bookingDue, bookingPolicy } from '../../commands/bookings/policy.ts';
import { bookTrip } from '../../commands/bookings/trips.ts';
import { processPayment } from '../../commands/payments/payments.ts';
import { booking } from '../../domain/bookings/booking.ts';
import type { Notice } from '../../domain/bookings/bookingEvents.ts';
import { referenceOf } from '../../domain/bookings/reference.ts';
import { localTime } from '../../domain/core/dates.ts';
import { type Recorded, streamName } from '../../domain/core/decider.ts';
import { addMinutes, DAY_MS } from '../../domain/core/instants.ts';
import { newPhone } from '../accounts/sms.ts';
import { contextOf } from '../kit/context.ts';
import { changed, type Node } from '../kit/deps.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { createOffers } from './offers.ts';
import { createStage, type Stage, TIMEZONE } from './stage.ts';

let stage: Stage;
let node: Node;
let offers: ReturnType<typeof createOffers>;
let sent: { phone: string; text: string }[];
/** What the gateway answers before it takes messages. */
let failures: Error[];
beforeEach(async () => {
  stage = await createStage(await freshStores(), { disputeWindowMs: 3 * DAY_MS });
  offers = createOffers(stage);
  sent = [];
  failures = [];
  const send = async (phone: string, text: string) => {
    const failure = failures.shift();
    if (failure) throw failure;
    sent.push({ phone, text });
  };
  node = changed(stage.newNode(), { sms: { send } });
  stage.work(node);
});

const guest = randomUUID();
const payFor = async (things: readonly string[]) => {
  const { paymentId } = await processPayment(stage.node, contextOf(guest), {
    things: things.map((id) => ({ kind: 'booking', id }) as const),
    method: 'card',
  });
  stage.provider.says(paymentId, 'succeeded');
  await stage.notify(paymentId);
  for (const id of things) await stage.untilBooking(id, 'paid');
  return paymentId;
};
const lesson = async (days: number) => {
  const { id } = await offers.list.instructor();
  return offers.book(offers.requestFor('instructor', id, days), guest);
};
/** Runs the job of a booking at a time of its own. */
const due = (id: string, at: string) =>
  bookingDue.run({ id, data: {}, attempt: 1 }, { deps: node, context: contextOf('system', 'system', at) });
const jobsOf = async (id: string) =>
  (
    await node.pool.query<{ kind: string; id: string; due_at: string }>(
      `select kind, id, due_at from ops.jobs where id like $1 and kind in ('booking_due', 'seller_notice', 'release') order by due_at`,
      [`${id}%`],
    )
  ).rows.map(({ kind, id: job, due_at }) => ({
    kind,
    id: job.slice(id.length),
    dueAt: new Date(due_at).toISOString(),
  }));
const handledAgain = async (id: string, type: string) => {
  const stored = await node.store.read(streamName(booking.category, id), { from: 0n, max: 100 });
  for (const event of await node.codec.decodeWithoutAddress<Recorded>(stored))
    if (event.type === type)
      await bookingPolicy.handlers.get(type)?.(event as never, { deps: node, context: contextOf('system') });
};

it('an instant booking waits for nobody: it stays paid and is completed at its end', async () => {
  const { bookingId } = await stage.book(guest);
  await payFor([bookingId]);
  const { endsAt } = await stage.booking(bookingId);
  await until(async () => (await jobsOf(bookingId))[0]?.dueAt === endsAt);
  const confirmed = await confirmBooking(stage.node, stage.owner(), bookingId);
  expect(confirmed.booking).toMatchObject({ status: 'paid', confirmation: 'instant' });
  await expect(rejectBooking(stage.node, stage.owner(), bookingId, null)).rejects.toMatchObject({
    code: 'invalid_transition',
  });
  // A job of an earlier release was set for the start.
  expect(await due(bookingId, (await stage.booking(bookingId)).startsAt)).toEqual({ againAt: endsAt });
  await due(bookingId, endsAt);
  expect(await stage.booking(bookingId)).toMatchObject({ status: 'completed' });
});

it('a booking on request is rejected and refunded after the deadline, and not before', async () => {
  const { bookingId } = await lesson(30);
  const paymentId = await payFor([bookingId]);
  const answerBy = (await stage.booking(bookingId)).answerBy ?? '';
  const jobs = await until(async () => {
    const found = await jobsOf(bookingId);
    return found.length === 3 && found.every(({ id }) => id !== ':paid') && found;
  });
  const paidAt = addMinutes(answerBy, -24 * 60);
  expect(jobs).toEqual([
    { kind: 'seller_notice', id: ':reminder', dueAt: addMinutes(paidAt, 12 * 60) },
    { kind: 'seller_notice', id: ':last_reminder', dueAt: addMinutes(paidAt, 23 * 60) },
    { kind: 'booking_due', id: '', dueAt: answerBy },
  ]);
  expect(await due(bookingId, addMinutes(answerBy, -1))).toEqual({ againAt: answerBy });
  await due(bookingId, answerBy);
  const { payment, ...rejected } = { payment: await stage.payment(paymentId), ...(await stage.booking(bookingId)) };
  expect(rejected).toMatchObject({ status: 'rejected', ending: { by: 'system', refundMinor: payment.amountMinor } });
  await until(async () => Object.values((await stage.payment(paymentId)).refunds)[0]?.status === 'succeeded');
  await until(async () => (await jobsOf(bookingId)).length === 0);
});

it('an answer ends the reminders, and moves the job to the end, also when the payment is handled again', async () => {
  const { bookingId } = await lesson(30);
  await payFor([bookingId]);
  await until(async () => (await jobsOf(bookingId)).length === 3);
  await confirmBooking(stage.node, stage.owner(), bookingId);
  const { endsAt } = await stage.booking(bookingId);
  const left = [{ kind: 'booking_due', id: '', dueAt: endsAt }];
  await until(async () => (await jobsOf(bookingId)).length === 1);
  expect(await jobsOf(bookingId)).toEqual(left);
  await handledAgain(bookingId, 'BookingPaid');
  expect((await jobsOf(bookingId)).filter(({ kind }) => kind === 'booking_due')).toEqual(left);
});

it('each item of a trip is answered for itself', async () => {
  const { id } = await offers.list.instructor();
  const items = [stage.stay(30, 32, 2), offers.requestFor('instructor', id, 31)];
  const { bookings } = await bookTrip(stage.node, contextOf(guest), { items });
  const [room, ride] = bookings.map(({ bookingId }) => bookingId) as [string, string];
  const paymentId = await payFor([room, ride]);
  await due(ride, (await stage.booking(ride)).answerBy ?? '');
  expect((await stage.booking(ride)).status).toBe('rejected');
  expect(await stage.booking(room)).toMatchObject({ status: 'paid', answerBy: null });
  await until(async () => Object.values((await stage.payment(paymentId)).refunds)[0]?.status === 'succeeded');
  const refunds = Object.values((await stage.payment(paymentId)).refunds);
  expect(refunds).toMatchObject([{ itemId: ride, amountMinor: 800_000 }]);
});

it('a no-show is taken back, and the share of the seller waits for the end again', async () => {
  const { bookingId } = await stage.book(guest);
  await payFor([bookingId]);
  const { startsAt, endsAt } = await stage.booking(bookingId);
  const later = (minutes: number) => contextOf(stage.ownerId, 'hotelier', addMinutes(startsAt, minutes));
  await markNoShow(stage.node, later(60), bookingId);
  await until(async () => (await jobsOf(bookingId)).map(({ kind }) => kind).join() === 'release');
  const { booking: back } = await withdrawNoShow(stage.node, later(120), bookingId);
  expect(back).toMatchObject({ status: 'confirmed' });
  await until(
    async () =>
      (await jobsOf(bookingId)).map(({ kind, dueAt }) => `${kind} ${dueAt}`).join() === `booking_due ${endsAt}`,
  );
  await due(bookingId, endsAt);
  expect((await stage.booking(bookingId)).status).toBe('completed');
  await until(async () => (await jobsOf(bookingId)).some(({ kind }) => kind === 'release'));
});

const sellerOf = async (phone: string | null, language = 'en') => {
  const who = {
    role: 'restaurant',
    email: `${randomUUID()}@example.test`,
    phone,
    language,
    password: 'correct horse battery',
  } as const;
  return (await openAccount(stage.node, contextOf(randomUUID(), 'admin'), who)).accountId;
};
const tableOf = async (ownerId: string) => {
  const { id } = await offers.list.restaurant({ depositPerGuestMinor: 0 }, undefined, ownerId);
  const { bookingId } = await createBooking(stage.node, contextOf(guest), {
    ...offers.requestFor('restaurant', id, 30),
    guestName: 'Anna Orlova',
    guestPhone: newPhone(),
  });
  await stage.untilBooking(bookingId, 'paid');
  return bookingId;
};
const tell = (bookingId: string, notice: Notice) =>
  sellerNotice.run(
    { id: `${bookingId}:${notice}`, data: { bookingId, notice }, attempt: 1 },
    { deps: node, context: contextOf('system') },
  );

it('the seller is told by SMS once of a payment and of each reminder, without personal data', async () => {
  const phone = newPhone();
  const bookingId = await tableOf(await sellerOf(phone));
  await until(() => sent.length === 1);
  const { answerBy, startsAt } = await stage.booking(bookingId);
  const what = `${referenceOf(bookingId)}: Ember, ${localTime(TIMEZONE, startsAt)}`;
  const ask = `Confirm or reject it before ${localTime(TIMEZONE, answerBy ?? '')}, otherwise the guest gets the money back.`;
  expect(sent).toEqual([{ phone, text: `New paid booking ${what}. ${ask}` }]);

  await handledAgain(bookingId, 'BookingPaid');
  await until(async () => (await jobsOf(bookingId)).every(({ id }) => id !== ':paid'));
  for (const notice of ['paid', 'reminder', 'reminder', 'last_reminder'] as const) await tell(bookingId, notice);
  expect(sent.slice(1).map(({ text }) => text)).toEqual(Array(2).fill(`Booking ${what} waits for your answer. ${ask}`));

  await confirmBooking(stage.node, contextOf((await stage.booking(bookingId)).sellerId, 'restaurant'), bookingId);
  await tell(bookingId, 'last_reminder');
  expect(sent).toHaveLength(3);
});

it('a seller is told in the language of their account', async () => {
  const bookingId = await tableOf(await sellerOf(newPhone(), 'ru'));
  await until(() => sent.length === 1);
  const { answerBy, startsAt } = await stage.booking(bookingId);
  const what = `${referenceOf(bookingId)}: Ember, ${localTime(TIMEZONE, startsAt)}`;
  const ask = `Подтвердите или отклоните её до ${localTime(TIMEZONE, answerBy ?? '')}, иначе гость получит деньги назад.`;
  expect(sent.map(({ text }) => text)).toEqual([`Новая оплаченная бронь ${what}. ${ask}`]);
  await tell(bookingId, 'reminder');
  expect(sent.at(-1)?.text).toBe(`Бронь ${what} ждёт вашего ответа. ${ask}`);
});

it('a changed booking waits for its seller again, who is told and reminded', async () => {
  const bookingId = await tableOf(await sellerOf(newPhone()));
  await until(() => sent.length === 1);
  const { sellerId, item, answerBy } = await stage.booking(bookingId);
  await confirmBooking(stage.node, contextOf(sellerId, 'restaurant'), bookingId);
  const { type, itemId, guests, ...slot } = offers.requestFor('restaurant', item.listingId, 31);
  await updateBooking(stage.node, contextOf(guest), bookingId, slot);
  await until(() => sent.length === 2);
  const after = await stage.booking(bookingId);
  expect(after).toMatchObject({ status: 'paid', item: slot, change: null });
  expect(Date.parse(after.answerBy ?? '')).toBeGreaterThan(Date.parse(answerBy ?? ''));
  const what = `${referenceOf(bookingId)}: Ember, ${localTime(TIMEZONE, after.startsAt)}`;
  expect(sent[1]?.text).toMatch(`Booking changed, now ${what}. Confirm or reject it before`);
  await until(async () => {
    const jobs = (await jobsOf(bookingId)).map(({ kind, id }) => kind + id);
    return jobs.join() === 'seller_notice:reminder,seller_notice:last_reminder,booking_due';
  });
});

it('a message that the gateway refuses is sent again, one that may have been sent is not', async () => {
  const owner = await sellerOf(newPhone());
  failures = [new SmsRefused('the SMS gateway answered 503')];
  await tableOf(owner);
  await until(() => sent.length === 1);
  failures = [new Error('the connection broke')];
  const bookingId = await tableOf(owner);
  await until(async () => failures.length === 0 && (await jobsOf(bookingId)).every(({ id }) => id !== ':paid'));
  await tell(bookingId, 'paid');
  expect(sent).toHaveLength(1);
});

it('a seller without a phone gets no SMS, and nothing fails', async () => {
  const bookingId = await tableOf(await sellerOf(null));
  await until(async () => (await stage.booking(bookingId)).told.includes('paid'));
  await until(async () => (await jobsOf(bookingId)).every(({ id }) => id !== ':paid'));
  expect(sent).toEqual([]);
});
