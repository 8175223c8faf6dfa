/** When each move is done if one comes to its beginning at a minute: waiting for it to open, then in its queue. */
import { MINUTE_MS } from '../core/instants.ts';
import type { Move } from './moves.ts';

/** Where an expected wait is known from: reported now, usual at that time, or assumed. */
export const waitSources = ['reported', 'typical', 'assumed'] as const;
export interface ExpectedWait {
  readonly minutes: number;
  readonly source: (typeof waitSources)[number];
}
/** The wait at a lift at an instant, in milliseconds since the epoch. */
export type WaitAt = (liftId: string, time: number) => ExpectedWait;

/** The hours of a plan. Minutes are counted from `from`. */
export interface Day {
  /** In milliseconds since the epoch. */
  readonly from: number;
  /** The last minute. */
  readonly lastMinute: number;
}

/** A move that one came to at a minute. */
interface Ride {
  /** When one stops waiting for it to open: the minute one came, unless it was closed. */
  readonly queuesAt: number;
  readonly wait: ExpectedWait;
  readonly endsAt: number;
}

const NO_WAIT: ExpectedWait = { minutes: 0, source: 'assumed' };
/** It cannot be done any more on this day. */
export const NEVER = -1;

export interface Timetable {
  /** When a move ends, by the minute one comes to it; `NEVER` when it is not open long enough. */
  endsAt(move: number, minute: number): number;
  /** Minutes of that which are spent in the queue, not waiting for the move to open. */
  queued(move: number, minute: number): number;
  ride(move: number, minute: number): Ride;
}

/** The whole of a move is within the hours of its lift or slope. */
export const timetableOf = (moves: readonly Move[], { from, lastMinute }: Day, waitAt: WaitAt): Timetable => {
  const count = moves.length;
  const minuteOf = (time: number): number => (time - from) / MINUTE_MS;
  const waitFor = (move: Move, minute: number): ExpectedWait =>
    move.kind === 'lift' ? waitAt(move.of.id, from + minute * MINUTE_MS) : NO_WAIT;
  // Minute by minute, because what is asked together is asked for one minute.
  const ends = new Int16Array(count * (lastMinute + 1)).fill(NEVER);
  const queues = new Int16Array(ends.length);
  // The latest hours first: what is too late for the earlier ones is done in the later ones.
  for (const [m, move] of moves.entries())
    for (const span of move.of.open.toReversed()) {
      const opens = Math.max(0, Math.ceil(minuteOf(span.from)));
      const closes = Math.min(lastMinute, Math.floor(minuteOf(span.to)));
      for (let queuesAt = closes - move.minutes; queuesAt >= opens; queuesAt -= 1) {
        const wait = waitFor(move, queuesAt).minutes;
        const endsAt = queuesAt + wait + move.minutes;
        if (endsAt > closes) continue;
        ends[queuesAt * count + m] = endsAt;
        queues[queuesAt * count + m] = wait;
      }
      const first = ends[opens * count + m] ?? NEVER;
      if (first === NEVER) continue;
      for (let minute = 0; minute < opens; minute += 1) {
        ends[minute * count + m] = first;
        queues[minute * count + m] = queues[opens * count + m] as number;
      }
    }
  return {
    endsAt: (move, minute) => ends[minute * count + move] as number,
    queued: (move, minute) => queues[minute * count + move] as number,
    ride: (m, minute) => {
      const move = moves[m] as Move;
      const endsAt = ends[minute * count + m] as number;
      const opening = move.of.open.map((span) => Math.ceil(minuteOf(span.from))).find((opens) => opens > minute);
      const isOpen = move.of.open.some((span) => minuteOf(span.from) <= minute && endsAt <= minuteOf(span.to));
      const queuesAt = isOpen ? minute : (opening ?? minute);
      return { queuesAt, wait: waitFor(move, queuesAt), endsAt };
    },
  };
};
