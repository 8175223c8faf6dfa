/** Accounts with more still to come than a request can cancel: they close at once, and a job goes on with it. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { deletionBlockers } from '../../api/deletionBlockers.ts';
import type { App } from '../../api/http/app.ts';
import { endAccount } from '../../api/privacy/endAccount.ts';
import { settlingWith } from '../../api/privacy/settling.ts';
import { loadAccount, openAccount } from '../../commands/accounts/accounts.ts';
import { signIn } from '../../commands/accounts/signIn.ts';
import { createBooking } from '../../commands/bookings/bookings.ts';
import { addListing } from '../../commands/catalog/listings.ts';
import { addRoom, priceNights } from '../../commands/catalog/rooms.ts';
import { certificateOf } from '../../commands/core/certificateParts.ts';
import { certificateById } from '../../commands/core/certificates.ts';
import { erasePerson } from '../../commands/core/erasure.ts';
import { jobIds } from '../../commands/core/jobs.ts';
import { startWorker } from '../../commands/core/worker.ts';
import type { CommandDeps } from '../../commands/modules.ts';
import { endOfGrace, privacyPolicy } from '../../commands/privacy/endOfGrace.ts';
import { listingKinds } from '../../domain/catalog/listings.ts';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, msBetween } from '../../domain/core/instants.ts';
import { erasurePlan } from '../../ops/erasure.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import { lag } from '../../projections/engine/status.ts';
import { groups } from '../../projections/modules.ts';
import { createStage, dyingBefore, type Node, type Stage } from '../bookings/stage.ts';
import { hotelDetails, roomDetails } from '../catalog/catalogFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { changed } from '../kit/deps.ts';
import { endsWithSpec } from '../kit/ending.ts';
import { patiently } from '../kit/patiently.ts';
import { startProjector } from '../kit/projector.ts';
import { scratchFolder } from '../kit/scratch.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

const BOOKINGS = 150;
const PASSWORD = 'correct horse battery';

let stores: Stores;
let stage: Stage;
/** A process that goes on for so long before it looks again. */
let processWith: (sliceMs: number, from?: Node) => Node;
beforeAll(async () => {
  stores = await freshStores();
  stage = await createStage(stores, { units: BOOKINGS + 100 });
  const folder = await scratchFolder('tombstones');
  endsWithSpec(() => rm(folder, { recursive: true, force: true }));
  const plan = erasurePlan({ TOMBSTONES_DIR: folder });
  processWith = (sliceMs, from = stage.newNode()) => {
    const node: Node = changed(from, {
      settle: (...given) => settlingWith(node, deletionBlockers, sliceMs)(...given),
      erase: (person) => erasePerson<CommandDeps>(node, plan, person),
    });
    return node;
  };
  await startProjector({ ...stage.node, groups });
});

