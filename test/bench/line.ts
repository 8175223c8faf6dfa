/** A line of the table: what is measured beside what, and what it must reach. */

import type { Resort } from './resort.ts';
import type { Plan, Result } from './rounds.ts';

export interface Size {
  readonly plan: Plan;
  readonly hotels: number;
  /** Events of the generated log. */
  readonly events: number;
  /** Events of the log that is copied. */
  readonly copied: number;
  /** Events of the logs of growing length. */
  readonly growth: readonly number[];
  /** Jobs that wait while the shortest log is measured once more. */
  readonly waitingJobs: number;
  /** Bookings of the night that everybody wants. */
  readonly oneNight: number;
  /** Devices of each push service. */
  readonly devices: number;
  /** Events of apps that a funnel looks at, a fifth of them steps. */
  readonly appEvents: number;
}

export const FULL: Size = {
  plan: { warmUpSeconds: 5, seconds: 6, rounds: 5 },
  hotels: 10_000,
  events: 1_000_000,
  copied: 300_000,
  growth: [10_000, 100_000, 1_000_000],
  waitingJobs: 100_000,
  oneNight: 10_000,
  devices: 100_000,
  appEvents: 10_000_000,
};
export const SMALL: Size = {
  plan: { warmUpSeconds: 2, seconds: 2, rounds: 3 },
  hotels: 500,
  events: 20_000,
  copied: 20_000,
  growth: [10_000, 20_000],
  waitingJobs: 100_000,
  oneNight: 10_000,
  devices: 10_000,
  appEvents: 1_000_000,
};

const COMPILED_SECONDS = 12;

/** For what runs through so much code that V8 goes on compiling it for `seconds`. */
export const warmedUp = (plan: Plan, seconds = COMPILED_SECONDS): Plan => ({
  ...plan,
  warmUpSeconds: Math.max(plan.warmUpSeconds, seconds),
});

export interface Bench {
  readonly size: Size;
  /** The running system on a resort with many hotels; started at the first use. */
  readonly resort: () => Promise<Resort>;
  /** Stops the resort where a line needs the machine for itself. */
  readonly stopResort: () => Promise<void>;
  /** The connection string of an empty server that the log is copied to; undefined: an embedded node. */
  readonly copyTo: string | undefined;
}

export interface Goal {
  /** What the number is: `× bare Koa`. */
  readonly what: string;
  readonly value: number;
  readonly limit: number;
  readonly is: 'at least' | 'at most';
}

/** One row of the table. The first result is ours. */
export interface Row {
  readonly name: string;
  readonly results: readonly Result[];
  readonly goals: readonly Goal[];
  /** What a reader must know of these numbers. */
  readonly note?: string;
}

export interface Line {
  readonly name: string;
  readonly work: string;
  /** null: it is compared with itself, or with a fixed limit. */
  readonly peer: string | null;
  readonly goal: string;
  run(bench: Bench): Promise<Row[]>;
}

/** A line that cannot be measured here or yet; the message says why. */
export class NotMeasured extends Error {
  override readonly name = 'NotMeasured';
}

export const isReached = ({ value, limit, is }: Goal): boolean => (is === 'at least' ? value >= limit : value <= limit);

/** Our rate as a part of a peer's. */
export const rateGoal = (
  ours: Result | undefined,
  peer: Result | undefined,
  limit: number,
  name = peer?.name,
): Goal => ({
  what: `× ${name}`,
  value: (ours?.rate.median ?? Number.NaN) / (peer?.rate.median ?? Number.NaN),
  limit,
  is: 'at least',
});

export const resultOf = (results: readonly Result[], name: string): Result | undefined =>
  results.find((result) => result.name === name);
