/**
 * Fills the index of hotels from their tables, and keeps it like them: processes are told which rows the projector has
 * written, and read those again. So the tables stay the truth, whatever wrote them. Until it is filled, after a lost
 * connection, and when it cannot keep up, SQL answers.
 */
import { addDays } from '../../domain/core/dates.ts';
import type { Position } from '../../domain/core/decider.ts';
import { isAfter, laterOf } from '../../eventstore/subscribe.ts';
import { listen } from '../../infra/listen.ts';
import type { Logger } from '../../infra/log.ts';
import { inTransaction, type Pool } from '../../infra/postgres.ts';
import { createBackoff, sleep } from '../../infra/retry.ts';
import { createWaiters } from '../../infra/waiters.ts';
import { announced, ROWS_CHANNEL } from '../engine/announcements.ts';
import { livePosition, PROJECTED_CHANNEL, projectedIn } from '../engine/checkpoint.ts';
import type { Positions } from '../engine/positions.ts';
import type { ReadDb } from '../engine/readDb.ts';
import { MODELS_CHANNEL, tableVersions } from '../engine/tableVersions.ts';
import { createHotelIndex, type HotelIndex } from './hotelIndex.ts';
import { hotels } from './listings.ts';
import { ratings } from './ratings.ts';
import { fill, refresh } from './readHotels.ts';
import { roomNights } from './roomNights.ts';
import { rooms } from './rooms.ts';
import { isNothing, note, nothing } from './staleHotels.ts';

/** How long a search waits for the index to show what the tables show. SQL takes about as long. */
const PATIENCE_MS = 50;
/** It may be yesterday at a hotel. */
const PAST_DAYS = 2;
/** After everything has changed while it was read. */
const AGAIN_MS = 1_000;
/** All of one group: see `modules.ts`. */
const FOLLOWED = [ratings, hotels, rooms, roomNights];

interface Deps {
  readonly pool: Pool;
  readonly databaseUrl: string;
  readonly db: ReadDb;
  readonly log: Logger;
  readonly positions: Pick<Positions, 'latest'>;
  /** The present instant: nights of the past are left out. */
  readonly now: () => string;
}

interface Following {
  /** The index, once it shows all that this process knows to be projected; undefined: ask SQL. */
  current(): Promise<HotelIndex | undefined>;
  stop(): Promise<void>;
}

const followers = new WeakMap<ReadDb, Following>();

/** The index that follows this database; undefined: ask SQL. */
export const hotelIndexOf = async (db: ReadDb): Promise<HotelIndex | undefined> => followers.get(db)?.current();

/** Resolves when it listens, and fills the index in the background. Ends with `stop`. */
export const followHotels = async ({ pool, databaseUrl, db, log, positions, now }: Deps): Promise<Following> => {
  const stopping = new AbortController();
  const { signal } = stopping;
  /** undefined: to be filled. */
  let index: HotelIndex | undefined;
  let stale = nothing();
  let heard: Position | null = null;
  /** The tables up to here are in the index. */
  let shown: Position | null = null;
  let versions = '';
  /** Whose batches go into the tables. */
  let group: string | undefined;
  /** Raised when all that was read may be wrong. */
  let generation = 0;
  let isReading = false;
  let wake = (): void => undefined;
  /** The searches that wait for the index to catch up. */
  const waiters = createWaiters();

  const reached = (position: Position | null): void => {
    shown = position;
    waiters.check();
  };
  const startAgain = (): void => {
    generation += 1;
    index = undefined;
    wake();
  };
  const versionsNow = async (): Promise<string> => {
    const live = await tableVersions(pool);
    group = live.get(hotels.name)?.consumer;
    return FOLLOWED.map(({ name }) => `${live.get(name)?.version}:${live.get(name)?.epoch}`).join(' ');
  };
  const onModels = async (): Promise<void> => {
    const now = await versionsNow().catch(() => undefined);
    if (now !== versions) startAgain();
  };
  const onProjected = (payload: string): void => {
    const projected = projectedIn(payload);
    if (!projected?.groups.some((name) => name === group)) return;
    heard = laterOf(heard, projected.position);
    if (index && isNothing(stale) && !isReading) reached(heard);
    else wake();
  };
  const onRows = (payload: string): void => {
    const { model, lines } = announced(payload);
    if (!FOLLOWED.some(({ name }) => name === model)) return;
    if (lines.length === 0) startAgain();
    for (const line of lines) note(stale, model, line);
  };
  const onNotify = (channel: string, payload: string): void => {
    if (channel === MODELS_CHANNEL) void onModels();
    else if (channel === PROJECTED_CHANNEL) onProjected(payload);
    else onRows(payload);
  };

  const fillAnew = async (): Promise<void> => {
    const next = createHotelIndex();
    const begun = generation;
    stale = nothing();
    versions = await versionsNow();
    heard = laterOf(heard, await livePosition(pool, hotels));
    const from = heard;
    // On one connection: each page would wait behind all the searches that SQL answers meanwhile.
    await inTransaction(pool, (client) => fill(client, next, addDays(now().slice(0, 10), -PAST_DAYS)));
    if (generation !== begun) return sleep(AGAIN_MS, signal);
    index = next;
    reached(from);
  };
  const catchUp = async (of: HotelIndex): Promise<void> => {
    const [these, upTo] = [stale, heard];
    stale = nothing();
    await refresh(pool, of, these);
    reached(upTo);
  };
  const read = async (): Promise<void> => {
    isReading = true;
    try {
      await (index ? catchUp(index) : fillAnew());
    } finally {
      isReading = false;
    }
  };
  /** Whether the tables may show more than the index. */
  const isBehind = (): boolean => !index || !isNothing(stale) || (heard !== null && isAfter(heard, shown));

  const news = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });
  const run = async (): Promise<void> => {
    const backoff = createBackoff();
    while (!signal.aborted)
      try {
        await (isBehind() ? read() : news());
        backoff.reset();
      } catch (err) {
        index = undefined;
        log.warn({ err }, 'the index of hotels cannot be read; SQL answers meanwhile');
        await sleep(backoff.next(), signal);
      }
  };

  const listener = await listen(databaseUrl, [ROWS_CHANNEL, PROJECTED_CHANNEL, MODELS_CHANNEL], onNotify, {
    applicationName: 'hotel index',
    log,
    onReconnect: startAgain, // notifications may have been missed
  });
  signal.addEventListener('abort', () => wake());
  const running = run();

  const isCurrent = (): boolean => {
    const latest = positions.latest(FOLLOWED);
    return index !== undefined && (latest === null || !isAfter(latest, shown));
  };
  const following: Following = {
    current: async () => {
      if (!index) return undefined;
      await waiters.until(isCurrent, PATIENCE_MS);
      return isCurrent() ? index : undefined;
    },
    stop: async () => {
      stopping.abort();
      followers.delete(db);
      await listener.stop();
      await running;
    },
  };
  followers.set(db, following);
  return following;
};
