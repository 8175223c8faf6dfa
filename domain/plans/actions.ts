/** What can be done on a day: a graph of moves, through minutes. Each action leads from a move that has ended to a later minute. */
import type { Move } from './moves.ts';
import { NEVER, type Timetable } from './timetable.ts';

interface FreeFrom {
  readonly minute: number;
  readonly table: number;
}
export interface Lunch {
  /** It begins from this minute to that one. */
  readonly from: number;
  readonly until: number;
  readonly minutes: number;
  /** By move: the tables near its end, and the minutes from which they are free; the earliest first. */
  readonly tables: readonly (readonly FreeFrom[])[];
  /** Points for one. */
  readonly tableWorth: number;
}

export interface Problem {
  readonly moves: readonly Move[];
  /** By move: points for the first time on the day. */
  readonly worth: Float64Array;
  /** By move: points for the time on skis, each time. */
  readonly earned: Float64Array;
  readonly timetable: Timetable;
  /** The moves that can be made first. */
  readonly start: readonly number[];
  /** By move: whether the day can end after it. */
  readonly isHome: readonly boolean[];
  /** The last minute. */
  readonly deadline: number;
  /** null: none is wished for. */
  readonly lunch: Lunch | null;
  readonly repeatFactor: number;
  /** Points for each minute of waiting beyond the usual. */
  readonly waitingCost: number;
  /** Minutes that one waits usually. */
  readonly usualWait: number;
}

/** Where a plan stands. */
export interface State {
  /** The move that has ended; `START` before the first one. */
  readonly move: number;
  readonly minute: number;
  /** Whether lunch is still to come. */
  readonly isHungry: boolean;
}
export const START = -1;

export type Action =
  | { readonly type: 'move'; readonly to: State; readonly cost: number }
  /** `table`: -1 for none. */
  | {
      readonly type: 'lunch';
      readonly to: State;
      readonly cost: number;
      readonly gain: number;
      readonly table: number;
    };
export const NO_TABLE = -1;
/** A table that is free within this many minutes is waited for. */
export const TABLE_PATIENCE = 20;

/** Whether lunch can begin at a minute. */
export const canEatAt = ({ deadline }: Problem, lunch: Lunch, begins: number): boolean =>
  begins >= lunch.from && begins <= lunch.until && begins + lunch.minutes <= deadline;

/** The table near the end of a move that is waited for at a minute: the next one that is free, if it is soon. */
export const tableSoon = (lunch: Lunch, move: number, minute: number): FreeFrom | undefined => {
  const free = lunch.tables[move]?.find((each) => each.minute >= minute && each.minute >= lunch.from);
  return free !== undefined && free.minute - minute <= TABLE_PATIENCE ? free : undefined;
};

/** The lunches that can begin in a state. Without a table it begins at once. */
export const lunchesFrom = (
  problem: Problem,
  { move, minute, isHungry }: State,
): readonly (Action & { type: 'lunch' })[] => {
  const { lunch, waitingCost } = problem;
  if (!isHungry || lunch === null || move === START || minute > lunch.until) return [];
  const eat = (begins: number, table: number, gain: number): (Action & { type: 'lunch' })[] => {
    if (!canEatAt(problem, lunch, begins)) return [];
    const to = { move, minute: begins + lunch.minutes, isHungry: false };
    return [{ type: 'lunch', to, cost: (begins - minute) * waitingCost, gain, table }];
  };
  const soon = tableSoon(lunch, move, minute);
  return [...eat(minute, NO_TABLE, 0), ...(soon ? eat(soon.minute, soon.table, lunch.tableWorth) : [])];
};

/**
 * What waiting costs. The usual wait costs no more than the time: a day on which all wait as usual is better than its end.
 */
export const waitCost = (minutes: number, usual: number, costPerMinute: number): number =>
  minutes > usual ? (minutes - usual) * costPerMinute : 0;

/** The moves that can be made next, when they end and what waiting for them costs. Nothing is made of those not visited. */
export const eachMove = (
  { moves, timetable, start, waitingCost, usualWait }: Problem,
  { move, minute }: State,
  visit: (next: number, ends: number, cost: number) => void,
): void => {
  const following = move === START ? start : (moves[move] as Move).next;
  for (let n = 0; n < following.length; n += 1) {
    const next = following[n] as number;
    const ends = timetable.endsAt(next, minute);
    if (ends !== NEVER) visit(next, ends, waitCost(timetable.queued(next, minute), usualWait, waitingCost));
  }
};

/** Everything that can be done next. What a move is worth is not among it, because that depends on the moves before. */
export const actionsFrom = (problem: Problem, state: State): readonly Action[] => {
  const { isHungry } = state;
  const found: Action[] = [];
  eachMove(problem, state, (move, minute, cost) => found.push({ type: 'move', to: { move, minute, isHungry }, cost }));
  return isHungry ? [...found, ...lunchesFrom(problem, state)] : found;
};
