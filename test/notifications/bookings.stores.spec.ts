/** What guests and sellers are told about a booking, by the workers as they run: created, paid, reminded, cancelled. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { cancelBooking, updateBooking } from '../../commands/bookings/bookings.ts';
import { markNoShow, withdrawNoShow } from '../../commands/bookings/noShows.ts';
import type { CueData } from '../../commands/core/notification.ts';
import { notificationDeclarations } from '../../commands/modules.ts';
import { cueJob } from '../../commands/notifications/policy.ts';
import { account } from '../../domain/accounts/account.ts';
import { addMs, DAY_MS, HOUR_MS } from '../../domain/core/instants.ts';
import { createStage, type Stage } from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { withDevice } from './device.ts';

let stage: Stage;
beforeAll(async () => {
  // A room for each test: nights of a cancelled booking are free again a moment later.
  stage = await createStage(await freshStores(), { holdTtlMs: 600_000, units: 10 });
  stage.work();
});

const open = async (): Promise<string> => {
  const details = { role: 'tourist', email: `${randomUUID()}@example.com`, password: 'correct horse' } as const;
  return withDevice(stage.node, (await openAccount(stage.node, contextOf(randomUUID()), details)).accountId);
};
interface Told {
  readonly name: string;
  readonly params: Record<string, unknown>;
}
const toldTo = async (person: string): Promise<Told[]> =>
  (
    await stage.node.pool.query<Told>('select name, params from ops.notifications where person_id = $1 order by seq', [
      person,
    ])
  ).rows;
const untilTold = (person: string, ...names: readonly string[]) =>
  until(async () => {
    const told = (await toldTo(person)).map(({ name }) => name);
    return names.every((name) => told.includes(name)) || undefined;
  });
const reminderOf = async (bookingId: string): Promise<{ due_at: string; data: CueData } | undefined> =>
  (
    await stage.node.pool.query<{ due_at: string; data: CueData }>(
      `select due_at, data from ops.jobs where kind = 'notification_cue' and id = $1`,
      [`booking_reminder:${bookingId}`],
    )
  ).rows[0];
/** Looks at the reminder as if it was then. */
const remind = (data: CueData, at: string) =>
  cueJob.run(
    { id: '', data: { ...data, dueAt: at }, attempt: 1 },
    { deps: { ...stage.node, now: () => at }, context: contextOf('system', 'system', at) },
  );

it('the guest and the seller are told what happens to a booking, each thing once', async () => {
  const { ownerId: seller } = stage;
  const opening = { role: 'hotelier', email: 'seller@example.com', phone: null, firstName: '', lastName: '' } as const;
  // A seller without a phone: there is no SMS, but a notification.
  const command = { type: 'OpenAccount', asOf: 0, ...opening, language: 'en', passwordHash: 'x' } as const;
  await stage.node.aggregates.handle(account, seller, command, contextOf('system'));
  const guest = await open();
  const { bookingId } = await stage.book(guest);
  const { paymentId } = await stage.pay(bookingId, guest);
  stage.provider.says(paymentId, 'succeeded');
  await stage.notify(paymentId);
  await untilTold(guest, 'booking_paid');
  await untilTold(seller, 'seller_booking');
  expect((await toldTo(seller))[0]?.params).toMatchObject({ booking_id: bookingId, notice: 'paid', answer_by: null });

  const { startsAt } = await stage.booking(bookingId);
  const before = addMs(startsAt, -DAY_MS);
  const reminder = await until(() => reminderOf(bookingId));
  expect(new Date(reminder.due_at).toISOString()).toBe(before);
  await remind(reminder.data, before);
  await remind(reminder.data, before);
  expect((await toldTo(guest)).filter(({ name }) => name === 'booking_reminder')).toHaveLength(1);

  await cancelBooking(stage.node, contextOf(guest), bookingId, null);
  await untilTold(guest, 'booking_cancelled');
  await untilTold(seller, 'seller_booking_cancelled');
  const names = (await toldTo(guest)).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const queued = 'select 1 from ops.push_messages where person_id = $1';
  await until(async () => (await stage.node.pool.query(queued, [guest])).rowCount);
});

