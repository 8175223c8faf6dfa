/**
 * Finds the best day in a graph of moves. A plan is a path through minutes: each action leads from a move that has ended to
 * a later minute. Because a slope is worth less each time, what a plan is worth depends on all of it, so the search is not
 * exact: at each minute it keeps the most promising plans only. What it keeps always has a way back in time.
 */
import { type Action, eachMove, lunchesFrom, type Problem, START, type State } from './actions.ts';
import { type Prospects, prospectsOf } from './prospects.ts';

/** Whether a day can end with a plan: at home, fed, and not without a run. */
export const canEnd = ({ isHome }: Problem, { state: { move, isHungry }, hasSkied }: Ending): boolean =>
  hasSkied && !isHungry && move !== START && isHome[move] === true;
type Ending = Pick<Path, 'state' | 'hasSkied'>;

/** A plan up to a state. */
export interface Path {
  readonly state: State;
  readonly points: number;
  /** The action that led here, */
  readonly action: Action;
  /** from there; null: from the start. */
  readonly before: Path | null;
  /** The most that can come of it. */
  readonly promise: number;
  /** How often the move of the state was made. */
  readonly times: number;
  /** Whether a slope is among the moves. */
  readonly hasSkied: boolean;
  /** The same for the same slopes, in whatever order they were skied. */
  readonly signature: number;
}

/** How often a path has made a move. */
const timesOf = (path: Path | null, move: number): number => {
  for (let at = path; at !== null; at = at.before) if (at.state.move === move) return at.times;
  return 0;
};

/** How often the move of the state that an action leads to has been made then. */
export const timesAfter = (path: Path | null, { type, to }: Action): number =>
  timesOf(path, to.move) + (type === 'move' ? 1 : 0);

/** Whether a path has a run once an action was done. */
export const skiedAfter = ({ moves }: Problem, path: Path | null, { type, to }: Action): boolean =>
  (path?.hasSkied ?? false) || (type === 'move' && moves[to.move]?.kind === 'slope');

/** What a move gains that was made this many times before. */
const gainOf = (worth: number, repeatFactor: number, times: number): number =>
  worth === 0 ? 0 : worth * repeatFactor ** times;

/** What an action adds to a path. */
export const pointsOf = ({ worth, earned, repeatFactor }: Problem, path: Path | null, action: Action): number => {
  if (action.type === 'lunch') return action.gain - action.cost;
  const { move } = action.to;
  return gainOf(worth[move] as number, repeatFactor, timesOf(path, move)) + (earned[move] as number) - action.cost;
};

/** Spreads the moves over numbers, so that their sums differ. */
const signatureOf = (move: number): number => ((move + 1) * 2_654_435_761) % 4_294_967_291;

/** Adds to the promises of the most promising plans of a minute, ascending; of more than `kept` the least is left out. */
const rank = (ranked: number[], promise: number, kept: number): void => {
  if (ranked.length === kept) ranked.shift();
  let at = ranked.push(promise) - 1;
  for (; at > 0 && (ranked[at - 1] as number) > promise; at -= 1) ranked[at] = ranked[at - 1] as number;
  ranked[at] = promise;
};

interface Found {
  /** null: there is no way back in time. */
  readonly best: Path | null;
  /** Plans that were extended. */
  readonly expanded: number;
}

/** @param kept plans at each minute @param known a plan that is to be surpassed */
const search = (problem: Problem, prospects: Prospects, kept: number, known: Path | null): Found => {
  const { moves, worth, earned, deadline, repeatFactor } = problem;
  let best = known;
  let atLeast = known?.points ?? Number.NEGATIVE_INFINITY;
  let expanded = 0;
  const byMinute: Map<number, Path>[] = Array.from({ length: deadline + 1 }, () => new Map());
  const ranks: number[][] = Array.from({ length: deadline + 1 }, () => []);
  /** Whether it can be among the plans that are kept, as far as they are known, or ends better than the best. */
  const matters = (ending: Ending, points: number, promise: number): boolean => {
    if (promise <= atLeast) return false;
    const ranked = ranks[ending.state.minute] as number[];
    if (ranked.length < kept || promise >= (ranked[0] as number)) return true;
    return points > atLeast && canEnd(problem, ending);
  };
  const add = (path: Path | null, action: Action, points: number, promise: number): void => {
    const { to } = action;
    const signature = (path?.signature ?? 0) + (action.type === 'move' ? signatureOf(to.move) : 0);
    const key = (signature * 2 + (to.isHungry ? 1 : 0)) * moves.length + to.move;
    const there = byMinute[to.minute] as Map<number, Path>;
    const same = there.get(key);
    if (same && points <= same.points) return;
    if (!same) rank(ranks[to.minute] as number[], promise, kept);
    const times = timesAfter(path, action);
    const hasSkied = skiedAfter(problem, path, action);
    const next: Path = { state: to, points, promise, action, before: path, times, hasSkied, signature };
    there.set(key, next);
    if (points > atLeast && canEnd(problem, next)) [best, atLeast] = [next, points];
  };
  const extend = (path: Path | null, state: State): void => {
    expanded += 1;
    const { isHungry } = state;
    const before = path?.points ?? 0;
    // What is left out cannot become the best. At first as if no slope had been skied before, which is quickly known.
    eachMove(problem, state, (move, minute, cost) => {
      const first = worth[move] as number;
      const each = (earned[move] as number) - cost;
      const ahead = prospects(move, minute, isHungry);
      if (before + first + each + ahead <= atLeast) return;
      const points = before + (gainOf(first, repeatFactor, first === 0 ? 0 : timesOf(path, move)) + each);
      const action = { type: 'move', to: { move, minute, isHungry }, cost } as const;
      const ending = { state: action.to, hasSkied: skiedAfter(problem, path, action) };
      if (matters(ending, points, points + ahead)) add(path, action, points, points + ahead);
    });
    for (const action of lunchesFrom(problem, state)) {
      const points = before + (action.gain - action.cost);
      const promise = points + prospects(action.to.move, action.to.minute, false);
      const ending = { state: action.to, hasSkied: path?.hasSkied ?? false };
      if (matters(ending, points, promise)) add(path, action, points, promise);
    }
  };
  extend(null, { move: START, minute: 0, isHungry: problem.lunch !== null });
  for (const [minute, paths] of byMinute.entries()) {
    const promising = [...paths.values()].filter(({ promise }) => promise > atLeast);
    promising.sort((a, b) => b.promise - a.promise);
    byMinute[minute] = new Map(); // what is left out can be forgotten
    for (const path of promising.slice(0, kept)) extend(path, path.state);
  }
  return { best, expanded };
};

/** A quick search finds a good plan first: what cannot surpass it is not looked at again. */
export const KEPT_AT_FIRST = 2;

/** @param kept how many plans are kept at each minute: more are slower and find better ones */
export const findBest = (problem: Problem, kept: number): Found => {
  const prospects = prospectsOf(problem);
  const quick = search(problem, prospects, KEPT_AT_FIRST, null);
  const thorough = search(problem, prospects, kept, quick.best);
  return { best: thorough.best, expanded: quick.expanded + thorough.expanded };
};