const projected = () => until(async () => (await lag(stage.node, groups)).events === 0);
const account = async (role: 'tourist' | 'hotelier' = 'tourist') => {
  const email = `${randomUUID()}@example.org`;
  const opened = { role, email, password: PASSWORD };
  const { accountId: id } = await openAccount(stage.node, contextOf('admin', 'admin'), opened);
  return { id, email };
};
/** The request has no time to cancel anything. @returns when the account is erased */
const close = async (person: string, role = 'tourist'): Promise<string> => {
  const stopping = new AbortController().signal;
  const app = { ...processWith(0), db: readDb(stores.pool), stopping, deletionBlockers } as unknown as App;
  const { dueAt } = await endAccount(app, contextOf(person, role), person, { resolves: true, forMs: 0 });
  if (dueAt === null) throw new Error('it was erased in the request');
  return dueAt;
};
/** A worker that does only this. @returns ends it */
const workOn = (node: Node) => {
  const worker = startWorker(node, [privacyPolicy], [endOfGrace]);
  return endsWithSpec(() => worker.stop());
};
const booked = async (guest: string, count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const context = contextOf(guest);
    ids.push((await patiently(() => stage.book(guest, stage.node, context))).bookingId);
  }
  return ids;
};
const statuses = async (ids: readonly string[]) => {
  const counts: Record<string, number> = {};
  for (const id of ids) {
    const { status } = await stage.booking(id);
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
};
/** Runs the job once, as at a time. */
const runOnce = (node: Node, id: string, dueAt: string, at = new Date().toISOString()) =>
  endOfGrace.run({ id, data: { dueAt }, attempt: 1 }, { deps: node, context: contextOf('job', 'system', at) });
/** Runs the job until it wants to wait. @returns until when */
const runUntilItWaits = async (node: Node, id: string, dueAt: string) => {
  for (;;) {
    const at = new Date().toISOString();
    const next = await runOnce(node, id, dueAt, at);
    if (next?.againAt !== at) return next?.againAt;
  }
};

describe('a guest with many bookings', () => {
  it('leaves at once; of two workers one dies, the other one cancels what is left, and nothing of the person stays', async () => {
    const { id, email } = await account();
    const ids = await booked(id, BOOKINGS);
    await projected();
    const dueAt = await close(id);
    expect(msBetween(new Date().toISOString(), dueAt)).toBeGreaterThan(HOUR_MS - 10 * MINUTE_MS);
    expect(await statuses(ids)).toEqual({ pending_payment: BOOKINGS });
    expect((await loadAccount(stage.node, id)).erasure?.dueAt).toBe(dueAt);

    const dying = dyingBefore(stage.newNode(), 'Cancel', Math.ceil(BOOKINGS / 3));
    const first = workOn(processWith(50, dying));
    await until(() => dying.died());
    const second = workOn(processWith(50));
    await first();
    await until(async () => (await statuses(ids)).cancelled === BOOKINGS);
    // Each once, and with what its policy gives at the request of the guest.
    for (const bookingId of ids.slice(0, 20)) {
      const events = await stage.node.codec.decodeWithoutAddress(await stores.store.read(`booking-${bookingId}`));
      expect(events.filter(({ type }) => type === 'BookingCancelled')).toMatchObject([{ data: { by: 'guest' } }]);
    }
    expect((await loadAccount(stage.node, id)).email, 'until it is due').toBe(email);
    await until(async () => {
      const { rows } = await stores.pool.query('select run_at from ops.jobs where kind = $1 and id = $2', [
        endOfGrace.kind,
        id,
      ]);
      return rows[0]?.run_at === dueAt;
    });
    await stores.pool.query(`update ops.jobs set run_at = now() where kind = $1 and id = $2`, [endOfGrace.kind, id]);
    await stores.pool.query(`select pg_notify('jobs', '')`);
    const certificate = () => certificateById(stores.pool, certificateOf(stage.node.vault, id));
    await until(async () => (await certificate())?.doneAt != null);
    await expect(loadAccount(stage.node, id)).rejects.toThrow('does not exist');
    expect((await stores.vault.keysToRead([id])).get(id)).toBe('erased');
    await until(async () => !(await jobIds(stores.pool, endOfGrace.kind)).includes(id));
    await second();
  }, 300_000);

  it('keeps the account and what is left of the bookings by signing in', async () => {
    const { id, email } = await account();
    const ids = await booked(id, 8);
    await projected();
    const dueAt = await close(id);
    let ended = 0;
    // A slice that has time for three.
    const slow = changed(processWith(0), {
      settle: (context, person, stopping) => {
        const enough = new AbortController();
        const counting = changed(stage.node, {
          aggregates: {
            ...stage.node.aggregates,
            handle: (decider, one, command, given) => {
              if ((command as { type: string }).type === 'Cancel' && ++ended === 3) enough.abort();
              return stage.node.aggregates.handle(decider, one, command, given);
            },
          },
        });
        return settlingWith(counting, deletionBlockers, DAY_MS)(
          context,
          person,
          AbortSignal.any([stopping, enough.signal]),
        );
      },
    });
    const at = new Date().toISOString();
    expect(await runOnce(slow, id, dueAt, at)).toEqual({ againAt: at });
    await signIn(stage.node, contextOf('anonymous'), { identifier: email, password: PASSWORD });
    expect(await runOnce(slow, id, dueAt)).toBeUndefined();
    expect(await statuses(ids)).toEqual({ cancelled: 3, pending_payment: 5 });
    expect(await loadAccount(stage.node, id)).toMatchObject({ email, status: 'open' });
  });

  it('is erased after a month although one of the bookings cannot be cancelled, and the others are', async () => {
    const { id } = await account();
    const ids = await booked(id, 4);
    await projected();
    const dueAt = await close(id);
    const broken = processWith(
      DAY_MS,
      changed(stage.newNode(), {
        aggregates: {
          ...stage.node.aggregates,
          handle: (decider, one, command, context) =>
            one === ids[1] && (command as { type: string }).type === 'Cancel'
              ? Promise.reject(new Error('it cannot be read'))
              : stage.node.aggregates.handle(decider, one, command, context),
        },
      }),
    );
    const at = new Date().toISOString();
    expect(await runOnce(broken, id, dueAt, at)).toEqual({ againAt: addMs(at, 10 * MINUTE_MS) });
    expect(await statuses(ids)).toEqual({ cancelled: 3, pending_payment: 1 });
    expect((await runOnce(broken, id, dueAt, addMs(dueAt, HOUR_MS)))?.againAt, 'also when it is due').toBeDefined();
    expect(await runOnce(broken, id, dueAt, addMs(dueAt, 30 * DAY_MS))).toBeUndefined();
    await expect(loadAccount(stage.node, id)).rejects.toThrow('does not exist');
  });
});

it('the guests of a seller who leaves have all of their money back, and nobody books any more', async () => {
  const worker = stage.work(processWith(50));
  const seller = await account('hotelier');
  const owner = contextOf(seller.id, 'hotelier');
  const hotel = await addListing(stage.node, owner, listingKinds.hotel, {
    ownerId: seller.id,
    timezone: 'Europe/Moscow',
    currency: 'RUB',
    details: { ...hotelDetails, charges: [], cancellationPolicy: 'non_refundable', confirmation: 'instant' },
  });
  const { basePriceMinor, ...details } = roomDetails;
  const room = await addRoom(stage.node, owner, hotel.id, { ...details, units: 20, pricePerNight: 100 });
  await priceNights(stage.node, owner, room.id, [{ from: stage.day(0), to: stage.day(60), price: 100 }]);
  const stay = { type: 'hotel', itemId: room.id, checkIn: stage.day(30), checkOut: stage.day(32), guests: 2 } as const;
  const sold: { readonly bookingId: string; readonly paymentId: string }[] = [];
  for (let n = 0; n < 10; n += 1) {
    const guest = randomUUID();
    const own = contextOf(guest);
    const { bookingId } = await patiently(() => createBooking(stage.node, own, stay));
    const { paymentId } = await stage.pay(bookingId, guest);
    stage.provider.says(paymentId, 'succeeded');
    await stage.notify(paymentId);
    sold.push({ bookingId, paymentId });
  }
  for (const { bookingId } of sold)
    await until(async () => (await stage.booking(bookingId)).status !== 'pending_payment');
  await projected();
  const dueAt = await close(seller.id, 'hotelier');
  expect(msBetween(new Date().toISOString(), dueAt), 'money was due').toBeGreaterThan(29 * DAY_MS);
  for (const { bookingId, paymentId } of sold)
    await until(async () => {
      const { amountMinor, refunds } = await stage.payment(paymentId);
      const back = Object.values(refunds).filter(({ status }) => status === 'succeeded');
      const isBack = back.reduce((sum, refund) => sum + refund.amountMinor, 0) === amountMinor;
      return isBack && (await stage.booking(bookingId)).status === 'cancelled';
    });
  await until(() =>
    createBooking(stage.newNode(), contextOf(randomUUID()), stay).then(
      () => false,
      () => true,
    ),
  );
  await worker.stop();
  expect(await runUntilItWaits(processWith(50), seller.id, dueAt)).toBe(dueAt);
  await runOnce(processWith(50), seller.id, dueAt, dueAt);
  await expect(loadAccount(stage.node, seller.id)).rejects.toThrow('does not exist');
});
