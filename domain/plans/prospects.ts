/** What can still come of a plan at most: what cannot become the best is not looked at. */
import { lunchesFrom, type Problem, type State, TABLE_PATIENCE } from './actions.ts';
import type { Move } from './moves.ts';
import { NEVER } from './timetable.ts';

/** By the move that has ended, the minute, and whether lunch is still to come. */
export type Prospects = (move: number, minute: number, isHungry: boolean) => number;

/** Moves that can be followed by the same ones, such as all that end at a station: what can follow is the same for them. */
const groupsOf = (
  moves: readonly Move[],
): readonly { readonly members: readonly number[]; readonly next: readonly number[] }[] => {
  const groups = new Map<string, { members: number[]; next: readonly number[] }>();
  for (const [m, { next }] of moves.entries()) {
    const key = next.join();
    const group = groups.get(key);
    if (group) group.members.push(m);
    else groups.set(key, { members: [m], next });
  }
  return [...groups.values()];
};

/**
 * The most that can still be gained from each state, as if a slope were worth the same each time; -Infinity: there is no
 * way back. It is computed from the last minute backwards, because every action leads to a later one.
 */
export const prospectsOf = (problem: Problem): Prospects => {
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
  const groups = groupsOf(moves);
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
    for (const { members, next } of groups) {
      let follows = Number.NEGATIVE_INFINITY;
      for (let n = 0; n < next.length; n += 1) follows = Math.max(follows, taken[next[n] as number] as number);
      for (let n = 0; n < members.length; n += 1) {
        const move = members[n] as number;
        let most = isHome[move] && !isHungry ? Math.max(0, follows) : follows;
        if (isLunchtime) most = Math.max(most, eaten({ move, minute, isHungry }));
        best[from + move * width + minute] = most;
      }
    }
  };
  // Nobody has eaten before the first lunch ends, and whoever is hungry after the last one begins has no way on.
  const firstFed = lunch === null ? 0 : Math.max(0, lunch.from + lunch.minutes);
  const lastHungry = lunch === null ? -1 : Math.min(deadline, lunch.until);
  for (let minute = deadline; minute >= 0; minute -= 1) {
    if (minute >= firstFed) fill(minute, false);
    if (minute <= lastHungry) fill(minute, true);
  }
  return (move, minute, isHungry) => best[(isHungry ? layer : 0) + move * width + minute] as number;
};
