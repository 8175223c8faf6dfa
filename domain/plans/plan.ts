/** Plans a day on the mountain. Pure, and the same for the same request. */

import { MINUTE_MS } from '../core/instants.ts';
import { difficulties } from '../resort/slope.ts';
import type { Lunch, Problem } from './actions.ts';
import { type Difficulty, type PlanConfig, type PlanWish, wished } from './config.ts';
import { hoursOf, lunchMinutes, minuteOf } from './day.ts';
import { endsAt, isByTheEnd, linked, movesFrom, type Spot } from './links.ts';
import { type Move, movesOf, type PlanMountain } from './moves.ts';
import { findBest, KEPT_AT_FIRST, type Path, pointsOf } from './search.ts';
import { type Step, stepsOf } from './steps.ts';
import { timetableOf, type WaitAt } from './timetable.ts';

/** A table that is free from some instants on, in milliseconds since the epoch. */
export interface FreeTable {
  /** Longitude and latitude. */
  readonly place: readonly number[];
  readonly startsAt: number;
}

export interface PlanRequest {
  readonly mountain: PlanMountain;
  /** IANA name, of the resort. */
  readonly timezone: string;
  readonly config: PlanConfig;
  readonly level: Difficulty;
  readonly wishes: readonly PlanWish[];
  /** In milliseconds since the epoch; whole minutes. */
  readonly from: number;
  /** null: until the lifts that run then, or next, close. */
  readonly until: number | null;
  readonly start: Spot;
  /** Where the day ends. */
  readonly home: Spot;
  readonly tables: readonly FreeTable[];
  readonly waitAt: WaitAt;
  /** How many other plans to look for. */
  readonly alternatives: number;
}

/** Why a plan is not all that was asked for. */
export const planNotes = [
  'nothing_open',
  'no_slopes',
  'no_way_back',
  'no_time_for_lunch',
  'no_free_table',
  'few_slopes',
  'ends_early',
] as const;
export type PlanNote = (typeof planNotes)[number];

export interface DayPlan {
  /** What it is worth by the weights. Plans of one request can be compared. */
  readonly points: number;
  readonly steps: readonly Step[];
}
export interface Planned {
  /** null: nothing can be planned; `notes` say why. */
  readonly best: DayPlan | null;
  readonly alternatives: readonly DayPlan[];
  readonly notes: readonly PlanNote[];
  /** Where nothing can be planned: the easiest of the harder levels for which something can; null: none of them. */
  readonly possibleAt: Difficulty | null;
  /** When everybody is back at the latest, in milliseconds since the epoch; null: no lift runs. */
  readonly backBy: number | null;
  /** How many partial plans were extended. */
  readonly expanded: number;
}

/** How many plans the search keeps at each minute: more on small mountains, where it costs little. */
const keptFor = ({ moves }: Problem): number => Math.round(Math.min(200, Math.max(12, 3_000 / (moves.length + 1))));
const KEPT_FOR_ALTERNATIVES = 4;
/** What a slope of a plan is worth in the next alternative, so that it is another plan. */
const SEEN_FACTOR = 0.4;
/** Restaurants so near to the end of a move are by it, in metres. */
export const BY_THE_WAY_M = 300;
const TEN_MINUTES = 10;
/** Points for a minute on skis at least: a day with time left is not over. */
const LEAST_EARNED = 0.01;
/** A plan that ends so long before everybody must be back says so: less is the time of a round. In minutes. */
const EARLY_MINUTES = 30;
/** As few slopes, each so often, are said to be few. */
const [FEW_SLOPES, REPEATED] = [3, 3];

const lunchOf = ({ config, timezone, from, tables }: PlanRequest, moves: readonly Move[]): Lunch => {
  const restaurants = new Map<string, { place: readonly number[]; tables: { minute: number; table: number }[] }>();
  for (const [table, { place, startsAt }] of tables.entries()) {
    const key = place.join();
    const there = restaurants.get(key) ?? { place, tables: [] };
    there.tables.push({ table, minute: Math.ceil((startsAt - from) / MINUTE_MS) });
    restaurants.set(key, there);
  }
  const near = (move: Move) => [...restaurants.values()].filter(({ place }) => isByTheEnd(move, place, BY_THE_WAY_M));
  return {
    ...lunchMinutes(config, timezone, from),
    minutes: config.lunch.minutes,
    tables: moves.map((move) =>
      near(move)
        .flatMap((restaurant) => restaurant.tables)
        .sort((a, b) => a.minute - b.minute || a.table - b.table),
    ),
    tableWorth: config.weights.table,
  };
};