const unread = async (person: string): Promise<string[]> =>
  (
    await stage.node.pool.query<{ name: string }>(
      'select name from ops.notifications where person_id = $1 and deleted_at is null and read_at is null order by seq',
      [person],
    )
  ).rows.map(({ name }) => name);

const findFailure = (paymentId: string, eventAt: string) =>
  notificationDeclarations
    .find(({ name }) => name === 'payment_failed')
    ?.find({ paymentId }, { deps: stage.node as never, at: eventAt, eventAt, correlationId: 'request' });

it('what asks for a payment is read once it is paid', async () => {
  const guest = await open();
  const { bookingId } = await stage.book(guest);
  let failed = '';
  for (const outcome of ['failed', 'failed', 'succeeded'] as const) {
    const { paymentId } = await stage.pay(bookingId, guest);
    if (outcome === 'failed') failed = paymentId;
    stage.provider.says(paymentId, outcome);
    await stage.notify(paymentId);
    // The next attempt would go on with a payment that has not ended.
    await until(async () => (await stage.payment(paymentId)).status === outcome);
    await untilTold(guest, outcome === 'failed' ? 'payment_failed' : 'booking_paid');
  }
  await until(async () => (await unread(guest)).length === 1 || undefined);
  expect(await unread(guest)).toEqual(['booking_paid']);
  // A failure that is handled only now, because an attempt before it failed, is no news any more.
  expect(await findFailure(failed, new Date().toISOString())).toEqual([]);
});

it('what asks for a payment disappears with the booking', async () => {
  const guest = await open();
  const { bookingId } = await stage.book(guest);
  await untilTold(guest, 'booking_created');
  await cancelBooking(stage.node, contextOf(guest), bookingId, null);
  await until(async () => (await unread(guest)).every((name) => name !== 'booking_created') || undefined);
});

it('nobody is reminded of a booking that was cancelled', async () => {
  const guest = await open();
  const { bookingId } = await stage.book(guest);
  const { paymentId } = await stage.pay(bookingId, guest);
  stage.provider.says(paymentId, 'succeeded');
  await stage.notify(paymentId);
  const reminder = await until(() => reminderOf(bookingId));
  await cancelBooking(stage.node, contextOf(guest), bookingId, null);
  const { startsAt } = await stage.booking(bookingId);
  await remind(reminder.data, addMs(startsAt, -DAY_MS));
  await untilTold(guest, 'booking_cancelled');
  expect((await toldTo(guest)).map(({ name }) => name)).not.toContain('booking_reminder');
});

it('a guest is told that the stay ends earlier, and that a no-show was recorded and withdrawn', async () => {
  const guest = await open();
  const { bookingId } = await stage.book(guest);
  const { paymentId } = await stage.pay(bookingId, guest);
  stage.provider.says(paymentId, 'succeeded');
  await stage.notify(paymentId);
  await untilTold(guest, 'booking_paid');
  const { startsAt } = await stage.booking(bookingId);
  const seller = (hours: number) => contextOf(stage.ownerId, 'hotelier', addMs(startsAt, hours * HOUR_MS));
  await markNoShow(stage.node, seller(1), bookingId);
  await untilTold(guest, 'booking_no_show');
  await withdrawNoShow(stage.node, seller(2), bookingId);
  await untilTold(guest, 'booking_no_show_withdrawn');
  await updateBooking(stage.node, seller(18), bookingId, { checkOut: stage.day(31), refund: 50 });
  await untilTold(guest, 'booking_shortened');
  const told = await toldTo(guest);
  expect(told.find(({ name }) => name === 'booking_shortened')?.params).toMatchObject({
    check_out: stage.day(31),
    minor: 5_000,
  });
  expect(told.map(({ name }) => name)).not.toContain('booking_changed');
});
