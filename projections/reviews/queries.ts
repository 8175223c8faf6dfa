/** Lists of reviews, and what a person can review. */
import type { Static } from '@sinclair/typebox';
import { sql } from 'kysely';
import type { BookingType } from '../../domain/catalog/bookableItem.ts';
import { type JsonText, objectText } from '../../infra/jsonText.ts';
import { bookings } from '../bookings/bookings.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { isAnyOf, type ReadDb, tables } from '../engine/readDb.ts';
import { formsOf } from '../engine/replies.ts';
import type { Audience } from '../engine/wire.ts';
import { PublicReview, type ReviewForm, type ReviewRow, type reviewStatuses, reviews } from './reviews.ts';

export const reviewSorts = ['newest', 'best', 'worst'] as const;
type ReviewSort = (typeof reviewSorts)[number];

const ORDER = {
  newest: sql`created_at desc, id`,
  best: sql`rating desc, created_at desc, id`,
  worst: sql`rating, created_at desc, id`,
} as const satisfies Record<ReviewSort, unknown>;

interface Asked extends Paging {
  readonly userId?: string;
  readonly sellerId?: string;
  readonly targetType?: BookingType | undefined;
  readonly targetId?: string | undefined;
  readonly status?: (typeof reviewStatuses)[number] | undefined;
  readonly sort?: ReviewSort;
}

const rowsOf = (
  db: ReadDb,
  { userId, sellerId, targetType, targetId, status, sort = 'newest', ...paging }: Asked,
): Promise<Page<ReviewRow>> =>
  pageOf(
    db,
    tables(db, reviews)
      .selectFrom('reviews')
      .selectAll()
      .$if(userId !== undefined, (q) => q.where('user_id', '=', userId as string))
      .$if(sellerId !== undefined, (q) => q.where('seller_id', '=', sellerId as string))
      .$if(targetType !== undefined, (q) => q.where('target_type', '=', targetType as BookingType))
      .$if(targetId !== undefined, (q) => q.where('target_id', '=', targetId as string))
      .$if(status !== undefined, (q) => q.where('status', '=', status as ReviewRow['status']))
      .orderBy(ORDER[sort]),
    paging,
  );

/** Reviews as an audience sees them, with their answers. */
export const showReviews = async (
  db: ReadDb,
  rows: readonly ReviewRow[],
  audience: Audience,
): Promise<JsonText<ReviewForm>[]> => {
  const formFor = await formsOf(db, reviews, rows, [audience]);
  return rows.map((row) => formFor(row, audience) as JsonText<ReviewForm>);
};

/** For their author, seller or admins. */
export const listReviews = async (
  db: ReadDb,
  audience: Audience,
  asked: Asked,
): Promise<Page<JsonText<ReviewForm>>> => {
  const { rows, total } = await rowsOf(db, asked);
  return { rows: await showReviews(db, rows, audience), total };
};

const publicFields = Object.keys(PublicReview.properties) as (keyof Static<typeof PublicReview>)[];

/** The published ones, for everybody. */
export const listPublicReviews = async (
  db: ReadDb,
  asked: Asked,
): Promise<Page<JsonText<Static<typeof PublicReview>>>> => {
  const { rows, total } = await listReviews(db, 'guest', { ...asked, status: 'published' });
  const seen = rows.map((row) => {
    const all = row.toJSON();
    return objectText<Static<typeof PublicReview>>(
      Object.fromEntries(publicFields.map((name) => [name, all[name]])) as Static<typeof PublicReview>,
    );
  });
  return { rows: seen, total };
};

export const reviewById = (db: ReadDb, id: string): Promise<ReviewRow | undefined> =>
  tables(db, reviews).selectFrom('reviews').selectAll().where('id', '=', id).executeTakeFirst();

interface ReviewViewer {
  readonly id: string;
  /** Whether they see every review, also hidden ones. */
  readonly isAdmin: boolean;
}

/** As whom somebody sees a review; undefined: not at all. */
const reviewAudience = (
  { id, isAdmin }: ReviewViewer,
  { user_id, seller_id, status }: ReviewRow,
): Audience | undefined => {
  if (isAdmin) return 'admin';
  if (user_id === id) return 'guest';
  return seller_id === id && status === 'published' ? 'seller' : undefined;
};

/** A review as its author, its seller or an admin sees it; undefined for everybody else, and for the seller of a hidden one. */
export const reviewFor = async (
  db: ReadDb,
  viewer: ReviewViewer,
  id: string,
): Promise<JsonText<ReviewForm> | undefined> => {
  const row = await reviewById(db, id);
  const audience = row && reviewAudience(viewer, row);
  return audience && (await showReviews(db, [row], audience))[0];
};

export const reviewsByIds = (db: ReadDb, ids: readonly string[]): Promise<ReviewRow[]> =>
  tables(db, reviews).selectFrom('reviews').selectAll().where(isAnyOf('id', ids)).execute();

/** The completed bookings of a listing without a review of the person, the newest first: also those whose review was deleted. */
export const reviewableBookings = async (
  db: ReadDb,
  {
    userId,
    targetType,
    targetId,
  }: { readonly userId: string; readonly targetType: BookingType; readonly targetId: string },
): Promise<string[]> => {
  const found = await tables(db, bookings, reviews)
    .selectFrom('bookings')
    .select('bookings.id')
    .where('bookings.user_id', '=', userId)
    .where('type', '=', targetType)
    .where('listing_id', '=', targetId)
    .where('bookings.status', '=', 'completed')
    .where((e) =>
      e.not(e.exists(e.selectFrom('reviews').select('reviews.id').whereRef('booking_id', '=', 'bookings.id'))),
    )
    .orderBy('ends_at', 'desc')
    .execute();
  return found.map(({ id }) => id);
};
