/** Published listings of all kinds as recommendations need them: by their features, and as a card. */
import type { Static, TObject, TProperties } from '@sinclair/typebox';
import { sql } from 'kysely';
import type { Image } from '../../domain/catalog/listing.ts';
import { type BookedKind, bookedKinds, featuresOf } from '../../domain/recommendations/item.ts';
import { type Offer, offerOf, type VisitDates } from '../../domain/recommendations/offer.ts';
import { type Camel, toCamel } from '../../infra/naming.ts';
import {
  type CommonRow,
  hotels,
  instructors,
  type ListingModel,
  restaurants,
  type TourRow,
  tours,
  transfers,
} from '../catalog/listings.ts';
import { ratings } from '../catalog/ratings.ts';
import { offeredDepartures } from '../catalog/slotOffers.ts';
import { type ReadDb, tableOf } from '../engine/readDb.ts';
import type { IndexedItem } from './recommendationIndex.ts';

/** What a price is for. */
export const priceUnits = ['night', 'person', 'guest', 'ride', 'hour'] as const;
interface Price {
  readonly per: (typeof priceUnits)[number];
  readonly minor: number;
}

/** When somebody comes, and with how many. */
export interface Stay extends VisitDates {
  readonly guests: number;
  /** Now. RFC 3339 */
  readonly at: string;
}

/** A published listing. */
export interface Published {
  readonly item: IndexedItem;
  readonly title: string;
  readonly city: string;
  readonly imageUrl: string | null;
  readonly currency: string;
  /** null: none, or of a hotel, whose nights have the prices. */
  readonly price: Price | null;
  /** Whether places are left on the dates; absent: the index has decided, or only a booking can tell. */
  readonly hasPlaces?: (stay: Stay) => Promise<boolean>;
}

type Row<P extends TProperties> = Static<ListingModel<P>['row']> & CommonRow;
interface Rated {
  readonly rating_sum: number | null;
  readonly rating_reviews: number | null;
}
interface Made<P extends TProperties> {
  features(of: Camel<Row<P>>): readonly string[];
  offer(of: Camel<Row<P>>): Offer | null;
  price(of: Camel<Row<P>>): Price | null;
  hasPlaces?(db: ReadDb, row: Row<P>, stay: Stay): Promise<boolean>;
}

/** Which listings of a kind are read. */
export type Which =
  | { readonly ids: readonly string[] }
  /** A page of all of them, in the order of their ids. */
  | { readonly after: string; readonly limit: number }
  /** Those with the most reviews. */
  | { readonly best: number };

const condition = (which: Which) => {
  if ('ids' in which) return sql`and l.id = any(${which.ids}::uuid[])`;
  return 'after' in which
    ? sql`and l.id > ${which.after} order by l.id limit ${which.limit}`
    : sql`order by r.reviews desc nulls last, l.id limit ${which.best}`;
};

const mainImage = (images: readonly Camel<Image>[]): string | null =>
  (images.find(({ isMain }) => isMain) ?? images[0])?.url ?? null;

const readerOf = <P extends TProperties>(kind: BookedKind, model: ListingModel<P>, made: Made<P>) => {
  const columns = sql.join(Object.keys(model.row.properties).map((column) => sql.ref(`l.${column}`)));
  return async (db: ReadDb, which: Which): Promise<Published[]> => {
    const { rows } = await sql<Row<P> & Rated>`
      select ${columns}, r.sum as rating_sum, r.reviews as rating_reviews
      from ${tableOf(model as { name: string; row: TObject })} l left join ${tableOf(ratings)} r on r.id = l.id
      where l.status = 'published' ${condition(which)}`.execute(db);
    return rows.map((row) => {
      const of = toCamel(row) as Camel<Row<P>>;
      const { id, ownerId, name, city, images, currency } = of as unknown as ListedFields;
      const { rating_sum: sum, rating_reviews: reviews } = row;
      const rating = sum === null || reviews === null ? null : { sum, reviews };
      return {
        item: {
          ...{ id, kind, sellerId: ownerId, features: made.features(of), offer: made.offer(of) },
          ...{ rating, interest: null },
        },
        ...{ title: name, city, imageUrl: mainImage(images), currency, price: made.price(of) },
        ...(made.hasPlaces && { hasPlaces: (stay: Stay) => made.hasPlaces?.(db, row, stay) ?? Promise.resolve(true) }),
      };
    });
  };
};
interface ListedFields {
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  readonly city: string;
  readonly currency: string;
  readonly images: readonly Camel<Image>[];
}

/** A departure on one of the dates that has seats left. */
const hasSeats = async (db: ReadDb, row: TourRow, { checkIn, checkOut, ...party }: Stay): Promise<boolean> =>
  (await offeredDepartures(db, row, { first: checkIn, last: checkOut, ...party })).some(({ available }) => available);

const readers = {
  hotel: readerOf('hotel', hotels, { features: featuresOf.hotel, offer: () => null, price: () => null }),
  tour: readerOf('tour', tours, {
    features: featuresOf.tour,
    offer: offerOf.tour,
    price: ({ pricePerPersonMinor: minor }) => ({ per: 'person', minor }),
    hasPlaces: hasSeats,
  }),
  restaurant: readerOf('restaurant', restaurants, {
    features: featuresOf.restaurant,
    offer: offerOf.restaurant,
    price: ({ averageBillMinor: minor }) => ({ per: 'guest', minor }),
  }),
  transfer: readerOf('transfer', transfers, {
    features: featuresOf.transfer,
    offer: offerOf.transfer,
    price: ({ vehicles }) =>
      vehicles.length === 0 ? null : { per: 'ride', minor: Math.min(...vehicles.map(({ priceMinor }) => priceMinor)) },
  }),
  instructor: readerOf('instructor', instructors, {
    features: featuresOf.instructor,
    offer: offerOf.instructor,
    price: ({ pricePerHourMinor: minor }) => ({ per: 'hour', minor }),
  }),
};

/** The models that listings are read from. */
export const listingModels = [hotels, tours, restaurants, transfers, instructors] as const;

/** Published listings of one kind. */
export const readKind = (db: ReadDb, kind: BookedKind, which: Which): Promise<Published[]> => readers[kind](db, which);

/** Published listings of all kinds. */
export const readPublished = async (db: ReadDb, which: Which): Promise<Published[]> =>
  (await Promise.all(bookedKinds.map((kind) => readKind(db, kind, which)))).flat();
