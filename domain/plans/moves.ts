/** The mountain as a graph of moves: up with a lift, down a slope, down with a lift; and which moves can follow each. */
import { DAY_MS } from '../core/instants.ts';
import type { LiftDetails } from '../resort/lift.ts';
import type { Span } from '../resort/schedule.ts';
import { difficulties, type SlopeDetails } from '../resort/slope.ts';
import type { Difficulty, PlanConfig, PlanWish } from './config.ts';

type Shared = 'name' | 'geometry' | 'lengthM' | 'bottomAltitudeM' | 'topAltitudeM';
interface Known {
  readonly id: string;
  /** When it is open on the day of the plan. */
  readonly open: readonly Span[];
}
export interface PlanLift extends Known, Pick<LiftDetails, Shared | 'kind' | 'rideMinutes'> {}
export interface PlanSlope
  extends Known,
    Pick<SlopeDetails, Shared | 'difficulty' | 'fromLifts' | 'toLifts' | 'toSlopes' | 'groomedAt'> {}
export interface PlanMountain {
  readonly lifts: readonly PlanLift[];
  readonly slopes: readonly PlanSlope[];
}

interface Costs {
  /** Whole minutes that it takes, without waiting. */
  readonly minutes: number;
  /** Minutes of that on skis: what a day consists of beside waiting and riding. */
  readonly skied: number;
  readonly distanceM: number;
  readonly verticalM: number;
  /** Points for the first time on a day. */
  readonly worth: number;
}
export type Unlinked = Costs &
  (
    | { readonly kind: 'lift'; readonly of: PlanLift; readonly direction: 'up' | 'down' }
    | { readonly kind: 'slope'; readonly of: PlanSlope }
  );
/** `next`: the moves that can follow, by their place in the list. */
export type Move = Unlinked & { readonly next: readonly number[] };

/** Those that also take people down. */
const CARRIES_DOWN: readonly LiftDetails['kind'][] = ['cable_car', 'gondola', 'funicular', 'railway'];
const DRAGS: readonly LiftDetails['kind'][] = ['drag_lift', 't_bar', 'j_bar', 'platter', 'rope_tow'];
/** Where the ride's time is not set, in metres a second. */
const LIFT_SPEED = 2.5;
const LIFT_SPEEDS: Readonly<Partial<Record<LiftDetails['kind'], number>>> = {
  cable_car: 8,
  gondola: 5,
  funicular: 8,
  railway: 5,
  magic_carpet: 0.7,
};
/** How long something takes that nothing is known of, in minutes. */
const UNKNOWN_MINUTES = 10;

/** Whether somebody of this level skis it. */
export const isWithin = (level: Difficulty, difficulty: Difficulty): boolean =>
  difficulties.indexOf(difficulty) <= difficulties.indexOf(level);

/** Whether it was groomed within a day. @param time in milliseconds since the epoch */
export const isFreshlyGroomed = ({ groomedAt }: Pick<PlanSlope, 'groomedAt'>, time: number): boolean =>
  groomedAt !== null && Date.parse(groomedAt) <= time && time - Date.parse(groomedAt) < DAY_MS;

const verticalOf = ({ bottomAltitudeM: bottom, topAltitudeM: top }: PlanLift | PlanSlope): number =>
  bottom === null || top === null ? 0 : Math.max(0, top - bottom);

const rideOf = (of: PlanLift): number => {
  if (of.rideMinutes !== null) return of.rideMinutes;
  return of.lengthM === null ? UNKNOWN_MINUTES : of.lengthM / (LIFT_SPEEDS[of.kind] ?? LIFT_SPEED) / 60;
};
/** A minute to get off and to the next. */
const whole = (minutes: number): number => Math.ceil(minutes) + 1;

export interface MovesFor {
  readonly level: Difficulty;
  readonly wishes: readonly PlanWish[];
  /** As the wishes have changed it. */
  readonly config: PlanConfig;
  /** When the day begins, in milliseconds since the epoch. */
  readonly from: number;
}

const slopeMove = (of: PlanSlope, { level, config, from }: MovesFor): Unlinked => {
  const { weights, speeds_kmh } = config;
  const { difficulty, lengthM } = of;
  const verticalM = verticalOf(of);
  const distanceM = lengthM ?? 0;
  const minutes = lengthM === null ? UNKNOWN_MINUTES : (lengthM / 1_000 / speeds_kmh[difficulty]) * 60;
  const worth =
    (weights.vertical * verticalM) / 100 +
    (weights.distance * distanceM) / 1_000 +
    (difficulty === level ? weights.level : 0) +
    (isFreshlyGroomed(of, from) ? weights.groomed : 0);
  return { kind: 'slope', of, minutes: whole(minutes), skied: minutes, distanceM, verticalM, worth };
};
const liftMove = (of: PlanLift, direction: 'up' | 'down'): Unlinked => ({
  kind: 'lift',
  of,
  direction,
  minutes: whole(rideOf(of)),
  skied: 0,
  distanceM: of.lengthM ?? 0,
  verticalM: verticalOf(of),
  worth: 0,
});

export const isOpen = ({ open }: Known): boolean => open.length > 0;

/** What somebody of this level can do on the day. What is closed all day is left out. */
export const movesOf = ({ lifts, slopes }: PlanMountain, on: MovesFor): readonly Unlinked[] => {
  const usable = lifts
    .filter(isOpen)
    .filter(({ kind }) => !(on.wishes.includes('no_drag_lifts') && DRAGS.includes(kind)));
  return [
    ...usable.map((of) => liftMove(of, 'up')),
    ...usable.filter(({ kind }) => CARRIES_DOWN.includes(kind)).map((of) => liftMove(of, 'down')),
    ...slopes
      .filter(isOpen)
      .filter(({ difficulty }) => isWithin(on.level, difficulty))
      .map((of) => slopeMove(of, on)),
  ];
};
