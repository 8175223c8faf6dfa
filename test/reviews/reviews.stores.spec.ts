/** Reviews on the real stores: who may write one, and ratings that follow them everywhere. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccount } from '../../commands/accounts/accounts.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import { reportContent, resolveReport } from '../../commands/reports/reports.ts';
import { reviewPolicy } from '../../commands/reviews/policy.ts';
import {
  deleteReview,
  editReview,
  firstReviewable,
  hideReview,
  restoreReview,
  reviewIdOf,
  writeReview,
} from '../../commands/reviews/reviews.ts';
import { booking } from '../../domain/bookings/booking.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { file } from '../../domain/files/file.ts';
import { review } from '../../domain/reviews/review.ts';
import { followHotels } from '../../projections/catalog/followHotels.ts';
import { searchHotels } from '../../projections/catalog/hotelSearch.ts';
import { hotels } from '../../projections/catalog/listings.ts';
import { ratings } from '../../projections/catalog/ratings.ts';
import { type Positions, watchPositions } from '../../projections/engine/positions.ts';
import { type ReadDb, readDb } from '../../projections/engine/readDb.ts';
import { rebuild } from '../../projections/engine/rebuild.ts';
import { lag } from '../../projections/engine/status.ts';
import { groups, models } from '../../projections/modules.ts';
import { listPublicReviews, reviewableBookings } from '../../projections/reviews/queries.ts';
import { createStage, interruptedBefore, type Stage } from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { type Projector, startProjector, untilHeard } from '../kit/projector.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { uploaded } from '../kit/uploads.ts';

let stores: Stores;
let stage: Stage;
let positions: Positions;
let db: ReadDb;
let following: Awaited<ReturnType<typeof followHotels>>;
let projector: Projector;
beforeAll(async () => {
  stores = await freshStores();
  stage = await createStage(stores, { units: 20 });
  projector = await startProjector({ ...stage.node, groups });
  positions = await watchPositions(stores.pool, stores.databaseUrl, stores.log, models);
  db = readDb(stores.pool);
  following = await followHotels({ ...stage.node, db, positions });
});
afterAll(async () => {
  await following.stop();
  await positions.stop();
});

const projected = () => until(async () => (await lag(stage.node, groups)).events === 0);

/** A booking of a guest, which is over unless `status` says otherwise. @returns its id */
const bookingOf = async (guest: string, status: 'paid' | 'completed' = 'completed'): Promise<string> => {
  const { node } = stage;
  const { bookingId, booking: made } = await stage.book(guest);
  const context = contextOf('system', 'system');
  const { holdId, totalMinor: amountMinor } = made;
  const paid = {
    paymentId: randomUUID(),
    amountMinor,
    at: context.at,
    knownAt: context.at,
    holdId,
    by: 'system',
  } as const;
  await node.aggregates.handle(booking, bookingId, { type: 'MarkPaid', ...paid }, context);
  if (status === 'completed')
    await node.aggregates.handle(booking, bookingId, { type: 'Complete', by: 'system' }, context);
  return bookingId;
};

/** A guest and their booking. */
const guestOf = async (status?: 'paid' | 'completed') => {
  const { node } = stage;
  const { accountId: guest } = await openAccount(node, contextOf(randomUUID()), {
    role: 'tourist',
    firstName: 'Anna',
    lastName: 'Orlova',
    email: `${randomUUID()}@example.test`,
    password: 'correct horse',
  });
  const bookingId = await bookingOf(guest, status);
  const target = { targetType: 'hotel', targetId: stage.hotelId } as const;
  const write = (rating: number, more: object = {}, by = guest, on = node) =>
    writeReview(on, contextOf(by), { bookingId, ...target, rating, text: 'Fine', pictureIds: [], ...more });
  return { guest, bookingId, target, write, id: reviewIdOf(bookingId) };
};

/** The rating in lists, the same in memory and in SQL. */
const rating = async () => {
  await projected();
  await untilHeard(positions, stores.pool, hotels);
  await until(async () => (await following.current()) !== undefined);
  const asked = { at: new Date().toISOString(), sort: 'rating', page: 1, perPage: 10 } as const;
  const [byIndex, byReading] = [await searchHotels(db, asked), await searchHotels(readDb(stores.pool), asked)];
  expect(byIndex).toEqual(byReading);
  const [found] = byIndex.rows;
  return { rating: found?.rating, reviews: found?.reviews_count };
};

