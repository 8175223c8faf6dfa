/**
 * Fills the index of recommendations and keeps it up to date. Listings, ratings and consents are read again as soon as the
 * projector has changed them; whoever withdraws a consent is left out before anything is read. Bookings are counted anew
 * every few minutes: what many people did changes slowly.
 */

import { addMs, DAY_MS } from '../../domain/core/instants.ts';
import { createBell } from '../../infra/bell.ts';
import type { Logger } from '../../infra/log.ts';
import { createBackoff, sleep } from '../../infra/retry.ts';
import { ratings } from '../catalog/ratings.ts';
import { consents } from '../consents/consents.ts';
import { consentPolicies } from '../consents/policies.ts';
import type { Positions } from '../engine/positions.ts';
import type { ReadDb } from '../engine/readDb.ts';
import { listingModels } from './listings.ts';
import { countEverybody, countPeople, PAGE, readEveryListing, readListings } from './readRecommendations.ts';
import { createRecommendationIndex, type RecommendationIndex } from './recommendationIndex.ts';

/** Bookings that are older say nothing about the present. */
const COUNTED_DAYS = 730;
const COUNT_AGAIN_MS = 600_000;

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

/** Takes out as many as are read together. */
const takePage = (ids: Set<string>): string[] => {
  const page = [...ids].slice(0, PAGE);
  for (const id of page) ids.delete(id);
  return page;
};

/** Begins to fill the index and to follow; ends with `stop`. */
export const followRecommendations = async ({ db, log, positions, now }: Deps): Promise<Following> => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const index = createRecommendationIndex();
  /** Rings when something has become stale. */
  const bell = createBell();
  let isFilled = false;
  /** What is to be read again; `all`: the index may be wrong in any way. */
  const stale = { all: true, items: new Set<string>(), people: new Set<string>() };
  let countAgainAt = 0;

  const since = () => addMs(now(), -COUNTED_DAYS * DAY_MS);
  const countAnew = async (): Promise<void> => {
    await countEverybody(db, index, since(), () => stale.all || signal.aborted);
    countAgainAt = performance.now() + COUNT_AGAIN_MS;
  };
  const readAll = async (): Promise<void> => {
    stale.all = false;
    stale.items.clear();
    stale.people.clear();
    await readEveryListing(db, index, signal);
    await countAnew();
    isFilled = true;
  };
  /** Everything that is due; what becomes stale meanwhile is read the next time. */
  const read = async (): Promise<void> => {
    if (stale.all) return readAll();
    await readListings(db, index, takePage(stale.items));
    await countPeople(db, index, takePage(stale.people), since());
    if (performance.now() >= countAgainAt) await countAnew();
  };
  const isDue = (): boolean =>
    stale.all || stale.items.size + stale.people.size > 0 || performance.now() >= countAgainAt;

  const run = async (): Promise<void> => {
    const backoff = createBackoff();
    while (!signal.aborted)
      try {
        if (isDue()) await read();
        else await bell.heard(Math.max(0, countAgainAt - performance.now()));
        backoff.reset();
      } catch (err) {
        stale.all = true;
        log.warn({ err }, 'the index of recommendations cannot be read; the former one answers meanwhile');
        await sleep(backoff.next(), signal);
      }
  };

  const forgetEverybody = (): void => {
    index.counts.clear();
    stale.all = true;
  };
  const noteItems = (ids: readonly string[]): void => {
    if (ids.length === 0) stale.all = true;
    for (const id of ids) stale.items.add(id);
    bell.ring();
  };
  const notePeople = (people: readonly string[]): void => {
    if (people.length === 0) forgetEverybody();
    for (const person of people) {
      index.counts.set(person, []);
      stale.people.add(person);
    }
    bell.ring();
  };
  for (const models of [listingModels, [ratings]]) positions.follow(models, noteItems);
  positions.follow([consents], notePeople);
  positions.follow([consentPolicies], () => notePeople([])); // a new text: everybody is asked again

  signal.addEventListener('abort', bell.ring);
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
