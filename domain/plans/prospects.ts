/** What can still come of a plan at most: what cannot become the best is not looked at. */
import { canEatAt, type Lunch, type Problem, TABLE_PATIENCE, tableSoon, waitCost } from './actions.ts';
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
  const { moves, worth, earned, timetable, deadline, lunch, waitingCost, usualWait, isHome } = problem;
  const count = moves.length;
  const layer = count * (deadline + 1);
  // Minute by minute, so that what is filled together lies together.
  const best = new Float64Array(layer * (lunch === null ? 1 : 2));
  /** The most after a lunch that begins at the minute, or at a table soon. */
  const eaten = (of: Lunch, move: number, minute: number): number => {
    const fed = (begins: number): number =>
      canEatAt(problem, of, begins) ? (best[(begins + of.minutes) * count + move] as number) : Number.NEGATIVE_INFINITY;
    const soon = tableSoon(of, move, minute);
    const atTable = soon ? of.tableWorth - (soon.minute - minute) * waitingCost + fed(soon.minute) : fed(minute);
    return Math.max(fed(minute), atTable);
  };
  /** What each move is worth if one comes to it at the minute, with all that can follow. */
  const taken = new Float64Array(count);
  const groups = groupsOf(moves);
  // Loops without iterators: most of the time of a plan is spent here.
  const fill = (minute: number, isHungry: boolean): void => {
    const from = isHungry ? layer : 0;
    for (let m = 0; m < count; m += 1) {
      const ends = timetable.endsAt(m, minute);
      taken[m] =
        ends === NEVER
          ? Number.NEGATIVE_INFINITY
          : (worth[m] as number) +
            (earned[m] as number) -
            waitCost(timetable.queued(m, minute), usualWait, waitingCost) +
            (best[from + ends * count + m] as number);
    }
    const isLunchtime = isHungry && lunch !== null && minute + TABLE_PATIENCE >= lunch.from && minute <= lunch.until;
    for (const { members, next } of groups) {
      let follows = Number.NEGATIVE_INFINITY;
      for (let n = 0; n < next.length; n += 1) {
        const value = taken[next[n] as number] as number;
        if (value > follows) follows = value;
      }
      const orHome = follows > 0 ? follows : 0;
      for (let n = 0; n < members.length; n += 1) {
        const move = members[n] as number;
        let most = isHome[move] && !isHungry ? orHome : follows;
        if (isLunchtime) most = Math.max(most, eaten(lunch, move, minute));
        best[from + minute * count + move] = most;
      }
    }
  };
  // Nobody has eaten before the first lunch ends, and whoever is hungry after the last one begins has no way on.
  const firstFed = lunch === null ? 0 : Math.max(0, Math.min(deadline + 1, lunch.from + lunch.minutes));
  const lastHungry = lunch === null ? -1 : Math.max(-1, Math.min(deadline, lunch.until));
  best.fill(Number.NEGATIVE_INFINITY, 0, firstFed * count);
  if (lunch !== null) best.fill(Number.NEGATIVE_INFINITY, layer + (lastHungry + 1) * count);
  for (let minute = deadline; minute >= 0; minute -= 1) {
    if (minute >= firstFed) fill(minute, false);
    if (minute <= lastHungry) fill(minute, true);
  }
  return (move, minute, isHungry) => best[(isHungry ? layer : 0) + minute * count + move] as number;
};