describe('a review', () => {
  it('needs a completed booking of the author, of this listing', async () => {
    const { write, target, guest } = await guestOf();
    await expect(write(5, {}, randomUUID())).rejects.toMatchObject({ code: 'not_found' });
    await expect(write(5, { targetId: randomUUID() })).rejects.toMatchObject({ code: 'invalid' });
    await expect((await guestOf('paid')).write(5)).rejects.toMatchObject({ code: 'invalid_transition' });
    await projected();
    expect(await reviewableBookings(db, { userId: guest, ...target })).toHaveLength(1);
    expect(await reviewableBookings(db, { userId: randomUUID(), ...target })).toEqual([]);
  });

  it('changes the rating when it is written, edited, hidden, restored and deleted', async () => {
    const { node } = stage;
    const [one, two] = [await guestOf(), await guestOf()];
    expect(await rating()).toEqual({ rating: null, reviews: 0 });
    await one.write(5);
    await two.write(2);
    expect(await rating()).toEqual({ rating: 3.5, reviews: 2 });
    await editReview(node, contextOf(two.guest), two.id, { rating: 4 });
    expect(await rating()).toEqual({ rating: 4.5, reviews: 2 });
    const subject = { kind: 'review', id: two.id, within: null } as const;
    const complaint = { subject, text: 'Rude', authorId: two.guest, reason: 'Not true' };
    const { reportId } = await reportContent(node, contextOf(one.guest), one.guest, complaint);
    const remove = (context: CommandContext) => hideReview(node, context, two.id, 'Names a person');
    for (let n = 0; n < 2; n += 1)
      await resolveReport(node, contextOf('admin', 'admin'), reportId, { action: 'removed', remove, others: [] });
    expect(await rating()).toEqual({ rating: 5, reviews: 1 });
    const { rows } = await listPublicReviews(db, { targetId: stage.hotelId, page: 1, perPage: 10 });
    expect(rows.map((each) => each.toJSON())).toMatchObject([{ id: one.id, author: 'Anna O.', rating: 5 }]);
    await restoreReview(node, contextOf('admin', 'admin'), two.id);
    await deleteReview(node, contextOf(one.guest), one.id);
    expect(await rating()).toEqual({ rating: 4, reviews: 1 });
    await deleteReview(node, contextOf(two.guest), two.id);
    expect(await rating()).toEqual({ rating: null, reviews: 0 });
    await expect(one.write(5)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('that was deleted leaves the other stays to be reviewed', async () => {
    const { node } = stage;
    const { guest, bookingId, target } = await guestOf();
    const other = await bookingOf(guest);
    const next = async () => {
      await projected();
      return firstReviewable(node, await reviewableBookings(db, { userId: guest, ...target }));
    };
    const review = async (id: string) => {
      const written = { bookingId: id, ...target, rating: 3, text: 'Fine', pictureIds: [] };
      await writeReview(node, contextOf(guest), written);
      await deleteReview(node, contextOf(guest), reviewIdOf(id));
    };
    const first = (await next()) ?? '';
    await review(first);
    const second = (await next()) ?? '';
    expect([first, second].toSorted()).toEqual([bookingId, other].toSorted());
    await review(second);
    expect(await next()).toBeUndefined();
  });

  it('is one, however many write it at once', async () => {
    const { write, id } = await guestOf();
    const tries = await Promise.allSettled([1, 2, 3, 4].map((stars) => write(stars)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await stage.node.aggregates.load(review, id)).state).toMatchObject({ status: 'published' });
  });
});

describe('a picture of a review', () => {
  const stateOf = async (id: string) => {
    const { state } = await stage.node.aggregates.load(file, id);
    return 'usage' in state ? { status: state.status, usedBy: state.usage?.kind ?? null } : state;
  };
  const shown = { status: 'stored', usedBy: 'review' };

  it('that was dropped and is shown again stays, however late its removal is handled', async () => {
    const { node } = stage;
    const { guest, write, id } = await guestOf();
    const [first, again] = [await uploaded(node, guest, 'reviews'), await uploaded(node, guest, 'reviews')];
    await write(5, { pictureIds: [first, again] });
    const show = (pictureIds: string[]) => editReview(node, contextOf(guest), id, { pictureIds });
    const handleAll = async () => {
      for (const event of await node.codec.decodeWithoutAddress<Recorded>(await stores.store.read(`review-${id}`)))
        await reviewPolicy.handlers.get(event.type)?.(event as never, { deps: node, context: contextOf('policy') });
    };
    await show([first]);
    await show([first, again]);
    await handleAll();
    expect(await Promise.all([first, again].map(stateOf))).toEqual([shown, shown]);
    await show([again]);
    await handleAll();
    expect(await Promise.all([first, again].map(stateOf))).toEqual([{ ...shown, status: 'removed' }, shown]);
    await deleteReview(node, contextOf(guest), id);
    await handleAll();
    expect(await stateOf(again)).toMatchObject({ status: 'removed' });
  });

  it('stays when another request, with another text, has named it at the same time', async () => {
    const { guest, write } = await guestOf();
    const pictureOf = () => uploaded(stage.node, guest, 'reviews');
    const [shared, other] = [await pictureOf(), await pictureOf()];
    const slow = interruptedBefore(stage.node, 'WriteReview', () => write(5, { pictureIds: [shared] }));
    const late = write(4, { text: 'Good', pictureIds: [shared, other] }, guest, slow);
    await expect(late).rejects.toMatchObject({ code: 'conflict' });
    expect(await stateOf(shared)).toEqual(shown);
    expect(await stateOf(other)).toEqual({ status: 'stored', usedBy: null });
  });
});

it('ratings are the same after a rebuild', async () => {
  const people = await Promise.all([3, 4, 5].map(() => guestOf()));
  for (const [n, { write }] of people.entries()) await write(n + 2);
  await hideReview(stage.node, contextOf('admin', 'admin'), people[0]?.id ?? '', 'x');
  await projected();
  const rows = async () => (await stores.pool.query('select * from read.ratings order by id')).rows;
  const before = await rows();
  expect(before).toHaveLength(2);
  await stores.pool.query('update read.ratings set sum = 1');
  await rebuild(stage.node, ratings, { mode: 'rebuild', signal: projector.signal });
  expect(await rows()).toEqual(before);
});
