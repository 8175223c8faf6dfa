/** A path through the mountain as it is told to a person: what to do when, and why. */

import { MINUTE_MS } from '../core/instants.ts';
import { NO_TABLE, type Problem } from './actions.ts';
import { isFreshlyGroomed, type Move, type PlanLift, type PlanSlope } from './moves.ts';
import type { Path } from './search.ts';
import type { ExpectedWait } from './timetable.ts';

/** Why a step is part of the plan. */
export const reasons = [
  'leads_on',
  'way_back',
  'short_wait',
  'first_time',
  'worth_it_again',
  'your_level',
  'groomed',
  'wished',
  'table_free',
  'no_table_free',
  'opens_later',
  'table_later',
] as const;
type Reason = (typeof reasons)[number];

/** In milliseconds since the epoch. */
interface Timed {
  readonly startsAt: number;
  readonly endsAt: number;
  readonly why: readonly Reason[];
}
interface LiftStep extends Timed {
  readonly type: 'lift';
  readonly lift: PlanLift;
  readonly direction: 'up' | 'down';
  readonly wait: ExpectedWait;
  readonly verticalM: number;
}
interface SlopeStep extends Timed {
  readonly type: 'slope';
  readonly slope: PlanSlope;
  readonly distanceM: number;
  readonly verticalM: number;
}
interface LunchStep extends Timed {
  readonly type: 'lunch';
  /** The place of the table in those that were offered; null: none. */
  readonly table: number | null;
}
interface WaitStep extends Timed {
  readonly type: 'wait';
}
export type Step = LiftStep | SlopeStep | LunchStep | WaitStep;

const SHORT_WAIT = 3;

/** What has led to a path, in order. */
const pathsTo = (path: Path): readonly Path[] => {
  const found: Path[] = [];
  for (let at: Path | null = path; at !== null; at = at.before) found.push(at);
  return found.reverse();
};

const whyLift = (wait: ExpectedWait, isLast: boolean): Reason[] => [
  isLast ? 'way_back' : 'leads_on',
  ...(wait.minutes <= SHORT_WAIT ? (['short_wait'] as const) : []),
];
const whySlope = (slope: PlanSlope, isFirst: boolean, isLast: boolean, from: number, level: string): Reason[] => [
  isFirst ? 'first_time' : 'worth_it_again',
  ...(slope.difficulty === level ? (['your_level'] as const) : []),
  ...(isFreshlyGroomed(slope, from) ? (['groomed'] as const) : []),
  ...(isLast ? (['way_back'] as const) : []),
];

/** @param from the minute 0 of the problem, in milliseconds since the epoch */
export const stepsOf = (
  { moves, timetable, lunch }: Problem,
  path: Path,
  { from, level }: { readonly from: number; readonly level: string },
): readonly Step[] => {
  const at = (minute: number): number => from + minute * MINUTE_MS;
  const skied = new Set<number>();
  const paths = pathsTo(path);
  return paths.flatMap(({ state, action, before }, n): Step[] => {
    const came = before?.state.minute ?? 0;
    const isLast = n === paths.length - 1;
    const endsAt = at(state.minute);
    const waiting = (until: number, why: Reason): WaitStep[] =>
      until > came ? [{ type: 'wait', startsAt: at(came), endsAt: at(until), why: [why] }] : [];
    if (action.type === 'lunch') {
      const begins = state.minute - (lunch?.minutes ?? 0);
      const isBooked = action.table !== NO_TABLE;
      const table = isBooked ? action.table : null;
      const why: Reason[] = ['wished', isBooked ? 'table_free' : 'no_table_free'];
      return [...waiting(begins, 'table_later'), { type: 'lunch', startsAt: at(begins), endsAt, table, why }];
    }
    const move = moves[state.move] as Move;
    const { queuesAt, wait } = timetable.ride(state.move, came);
    const idle = waiting(queuesAt, 'opens_later');
    if (move.kind === 'lift') {
      const { of: lift, direction, verticalM } = move;
      const why = whyLift(wait, isLast);
      return [...idle, { type: 'lift', lift, direction, wait, verticalM, startsAt: at(queuesAt), endsAt, why }];
    }
    const { of: slope, distanceM, verticalM } = move;
    const why = whySlope(slope, !skied.has(state.move), isLast, from, level);
    skied.add(state.move);
    return [...idle, { type: 'slope', slope, distanceM, verticalM, startsAt: at(queuesAt), endsAt, why }];
  });
};
