/** Lift lines, by which a ride is told from a run. Cable cars also carry people down. */
import { offsetTo, type Place } from './point.ts';
import type { Stretch } from './stretches.ts';

/** A lift as a straight line on the map. */
export interface LiftLine {
  readonly id: string;
  readonly bottom: Place;
  readonly top: Place;
}

/** How far from the line a cabin may seem to be, and how much of a ride may seem to be further. */
const CORRIDOR_M = 40;
const STRAYING = 0.1;
/** A ride covers at least this share of the line, so that a run that crosses it is none. */
const COVERED = 0.6;

/** Where a place is along the line (0 = bottom, 1 = top), and how many metres beside it. */
const relativeTo = ({ bottom, top }: LiftLine, place: Place): { along: number; beside: number } => {
  const line = offsetTo(bottom, top);
  const at = offsetTo(bottom, place);
  const length = Math.hypot(line.east, line.north);
  return {
    along: (at.east * line.east + at.north * line.north) / length ** 2,
    beside: Math.abs(at.east * line.north - at.north * line.east) / length,
  };
};

/** Whether a part of a stretch goes along the line, in either direction. */
export const isAlong = (line: LiftLine, stretch: Stretch, from: number, to: number): boolean => {
  const places = stretch.slice(from, to + 1).map((fix) => relativeTo(line, fix));
  const near = places.filter(({ beside }) => beside <= CORRIDOR_M);
  if (near.length < places.length * (1 - STRAYING)) return false;
  const first = near[0]?.along ?? 0;
  const last = near.at(-1)?.along ?? 0;
  return Math.abs(Math.min(1, Math.max(0, last)) - Math.min(1, Math.max(0, first))) >= COVERED;
};
