/**
 * Finds the best day in a graph of moves. A plan is a path through minutes: each action leads from a move that has ended to
 * a later minute. Because a slope is worth less each time, what a plan is worth depends on all of it, so the search is not
 * exact: at each minute it keeps the most promising plans only. What it keeps always has a way back in time.
 */
import type { Move } from './moves.ts';
import { NEVER, type Timetable } from './timetable.ts';

export interface Lunch {
  /** It begins from this minute to that one. */
  readonly from: number;
  readonly until: number;
  readonly minutes: number;
  /** By move: the tables near its end, and the minutes from which they are free; the earliest first. */
  readonly tables: readonly (readonly { readonly minute: number; readonly table: number }[])[];
  /** Points for one. */
  readonly tableWorth: number;
}

export interface Problem {
  readonly moves: readonly Move[];
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
  /** Points for each minute of waiting. */
  readonly waitingCost: number;
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
/** A table that is free so many minutes later is waited for. */
const TABLE_PATIENCE = 20;

/** The lunches that can begin in a state. Without a table it begins at once. */
const lunchesFrom = (
  { deadline, lunch, waitingCost }: Problem,
  { move, minute, isHungry }: State,
): readonly (Action & { type: 'lunch' })[] => {
  if (!isHungry || lunch === null || move === START || minute > lunch.until) return [];
  const eat = (begins: number, table: number, gain: number): (Action & { type: 'lunch' })[] => {
    const ends = begins + lunch.minutes;
    if (begins < lunch.from || begins > lunch.until || ends > deadline) return [];
    const cost = (begins - minute) * waitingCost;
    return [{ type: 'lunch', to: { move, minute: ends, isHungry: false }, cost, gain, table }];
  };
  const free = lunch.tables[move]?.find((each) => each.minute >= minute && each.minute >= lunch.from);
  const isSoon = free !== undefined && free.minute - minute <= TABLE_PATIENCE;
  return [...eat(minute, NO_TABLE, 0), ...(isSoon ? eat(free.minute, free.table, lunch.tableWorth) : [])];
};

/** Everything that can be done next. What a move is worth is not among it, because that depends on the moves before. */
export const actionsFrom = (problem: Problem, state: State): readonly Action[] => {
  const { moves, timetable, start, waitingCost } = problem;
  const { move, minute, isHungry } = state;
  const found: Action[] = [];
  for (const next of move === START ? start : (moves[move] as Move).next) {
    const ends = timetable.endsAt(next, minute);
    if (ends === NEVER) continue;
    const cost = timetable.waited(next, minute) * waitingCost;
    found.push({ type: 'move', to: { move: next, minute: ends, isHungry }, cost });
  }
  return isHungry ? [...found, ...lunchesFrom(problem, state)] : found;
};

const canEnd = ({ isHome }: Problem, { move, isHungry }: State): boolean =>
  !isHungry && move !== START && isHome[move] === true;

/**
 * The most that can still be gained from each state, as if a slope were worth the same each time; -Infinity: there is no
 * way back. It is computed from the last minute backwards, because every action leads to a later one.
 */
const prospectsOf = (problem: Problem): ((state: State) => number) => {
  const { moves, timetable, deadline, lunch, waitingCost, isHome } = problem;
  const width = deadline + 1;
  const layer = moves.length * width;
  const best = new Float64Array(layer * (lunch === null ? 1 : 2)).fill(Number.NEGATIVE_INFINITY);
  const at = ({ move, minute, isHungry }: State): number => (isHungry ? layer : 0) + move * width + minute;
  const eaten = (state: State): number => {
    let most = Number.NEGATIVE_INFINITY;
    for (const { gain, cost, to } of lunchesFrom(problem, state))
      most = Math.max(most, gain - cost + (best[at(to)] as number));
    return most;
  };
  /** What each move is worth if one comes to it at the minute, with all that can follow. */
  const taken = new Float64Array(moves.length);
  // Loops without iterators: most of the time of a plan is spent here.
  const fill = (minute: number, isHungry: boolean): void => {
    const from = isHungry ? layer : 0;
    for (let m = 0; m < moves.length; m += 1) {
      const ends = timetable.endsAt(m, minute);
      const cost = timetable.waited(m, minute) * waitingCost;
      taken[m] =
        ends === NEVER
          ? Number.NEGATIVE_INFINITY
          : (moves[m] as Move).worth - cost + (best[from + m * width + ends] as number);
    }
    const isLunchtime = isHungry && lunch !== null && minute + TABLE_PATIENCE >= lunch.from && minute <= lunch.until;
    for (let move = 0; move < moves.length; move += 1) {
      const { next } = moves[move] as Move;
      let most = isHome[move] && !isHungry ? 0 : Number.NEGATIVE_INFINITY;
      for (let n = 0; n < next.length; n += 1) most = Math.max(most, taken[next[n] as number] as number);
      if (isLunchtime) most = Math.max(most, eaten({ move, minute, isHungry }));
      best[from + move * width + minute] = most;
    }
  };
  for (let minute = deadline; minute >= 0; minute -= 1) {
    fill(minute, false);
    if (lunch !== null) fill(minute, true);
  }
  return (state) => best[at(state)] as number;
};

/** A plan up to a state. */
export interface Path {
  readonly state: State;
  readonly points: number;
  /** The action that led here, */
  readonly action: Action;
  /** from there; null: from the start. */
  readonly before: Path | null;
  /** The same for the same slopes, in whatever order they were skied. */
  readonly signature: number;
}

/** How often a path has skied a move. */
const timesOf = (path: Path | null, move: number): number => {
  let times = 0;
  for (let at = path; at !== null; at = at.before) if (at.action.type === 'move' && at.state.move === move) times += 1;
  return times;
};

/** What an action adds to a path. */
export const pointsOf = ({ moves, repeatFactor }: Problem, path: Path | null, action: Action): number => {
  if (action.type === 'lunch') return action.gain - action.cost;
  const { worth } = moves[action.to.move] as Move;
  return (worth === 0 ? 0 : worth * repeatFactor ** timesOf(path, action.to.move)) - action.cost;
};

/** Spreads the moves over numbers, so that their sums differ. */
const signatureOf = (move: number): number => ((move + 1) * 2_654_435_761) % 4_294_967_291;

interface Found {
  /** null: there is no way back in time. */
  readonly best: Path | null;
  /** Plans that were extended. */
  readonly expanded: number;
}

/** @param kept plans at each minute @param known a plan that is to be surpassed */
const search = (problem: Problem, prospects: (state: State) => number, kept: number, known: Path | null): Found => {
  const { moves, deadline } = problem;
  let best = known;
  let atLeast = known?.points ?? Number.NEGATIVE_INFINITY;
  let expanded = 0;
  const byMinute: Map<number, Path>[] = Array.from({ length: deadline + 1 }, () => new Map());
  const extend = (path: Path | null, state: State): void => {
    expanded += 1;
    for (const action of actionsFrom(problem, state)) {
      const { to } = action;
      const worth = action.type === 'move' ? (moves[to.move] as Move).worth : action.gain;
      // It cannot become the best, not even if no slope had been skied before.
      if ((path?.points ?? 0) + worth - action.cost + prospects(to) <= atLeast) continue;
      const points = (path?.points ?? 0) + pointsOf(problem, path, action);
      const signature = (path?.signature ?? 0) + (action.type === 'move' ? signatureOf(to.move) : 0);
      const key = (signature * 2 + (to.isHungry ? 1 : 0)) * moves.length + to.move;
      const there = byMinute[to.minute] as Map<number, Path>;
      if (points <= (there.get(key)?.points ?? Number.NEGATIVE_INFINITY)) continue;
      const next: Path = { state: to, points, action, before: path, signature };
      there.set(key, next);
      if (points > atLeast && canEnd(problem, to)) [best, atLeast] = [next, points];
    }
  };
  extend(null, { move: START, minute: 0, isHungry: problem.lunch !== null });
  for (const [minute, paths] of byMinute.entries()) {
    const promising = [...paths.values()]
      .map((path) => ({ path, promise: path.points + prospects(path.state) }))
      .filter(({ promise }) => promise > atLeast)
      .sort((a, b) => b.promise - a.promise);
    byMinute[minute] = new Map(); // what is left out can be forgotten
    for (const { path } of promising.slice(0, kept)) extend(path, path.state);
  }
  return { best, expanded };
};

/** A quick search finds a good plan first: what cannot surpass it is not looked at again. */
const KEPT_AT_FIRST = 2;

/** @param kept how many plans are kept at each minute: more are slower and find better ones */
export const findBest = (problem: Problem, kept: number): Found => {
  const prospects = prospectsOf(problem);
  const quick = search(problem, prospects, KEPT_AT_FIRST, null);
  const thorough = search(problem, prospects, kept, quick.best);
  return { best: thorough.best, expanded: quick.expanded + thorough.expanded };
};
