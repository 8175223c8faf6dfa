/**
 * The difference between the clock of this process and that of the database. Leases and jobs go by the database's clock;
 * times in events, holds and tokens by that of the process, so that a difference must be noticed. It stops nothing.
 */
import type { Logger } from './log.ts';
import { metrics } from './metrics.ts';

/** Above this many seconds, holds end visibly early or late. */
const MAX_SKEW_S = 5;
/** The clocks agree again below this: a difference at the limit is not told of again and again. */
const AGREES_S = 2.5;

/** A time of the database in seconds, and when this process asked for it and had it, in milliseconds. */
export interface ClockReading {
  readonly databaseS: number;
  readonly askedMs: number;
  readonly answeredMs: number;
}

/**
 * Seconds by which this process is certainly ahead, negative: behind. The database was asked at some moment in between: a slow
 * answer, or a process that stood still, is no difference.
 */
const certainSkew = ({ databaseS, askedMs, answeredMs }: ClockReading): number => {
  if (askedMs / 1_000 > databaseS) return askedMs / 1_000 - databaseS;
  return Math.min(0, answeredMs / 1_000 - databaseS);
};

export interface ClockCheck {
  /** Logs when a difference begins and when it is over. */
  note(reading: ClockReading, log: Logger): void;
  /** What `/health` says of it. */
  remarks(): readonly string[];
}

export const createClockCheck = (): ClockCheck => {
  let skew = 0;
  let isOff = false;
  return {
    note: (reading, log) => {
      skew = certainSkew(reading);
      metrics.clockSkewSeconds.set(skew);
      const wasOff = isOff;
      isOff = Math.abs(skew) > (wasOff ? AGREES_S : MAX_SKEW_S);
      if (isOff && !wasOff) log.warn({ seconds: Math.round(skew) }, 'the clock differs from that of the database');
      if (!isOff && wasOff) log.warn('the clock agrees with that of the database again');
    },
    remarks: () =>
      isOff ? [`The clock differs by ${Math.round(skew)} s from that of the database: synchronise both (NTP).`] : [],
  };
};

/** Of this process, whatever number of roles it has. */
export const processClock = createClockCheck();
