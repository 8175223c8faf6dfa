/** Favourites as lists show them: title, picture and current price, read at once for all things of a kind. */
import { sql } from 'kysely';
import type { Image } from '../../domain/catalog/listing.ts';
import { type PostLanguage, postStateAt, textIn } from '../../domain/content/post.ts';
import { isPlaceholder } from '../../domain/core/schema.ts';
import type { FavoriteKind } from '../../domain/favorites/kinds.ts';
import { publicLink } from '../../infra/signedLinks.ts';
import { searchedKinds } from '../catalog/listingFilters.ts';
import { hotels, type ListingModel } from '../catalog/listings.ts';
import { lowestPricesOfHotels, lowestPricesOfRooms } from '../catalog/lowestPrices.ts';
import { rooms } from '../catalog/rooms.ts';
import type { Sql } from '../catalog/sql.ts';
import { posts } from '../content/posts.ts';
import { isAnyOf, type ReadDb, rowColumns, tableOf, tables } from '../engine/readDb.ts';
import { forumTopics } from '../forums/topics.ts';
import { resortLifts, resortSlopes } from '../resort/facilities.ts';
import { publicWebcam, webcams } from '../resort/webcams.ts';

export interface Card {
  readonly title: string;
  readonly picture: string | null;
  /** The lowest current price; null: it has none, or nothing can be booked. */
  readonly priceMinor: number | null;
  readonly currency: string | null;
  /** It is closed, retired or not shown any more. */
  readonly isGone: boolean;
}
interface Shown {
  /** RFC 3339. */
  readonly at: string;
  readonly language: PostLanguage;
}
type Cards = ReadonlyMap<string, Card>;
/** The cards of these things. What was deleted, or must not be seen any more, is missing. */
type CardsOf = (db: ReadDb, ids: readonly string[], shown: Shown) => Promise<Cards>;

const mainOf = (images: readonly Image[] | readonly { readonly url: string; readonly is_main: boolean }[]) => {
  const main = images.find((image) => ('is_main' in image ? image.is_main : image.isMain));
  return (main ?? images[0])?.url ?? null;
};
const unpriced = { priceMinor: null, currency: null };

interface ListingRow {
  readonly id: string;
  readonly name: string;
  readonly images: readonly { readonly url: string; readonly is_main: boolean }[];
  readonly status: string;
  readonly currency: string;
  readonly price_minor: number | null;
}
const listingCards = (rows: readonly ListingRow[]): Cards =>
  new Map(
    rows.flatMap(({ id, name: title, images, status, currency, price_minor }) => {
      if (isPlaceholder(title)) return []; // its seller was erased
      const isGone = status !== 'published';
      return [
        [id, { title, picture: mainOf(images), priceMinor: isGone ? null : price_minor, currency, isGone }] as const,
      ];
    }),
  );

const listingRows = async (db: ReadDb, model: ListingModel, ids: readonly string[], price: Sql) => {
  const { rows } = await sql<ListingRow>`
    select id, name, images, status, currency, ${price} as price_minor
    from ${tableOf(model)} as l where ${isAnyOf('id', ids)}`.execute(db);
  return rows;
};
const UNPRICED = sql`null::bigint`;

const ofKind =
  ({ model, price }: { readonly model: object; readonly price: ((asked: object) => Sql) | null }): CardsOf =>
  async (db, ids) =>
    listingCards(await listingRows(db, model as ListingModel, ids, price?.({}) ?? UNPRICED));

const hotelCards: CardsOf = async (db, ids, { at }) => {
  const [rows, prices] = await Promise.all([
    listingRows(db, hotels as unknown as ListingModel, ids, UNPRICED),
    lowestPricesOfHotels(db, ids, { at }),
  ]);
  return listingCards(rows.map((row) => ({ ...row, price_minor: prices.get(row.id) ?? null })));
};

const roomCards: CardsOf = async (db, ids, { at }) => {
  const { rows } = await sql<ListingRow & { readonly hotel_id: string }>`
    select l.id, l.hotel_id, l.name, l.images, h.status, l.currency, ${UNPRICED} as price_minor
    from ${tableOf(rooms)} l join ${tableOf(hotels)} h on h.id = l.hotel_id where ${isAnyOf('l.id', ids)}`.execute(db);
  const prices = await lowestPricesOfRooms(db, rows, at);
  return listingCards(rows.map((row) => ({ ...row, price_minor: prices.get(row.id) ?? null })));
};

const facilityCards =
  (model: typeof resortLifts | typeof resortSlopes): CardsOf =>
  async (db, ids) => {
    const { rows } = await sql<{ id: string; name: string; is_retired: boolean }>`
      select id, name, retired_at is not null as is_retired from ${tableOf(model)} where ${isAnyOf('id', ids)}`.execute(
      db,
    );
    return new Map(
      rows.map(({ id, name: title, is_retired: isGone }) => [id, { title, picture: null, ...unpriced, isGone }]),
    );
  };

const cardsOf: Readonly<Record<FavoriteKind, CardsOf>> = {
  hotel: hotelCards,
  room: roomCards,
  tour: ofKind(searchedKinds.tour),
  transfer: ofKind(searchedKinds.transfer),
  instructor: ofKind(searchedKinds.instructor),
  restaurant: ofKind(searchedKinds.restaurant),
  company: ofKind(searchedKinds.company),
  slope: facilityCards(resortSlopes),
  lift: facilityCards(resortLifts),
  webcam: async (db, ids) => {
    const rows = await tables(db, webcams)
      .selectFrom('webcams')
      .select(rowColumns(webcams))
      .where(isAnyOf('id', ids))
      .execute();
    return new Map(
      rows.map(publicWebcam).map(({ id, name: title, snapshot_path }) => {
        return [id, { title, picture: publicLink(snapshot_path), ...unpriced, isGone: false }];
      }),
    );
  },
  topic: async (db, ids) => {
    const rows = await tables(db, forumTopics)
      .selectFrom('forum_topics')
      .select(['id', 'title', 'status'])
      .where(isAnyOf('id', ids))
      .execute();
    const isShown = ({ title, status }: (typeof rows)[number]) => status === 'open' && !isPlaceholder(title);
    return new Map(
      rows.filter(isShown).map(({ id, title }) => [id, { title, picture: null, ...unpriced, isGone: false }]),
    );
  },
  event: async (db, ids, { at, language }) => {
    const rows = await tables(db, posts)
      .selectFrom('posts')
      .select(rowColumns(posts))
      .where(isAnyOf('id', ids))
      .execute();
    // What was taken back may be a draft by now, which nobody sees.
    const isShown = ({ publish_at, expires_at }: (typeof rows)[number]) =>
      postStateAt({ publishAt: publish_at, expiresAt: expires_at }, at) === 'published';
    return new Map(
      rows.filter(isShown).map(({ id, texts, images }) => {
        const { title } = textIn(texts, language);
        return [id, { title, picture: mainOf(images), ...unpriced, isGone: false }];
      }),
    );
  },
};

/** The cards of favourites of one kind, by id. Those that are missing are gone. */
export const favoriteCards = (db: ReadDb, kind: FavoriteKind, ids: readonly string[], shown: Shown): Promise<Cards> =>
  ids.length === 0 ? Promise.resolve(new Map()) : cardsOf[kind](db, ids, shown);
