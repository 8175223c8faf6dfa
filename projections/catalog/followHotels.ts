/**
 * Fills the index of hotels from their tables, and keeps it like them: processes are told which rows the projector has
 * written, and read those again. So the tables stay the truth, whatever wrote them. Until it is filled, after a lost
 * connection, and when it cannot keep up, SQL answers.
 */

import { addDays } from '../../domain/core/dates.ts';
import type { Position } from '../../domain/core/decider.ts';
import { isAfter, laterOf } from '../../eventstore/subscribe.ts';
import { NIL_ID } from '../../infra/ids.ts';
import type { Logger } from '../../infra/log.ts';
import { inTransaction, listen, type Pool, type Queryable } from '../../infra/postgres.ts';
import { createBackoff, sleep } from '../../infra/retry.ts';
import { announced, ROWS_CHANNEL } from '../engine/announcements.ts';
import { livePosition, PROJECTED_CHANNEL, projectedIn } from '../engine/checkpoint.ts';
import type { Positions } from '../engine/positions.ts';
import { type ReadDb, tableName } from '../engine/readDb.ts';
import { MODELS_CHANNEL, tableVersions } from '../engine/tableVersions.ts';
import { createHotelIndex, type HotelFacts, type HotelIndex, type RoomFacts } from './hotelIndex.ts';
import { hotels } from './listings.ts';
import { dayNumber, type NightRow } from './nights.ts';
import { ratings } from './ratings.ts';
import { roomNights } from './roomNights.ts';
import { rooms } from './rooms.ts';

/** How long a search waits for the index to show what the tables show. SQL takes about as long. */
const PATIENCE_MS = 50;
const PAGE = 20_000;
/** It may be yesterday at a hotel. */
const PAST_DAYS = 2;
/** After everything has changed while it was read. */
const AGAIN_MS = 1_000;
/** Before and after every date. */
const ALWAYS = { first: '1970-01-01', last: '9999-12-31' };
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

/** What must be read again. */
interface Stale {
  hotels: boolean;
  readonly rooms: Set<string>;
  /** Room → the dates in between. */
  readonly nights: Map<string, { first: string; last: string }>;
}
const nothing = (): Stale => ({ hotels: false, rooms: new Set(), nights: new Map() });
const isNothing = (stale: Stale): boolean => !stale.hotels && stale.rooms.size === 0 && stale.nights.size === 0;

const HOTELS = `select h.id, h.status, h.stars, h.timezone, h.minor_per_major, h.confirmation, r.sum::float8 / r.reviews as rating
  from ${tableName(hotels.name)} h left join ${tableName(ratings.name)} r on r.id = h.id order by h.name, h.id`;
const ROOMS = `select id, hotel_id, capacity, units from ${tableName(rooms.name)}`;
const NIGHT = `room_id, night - date '1970-01-01' as day, price_minor, stop_sell, min_stay, max_stay, closed_to_arrival,
  closed_to_departure, taken`;
type Night = NightRow & { readonly room_id: string };

/** By room, in the order of the rows. */
const byRoom = (nights: readonly Night[]): Map<string, Night[]> => {
  const rows = new Map<string, Night[]>();
  for (const night of nights) {
    const of = rows.get(night.room_id);
    if (of) of.push(night);
    else rows.set(night.room_id, [night]);
  }
  return rows;
};

/** Everything, in pages, so that the process goes on meanwhile. Nights of the past are left out. */
const fill = async (db: Queryable, index: HotelIndex, from: string): Promise<void> => {
  index.setHotels((await db.query<HotelFacts>(HOTELS)).rows);
  index.setRooms((await db.query<RoomFacts>(ROOMS)).rows);
  for (let last: Night | undefined, more = true; more; ) {
    const { rows } = await db.query<Night>(
      `select ${NIGHT} from ${tableName(roomNights.name)}
       where night >= $3 and (room_id, night) > ($1::uuid, date '1970-01-01' + $2::int)
       order by room_id, night limit ${PAGE}`,
      [last?.room_id ?? NIL_ID, last?.day ?? 0, from],
    );
    for (const [room, nights] of byRoom(rows))
      index.setNights(room, nights[0]?.day ?? 0, nights.at(-1)?.day ?? 0, nights);
    last = rows.at(-1);
    more = rows.length === PAGE;
  }
};

/** Reads again what is stale. */
const refresh = async (pool: Pool, index: HotelIndex, stale: Stale): Promise<void> => {
  if (stale.hotels) index.setHotels((await pool.query<HotelFacts>(HOTELS)).rows);
  if (stale.rooms.size > 0)
    index.setRooms((await pool.query<RoomFacts>(`${ROOMS} where id = any ($1)`, [[...stale.rooms]])).rows);
  if (stale.nights.size === 0) return;
  const ranges = [...stale.nights];
  const { rows } = await pool.query<Night>(
    `select ${NIGHT} from ${tableName(roomNights.name)}
     join unnest($1::uuid[], $2::date[], $3::date[]) as range (room, first, last)
       on room_id = room and night between first and last`,
    [ranges.map(([room]) => room), ranges.map(([, { first }]) => first), ranges.map(([, { last }]) => last)],
  );
  const found = byRoom(rows);
  for (const [room, { first, last }] of ranges)
    index.setNights(room, dayNumber(first), dayNumber(last), found.get(room) ?? []);
};

const note = (stale: Stale, model: string, line: string): void => {
  if (model === hotels.name || model === ratings.name) stale.hotels = true;
  if (model === rooms.name) {
    stale.rooms.add(line);
    stale.nights.set(line, ALWAYS); // what is left of them depends on the room
  }
  if (model !== roomNights.name) return;
  const [room = '', from = ALWAYS.first, to = ALWAYS.last] = line.split(' ');
  const { first, last } = stale.nights.get(room) ?? { first: from, last: to };
  stale.nights.set(room, { first: from < first ? from : first, last: to > last ? to : last });
};

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
  const waiting = new Set<() => void>();

  const reached = (position: Position | null): void => {
    shown = position;
    for (const resume of waiting) resume();
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
  const onNotify = (channel: string, payload: string): void => {
    if (channel === MODELS_CHANNEL)
      void versionsNow().then(
        (now) => now !== versions && startAgain(),
        () => startAgain(),
      );
    else if (channel === PROJECTED_CHANNEL) {
      const projected = projectedIn(payload);
      if (!projected?.groups.some((name) => name === group)) return;
      heard = laterOf(heard, projected.position);
      if (index && isNothing(stale) && !isReading) reached(heard);
      else wake();
    } else {
      const { model, lines } = announced(payload);
      if (!FOLLOWED.some(({ name }) => name === model)) return;
      if (lines.length === 0) startAgain();
      for (const line of lines) note(stale, model, line);
    }
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

  const run = async (): Promise<void> => {
    const backoff = createBackoff();
    while (!signal.aborted)
      try {
        if (isBehind()) await read();
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
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
      const until = performance.now() + PATIENCE_MS;
      while (!isCurrent() && performance.now() < until)
        await new Promise<void>((resolve) => {
          const resume = () => {
            clearTimeout(timer);
            waiting.delete(resume);
            resolve();
          };
          const timer = setTimeout(resume, until - performance.now());
          waiting.add(resume);
        });
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
