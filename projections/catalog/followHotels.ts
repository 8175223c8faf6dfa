/**
 * Fills the index of hotels from their tables and keeps it up to date: rows are read again as soon as the projector has
 * changed them. Whoever asks gets an index that shows all that was known to be projected when they asked, or none.
 */
import { Rejected } from '../../domain/core/decider.ts';
import { createBell } from '../../infra/bell.ts';
import type { Logger } from '../../infra/log.ts';
import { createBackoff, retryAfterS, sleep } from '../../infra/retry.ts';
import { createWaiters } from '../../infra/waiters.ts';
import type { Positions } from '../engine/positions.ts';
import type { ReadDb } from '../engine/readDb.ts';
import type { HotelIndex } from './hotelIndex.ts';
import { hotels } from './listings.ts';
import { ratings } from './ratings.ts';
import { noteNights, noteRoom, nothing, readHotels, refresh, type Stale } from './readHotels.ts';
import { roomNights } from './roomNights.ts';
import { rooms } from './rooms.ts';

/** How long a search waits for the index to be filled, or to show what was projected. */
const PATIENCE_MS = 2_000;
/** So many hotels are read from their tables where the index does not show them soon. */
const FEW = 100;
const SOON_MS = 50;
/** After everything has changed while it was read. */
const AGAIN_MS = 1_000;
const IDLE_MS = 60_000;

interface Deps {
  readonly db: ReadDb;
  readonly log: Logger;
  readonly positions: Pick<Positions, 'follow' | 'isListening'>;
  /** The present instant: nights of the past are left out. */
  readonly now: () => string;
}

interface Following {
  /** The index, once it shows all that is known to be projected; undefined if it does not within `ms`. */
  current(ms?: number): Promise<HotelIndex | undefined>;
  stop(): Promise<void>;
}

const followers = new WeakMap<ReadDb, Following>();

/**
 * An index that shows what is known to be projected: the one that follows this database, or one that is read for this
 * question, where a few hotels are asked for or nothing follows the database.
 * @param at now, RFC 3339 @param ids the hotels that are asked for; all by default
 * @throws Rejected `unavailable` while the index is being filled
 */
export const hotelIndexOf = async (db: ReadDb, at: string, ids?: readonly string[]): Promise<HotelIndex> => {
  const following = followers.get(db);
  if (!following) return readHotels(db, at, ids);
  const isFew = ids !== undefined && ids.length <= FEW;
  const index = await following.current(isFew ? SOON_MS : PATIENCE_MS);
  if (index) return index;
  if (isFew) return readHotels(db, at, ids);
  throw new Rejected('unavailable', 'The prices of all hotels are being read. Try again shortly.', {
    retry_after_s: retryAfterS(),
  });
};

/** Begins to fill the index and to follow; ends with `stop`. */
export const followHotels = async ({ db, log, positions, now }: Deps): Promise<Following> => {
  const stopping = new AbortController();
  const { signal } = stopping;
  let index: HotelIndex | undefined;
  let stale: Stale = { ...nothing(), everything: true };
  /** How often something became stale, and the last of these times that the index shows. */
  let noted = 1;
  let shown = 0;
  /** Rings when something has become stale. */
  const bell = createBell();
  /** The searches that wait for the index. */
  const waiters = createWaiters();

  const note = (change: (of: Stale) => void): void => {
    change(stale);
    noted += 1;
    bell.ring();
  };
  const noteEverything = (): void =>
    note((of) => {
      of.everything = true;
    });
  const noteLines = (lines: readonly string[], noteLine: (of: Stale, line: string) => void): void =>
    lines.length === 0
      ? noteEverything()
      : note((of) => {
          for (const line of lines) noteLine(of, line);
        });

  const read = async (): Promise<void> => {
    const [these, upTo] = [stale, noted];
    stale = nothing();
    if (index && !these.everything) await refresh(db, index, these);
    else index = await readHotels(db, now());
    shown = upTo;
    waiters.check();
    if (stale.everything) await sleep(AGAIN_MS, signal);
  };
  const run = async (): Promise<void> => {
    const backoff = createBackoff();
    while (!signal.aborted)
      try {
        if (shown < noted) await read();
        else await bell.heard(IDLE_MS);
        backoff.reset();
      } catch (err) {
        noteEverything();
        log.warn({ err }, 'the index of hotels cannot be read; searches over all hotels are refused meanwhile');
        await sleep(backoff.next(), signal);
      }
  };

  positions.follow([hotels, ratings], (lines) =>
    noteLines(lines, (of) => {
      of.hotels = true;
    }),
  );
  positions.follow([rooms], (lines) => noteLines(lines, noteRoom));
  positions.follow([roomNights], (lines) => noteLines(lines, noteNights));

  signal.addEventListener('abort', bell.ring);
  const running = run();
  const following: Following = {
    current: async (ms = PATIENCE_MS) => {
      const asked = noted;
      await waiters.until(() => shown >= asked && positions.isListening(), ms);
      return shown >= asked && positions.isListening() ? index : undefined;
    },
    stop: async () => {
      stopping.abort();
      waiters.giveUp();
      await running;
    },
  };
  followers.set(db, following);
  return following;
};
