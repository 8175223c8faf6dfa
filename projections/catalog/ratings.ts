/** Ratings of listings and sellers: the sums of what reviews add to them. */
import { type Static, Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { Uuid } from '../../domain/core/schema.ts';
import { tableOf } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';
import type { Sql } from './sql.ts';

const Row = Type.Object({
  /** A listing or a seller. */
  id: Uuid,
  /** Of all ratings, each from 1 to 5. */
  sum: Type.Integer(),
  reviews: Type.Integer(),
});

export const ratings = readModel('ratings', {
  version: 1,
  row: Row,
  key: 'id',
  on: {
    RatingChanged: {
      keys: ({ data }) => [{ id: data.listingId }, { id: data.sellerId }],
      fold: (row: Static<typeof Row> | undefined, { data }, { id }) => {
        const reviews = (row?.reviews ?? 0) + data.reviews;
        return reviews === 0 ? null : { id, sum: (row?.sum ?? 0) + data.sum, reviews };
      },
    },
  },
  announce: (keys) => keys.map(({ id }) => id),
});

/** How listings are rated, as a search finds it. */
export interface Rated {
  /** The average, from 1 to 5; null without reviews. */
  readonly rating: number | null;
  readonly reviews_count: number;
}

/** Joins the rating of what a column names. The columns of `ratedColumns` need it. */
export const joinRating = (column: string): Sql =>
  sql`left join (select id as rated_id, sum as rating_sum, reviews as rating_reviews from ${tableOf(ratings)}) as rated
    on rated_id = ${sql.ref(column)}`;
export const ratedColumns: Sql = sql`rating_sum::float8 / rating_reviews as rating, coalesce(rating_reviews, 0) as reviews_count`;
