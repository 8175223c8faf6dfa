/** Reads the published listings, and what people have booked, into the index of recommendations, page by page. */
import { bookedKinds } from '../../domain/recommendations/item.ts';
import { NIL_ID } from '../../infra/ids.ts';
import { withConsent } from '../consents/consents.ts';
import type { ReadDb } from '../engine/readDb.ts';
import { consentingPeople, countedBookings } from './bookedBy.ts';
import { readKind, readPublished } from './listings.ts';
import { MAX_ITEMS, type RecommendationIndex } from './recommendationIndex.ts';

/** Listings, and people, of one statement: small enough for requests in between. */
export const PAGE = 1_000;
/** Those with the newest accounts. */
const MAX_PEOPLE = 100_000;

/** Reads every listing, and removes from the index those that are not published any more. */
export const readEveryListing = async (db: ReadDb, index: RecommendationIndex, signal: AbortSignal): Promise<void> => {
  const found = new Set<string>();
  for (const kind of bookedKinds) {
    if (signal.aborted) return;
    for (let after = NIL_ID, read = 0, more = true; more && read < MAX_ITEMS; read += PAGE) {
      const items = (await readKind(db, kind, { after, limit: PAGE })).map(({ item }) => item);
      for (const { id } of items) found.add(id);
      index.setItems(items);
      after = items.at(-1)?.id ?? after;
      more = items.length === PAGE;
    }
  }
  const gone = [...index.items()].filter(({ id }) => !found.has(id)).map(({ id }) => id);
  index.setItems([], gone);
};

/** Reads these listings again; those that are not published any more leave the index. */
export const readListings = async (db: ReadDb, index: RecommendationIndex, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  const published = await readPublished(db, { ids });
  index.setItems(
    published.map(({ item }) => item),
    ids,
  );
};

/**
 * Counts the bookings of everybody who consents.
 * @param since when the oldest counted booking was made
 * @param isOver whether to count no further
 */
export const countEverybody = async (
  db: ReadDb,
  index: RecommendationIndex,
  since: string,
  isOver: () => boolean,
): Promise<void> => {
  const gone = new Set(index.counts.people());
  let before: string | undefined;
  for (let read = 0, more = true; more && read < MAX_PEOPLE && !isOver(); read += PAGE) {
    const people = await consentingPeople(db, { before, limit: PAGE });
    await count(db, index, people, since);
    for (const person of people) gone.delete(person);
    before = people.at(-1);
    more = people.length === PAGE;
  }
  for (const person of gone) index.counts.set(person, []);
};

/** Counts the bookings of these people again; whoever does not consent is left out. */
export const countPeople = async (
  db: ReadDb,
  index: RecommendationIndex,
  people: readonly string[],
  since: string,
): Promise<void> => {
  if (people.length === 0) return;
  const consenting = await withConsent(db, 'recommendations', people);
  // A page that was read before the change may have counted the others again.
  for (const person of people) index.counts.set(person, []);
  await count(db, index, [...consenting], since);
};

const count = async (
  db: ReadDb,
  index: RecommendationIndex,
  people: readonly string[],
  since: string,
): Promise<void> => {
  const found = await countedBookings(db, people, since);
  for (const person of people) index.counts.set(person, found.get(person) ?? []);
};
