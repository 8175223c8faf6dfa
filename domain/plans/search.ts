/**
 * Finds the best day in a graph of moves. A plan is a path through minutes: each action leads from a move that has ended to
 * a later minute. Because a slope is worth less each time, what a plan is worth depends on all of it, so the search is not
 * exact: at each minute it keeps the most promising plans only. What it keeps always has a way back in time.
 */
import { type Action, eachMove, lunchesFrom, type Problem, START, type State } from './actions.ts';
import type { Move } from './moves.ts';
import { type Prospects, prospectsOf } from './prospects.ts';

const canEnd = ({ isHome }: Problem, { move, isHungry }: State): boolean =>
  !isHungry && move !== START && isHome[move] === true;

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
const search = (problem: Problem, prospects: Prospects, kept: number, known: Path | null): Found => {
  const { moves, deadline } = problem;
  let best = known;
  let atLeast = known?.points ?? Number.NEGATIVE_INFINITY;
  let expanded = 0;
  const byMinute: Map<number, Path>[] = Array.from({ length: deadline + 1 }, () => new Map());
  const add = (path: Path | null, action: Action): void => {
    const { to } = action;
    const points = (path?.points ?? 0) + pointsOf(problem, path, action);
    const signature = (path?.signature ?? 0) + (action.type === 'move' ? signatureOf(to.move) : 0);
    const key = (signature * 2 + (to.isHungry ? 1 : 0)) * moves.length + to.move;
    const there = byMinute[to.minute] as Map<number, Path>;
    if (points <= (there.get(key)?.points ?? Number.NEGATIVE_INFINITY)) return;
    const next: Path = { state: to, points, action, before: path, signature };
    there.set(key, next);
    if (points > atLeast && canEnd(problem, to)) [best, atLeast] = [next, points];
  };
  const extend = (path: Path | null, state: State): void => {
    expanded += 1;
    const { isHungry } = state;
    const before = path?.points ?? 0;
    // What is left out cannot become the best, not even if no slope had been skied before.
    eachMove(problem, state, (move, minute, cost) => {
      const { worth } = moves[move] as Move;
      if (before + worth - cost + prospects(move, minute, isHungry) > atLeast)
        add(path, { type: 'move', to: { move, minute, isHungry }, cost });
    });
    for (const action of lunchesFrom(problem, state)) {
      const { move, minute } = action.to;
      if (before + action.gain - action.cost + prospects(move, minute, false) > atLeast) add(path, action);
    }
  };
  extend(null, { move: START, minute: 0, isHungry: problem.lunch !== null });
  for (const [minute, paths] of byMinute.entries()) {
    const promising = [...paths.values()]
      .map((path) => ({
        path,
        promise: path.points + prospects(path.state.move, path.state.minute, path.state.isHungry),
      }))
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
