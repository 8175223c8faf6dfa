/**
 * Fills the index of recommendations and keeps it up to date. Listings, ratings and consents are read again as soon as the
 * projector has changed them; whoever withdraws a consent is left out before anything is read. Bookings are counted anew
 * every few minutes: what many people did changes slowly.
 */

import { addMs, DAY_MS } from '../../domain/core/instants.ts';
import { type BookedKind, bookedKinds } from '../../domain/recommendations/item.ts';
import { NIL_ID } from '../../infra/ids.ts';
import type { Logger } from '../../infra/log.ts';
import { createBackoff, sleep } from '../../infra/retry.ts';
import { ratings } from '../catalog/ratings.ts';
import { consents, withConsent } from '../consents/consents.ts';
import { consentPolicies } from '../consents/policies.ts';
import type { Positions } from '../engine/positions.ts';
import type { ReadDb } from '../engine/readDb.ts';
import { consentingPeople, countedBookings } from './bookedBy.ts';
import { listingModels, readKind, readPublished } from './listings.ts';
import { createRecommendationIndex, MAX_ITEMS, type RecommendationIndex } from './recommendationIndex.ts';

/** Bookings that are older say nothing about the present. */
const COUNTED_DAYS = 730;
const COUNT_AGAIN_MS = 600_000;
/** Listings, and people, of one statement: small enough for requests in between. */
const PAGE = 1_000;
/** Those with the newest accounts. */
const MAX_PEOPLE = 100_000;

interface Deps {
  readonly db: ReadDb;
  readonly log: Logger;
  readonly positions: Pick<Positions, 'follow'>;
  /** The present instant. */
  readonly now: () => string;
}

interface Following {
  /** The index once it is filled. */
  current(): RecommendationIndex | undefined;
  stop(): Promise<void>;
}

const followers = new WeakMap<ReadDb, Following>();

/** The index that follows this database; undefined: it is not filled yet. */
export const recommendationIndexOf = (db: ReadDb): RecommendationIndex | undefined => followers.get(db)?.current();

const everyListing = async (
  db: ReadDb,
  kind: BookedKind,
  add: (page: Awaited<ReturnType<typeof readKind>>) => void,
) => {
  for (let after = NIL_ID, read = 0, more = true; more && read < MAX_ITEMS; read += PAGE) {
    const page = await readKind(db, kind, { after, limit: PAGE });
    add(page);
    after = page.at(-1)?.item.id ?? after;
    more = page.length === PAGE;
  }
};

/** Begins to fill the index and to follow; ends with `stop`. */
export const followRecommendations = async ({ db, log, positions, now }: Deps): Promise<Following> => {
  const stopping = new AbortController();
  const index = createRecommendationIndex();
  let isFilled = false;
  /** What is to be read again; `all`: the index may be wrong in any way. */
  const stale = { all: true, items: new Set<string>(), people: new Set<string>() };
  let countAgainAt = 0;
  let wake = (): void => undefined;

  const since = () => addMs(now(), -COUNTED_DAYS * DAY_MS);
  const taken = (ids: Set<string>): string[] => {
    const those = [...ids].slice(0, PAGE);
    for (const id of those) ids.delete(id);
    return those;
  };

  const readItems = async (): Promise<void> => {
    const found = new Set<string>();
    for (const kind of bookedKinds) {
      if (stopping.signal.aborted) return;
      await everyListing(db, kind, (page) => {
        for (const { item } of page) found.add(item.id);
        index.setItems(page.map(({ item }) => item));
      });
    }
    const gone = [...index.items()].filter(({ id }) => !found.has(id)).map(({ id }) => id);
    index.setItems([], gone);
  };
  const count = async (people: readonly string[]): Promise<void> => {
    const found = await countedBookings(db, people, since());
    for (const person of people) index.counts.set(person, found.get(person) ?? []);
  };
  const countEverybody = async (): Promise<void> => {
    const gone = new Set(index.counts.people());
    let before: string | undefined;
    for (let read = 0, more = true; more && read < MAX_PEOPLE && !stale.all && !stopping.signal.aborted; read += PAGE) {
      const people = await consentingPeople(db, { before, limit: PAGE });
      await count(people);
      for (const person of people) gone.delete(person);
      before = people.at(-1);
      more = people.length === PAGE;
    }
    for (const person of gone) index.counts.set(person, []);
    countAgainAt = performance.now() + COUNT_AGAIN_MS;
  };

  /** Everything that is due; what becomes stale meanwhile is read the next time. */
  const read = async (): Promise<void> => {
    if (stale.all) {
      stale.all = false;
      stale.items.clear();
      stale.people.clear();
      await readItems();
      await countEverybody();
      isFilled = true;
      return;
    }
    const items = taken(stale.items);
    if (items.length > 0)
      index.setItems(
        (await readPublished(db, { ids: items })).map(({ item }) => item),
        items,
      );
    const people = taken(stale.people);
    if (people.length > 0) {
      const consenting = await withConsent(db, 'recommendations', people);
      // A page that was read before the change may have counted the others again.
      for (const person of people) index.counts.set(person, []);
      await count([...consenting]);
    }
    if (performance.now() >= countAgainAt) await countEverybody();
  };
  const isDue = (): boolean =>
    stale.all || stale.items.size + stale.people.size > 0 || performance.now() >= countAgainAt;

  const run = async (): Promise<void> => {
    const backoff = createBackoff();
    while (!stopping.signal.aborted)
      try {
        if (isDue()) await read();
        else await waitUntil(countAgainAt);
        backoff.reset();
      } catch (err) {
        stale.all = true;
        log.warn({ err }, 'the index of recommendations cannot be read; the former one answers meanwhile');
        await sleep(backoff.next(), stopping.signal);
      }
  };
  const waitUntil = (time: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, time - performance.now()));
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const forgetEverybody = (): void => {
    index.counts.clear();
    stale.all = true;
  };
  const noteItems = (ids: readonly string[]): void => {
    if (ids.length === 0) stale.all = true;
    for (const id of ids) stale.items.add(id);
    wake();
  };
  for (const models of [listingModels, [ratings]]) positions.follow(models, noteItems);
  positions.follow([consents], (people) => {
    for (const person of people) {
      index.counts.set(person, []);
      stale.people.add(person);
    }
    if (people.length === 0) forgetEverybody();
    wake();
  });
  // A new text: everybody is asked again.
  positions.follow([consentPolicies], () => {
    forgetEverybody();
    wake();
  });

  stopping.signal.addEventListener('abort', () => wake());
  const running = run();
  const following: Following = {
    current: () => (isFilled ? index : undefined),
    stop: async () => {
      stopping.abort();
      followers.delete(db);
      await running;
    },
  };
  followers.set(db, following);
  return following;
};