/** The problem that the search solves. @param backAt in milliseconds since the epoch */
export const problemOf = (request: PlanRequest, backAt: number): Problem => {
  const { mountain, level, wishes, from, start, home, waitAt } = request;
  const config = wished(request.config, wishes);
  const moves = linked(movesOf(mountain, { level, wishes, config, from }), mountain.slopes);
  const waitingCost = config.weights.waiting / TEN_MINUTES;
  const deadline = minuteOf(from, backAt);
  return {
    moves,
    worth: Float64Array.from(moves, ({ worth }) => worth),
    earned: Float64Array.from(moves, ({ skied }) => skied * Math.max(waitingCost, LEAST_EARNED)),
    timetable: timetableOf(moves, { from, lastMinute: deadline }, waitAt),
    start: movesFrom(moves, start),
    isHome: moves.map((move) => endsAt(move, home)),
    deadline,
    lunch: wishes.includes('lunch') ? lunchOf({ ...request, config }, moves) : null,
    repeatFactor: config.repeat_factor,
    waitingCost,
    usualWait: config.default_wait_minutes,
  };
};

/** The path is worth this by the weights of the problem. */
const worthOf = (problem: Problem, { before, action }: Path): number =>
  (before === null ? 0 : worthOf(problem, before)) + pointsOf(problem, before, action);

/** The same with other points for the slopes of some paths. */
const without = (problem: Problem, paths: readonly Path[]): Problem => {
  const seen = new Set<number>();
  for (const path of paths) for (let at: Path | null = path; at !== null; at = at.before) seen.add(at.state.move);
  return { ...problem, worth: problem.worth.map((points, move) => (seen.has(move) ? points * SEEN_FACTOR : points)) };
};

const nameOf = (steps: readonly Step[]): string =>
  steps
    .map((step) => (step.type === 'slope' ? step.slope.id : step.type === 'lift' ? step.lift.id : step.type))
    .join(' ');

/** When the day can begin: as soon as the first of the moves that lead away from its start opens. */
const firstMoveAt = ({ moves, start }: Problem, from: number): number => {
  const spans = start.flatMap((move) => (moves[move] as Move).of.open).filter(({ to }) => to > from);
  return spans.length === 0 ? from : Math.max(from, Math.min(...spans.map((span) => span.from)));
};

const hasFewSlopes = ({ steps }: DayPlan): boolean => {
  const runs = steps.flatMap((step) => (step.type === 'slope' ? [step.slope.id] : []));
  const slopes = new Set(runs).size;
  return slopes <= FEW_SLOPES && runs.length >= slopes * REPEATED;
};

/** The easiest harder level at which there is some plan. */
const possibleFor = (request: PlanRequest, backBy: number): Difficulty | null => {
  const harder = difficulties.slice(difficulties.indexOf(request.level) + 1);
  const isPossible = (level: Difficulty): boolean =>
    findBest(problemOf({ ...request, level, wishes: [] }, backBy), KEPT_AT_FIRST).best !== null;
  return harder.find(isPossible) ?? null;
};

/** Without a lift that runs, without a way back, or without time for anything, there is no plan, and a note says so. */
export const planDay = (asked: PlanRequest): Planned => {
  const nothing = { best: null, alternatives: [], possibleAt: null, expanded: 0 };
  const hours = hoursOf(asked.mountain.lifts, asked, asked.config);
  if (hours === null) return { ...nothing, notes: ['nothing_open'], backBy: null };
  const { from, backBy } = hours;
  const request = { ...asked, from };
  const { level } = request;

  const hungry = problemOf(request, backBy);
  const begins = firstMoveAt(hungry, from);
  if (begins > from) return planDay({ ...asked, from: begins });
  const first = findBest(hungry, keptFor(hungry));
  const isTooShort = first.best === null && hungry.lunch !== null;
  const problem = isTooShort ? { ...hungry, lunch: null } : hungry;
  const found = isTooShort ? findBest(problem, keptFor(problem)) : first;
  if (found.best === null) {
    const hasSlopes = problem.moves.some(({ kind }) => kind === 'slope');
    return {
      ...nothing,
      notes: [hasSlopes ? 'no_way_back' : 'no_slopes'],
      possibleAt: possibleFor(request, backBy),
      backBy,
    };
  }

  const paths = [found.best];
  let { expanded } = found;
  for (let n = 0; n < request.alternatives; n += 1) {
    const other = findBest(without(problem, paths), KEPT_FOR_ALTERNATIVES);
    expanded += other.expanded;
    if (other.best) paths.push(other.best);
  }
  const [best, ...others] = paths.map(
    (path): DayPlan => ({ points: worthOf(problem, path), steps: stepsOf(problem, path, { from, level }) }),
  ) as [DayPlan, ...DayPlan[]];
  const known = new Set([nameOf(best.steps)]);
  const lunch = best.steps.find((step) => step.type === 'lunch');
  return {
    best,
    alternatives: others.filter(({ steps }) => !known.has(nameOf(steps)) && known.add(nameOf(steps))),
    notes: [
      ...(isTooShort ? (['no_time_for_lunch'] as const) : []),
      ...(lunch && lunch.table === null ? (['no_free_table'] as const) : []),
      ...(hasFewSlopes(best) ? (['few_slopes'] as const) : []),
      ...(backBy - (best.steps.at(-1)?.endsAt ?? 0) > EARLY_MINUTES * MINUTE_MS ? (['ends_early'] as const) : []),
    ],
    possibleAt: null,
    backBy,
    expanded,
  };
};
