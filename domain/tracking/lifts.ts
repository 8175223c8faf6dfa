/** Lift lines, by which a ride is told from a run. Cable cars also carry people down. */
import { offsetTo, type Place } from './point.ts';

/** A station; its altitude in metres, if it is known. */
type Station = Place & { readonly alt?: number | null };

/** A lift as a straight line on the map. */
export interface LiftLine {
  readonly id: string;
  readonly bottom: Station;
  readonly top: Station;
}

/** How far from the line a cabin may seem to be, and how much of a ride may seem to be further. */
const CORRIDOR_M = 40;
/** How far behind a station people get on and off. */
const BEYOND_M = 60;
const STRAYING = 0.1;
/** A ride covers at least this share of the line, so that a run that crosses it is none. */
const COVERED = 0.6;

/** Where a place is along the line (0 = bottom, 1 = top), and how many metres beside it and beyond its stations. */
const relativeTo = ({ bottom, top }: LiftLine, place: Place): { along: number; beside: number; beyond: number } => {
  const line = offsetTo(bottom, top);
  const at = offsetTo(bottom, place);
  const length = Math.hypot(line.east, line.north);
  const along = (at.east * line.east + at.north * line.north) / length ** 2;
  return {
    along,
    beyond: Math.max(0, -along, along - 1) * length,
    beside: Math.abs(at.east * line.north - at.north * line.east) / length,
  };
};

/** Whether a part of a stretch goes along the line, in either direction. */
export const isAlong = (line: LiftLine, stretch: readonly Place[], from: number, to: number): boolean => {
  const places = stretch.slice(from, to + 1).map((fix) => relativeTo(line, fix));
  // A run along a short lift goes on after its station.
  const near = places.filter(({ beside, beyond }) => beside <= CORRIDOR_M && beyond <= BEYOND_M);
  if (near.length < places.length * (1 - STRAYING)) return false;
  const first = near[0]?.along ?? 0;
  const last = near.at(-1)?.along ?? 0;
  return Math.abs(Math.min(1, Math.max(0, last)) - Math.min(1, Math.max(0, first))) >= COVERED;
};

/** The altitude of the lift that a place lies under, in metres; null: there is none, or its stations have none. */
export const altitudeAlong = (lines: readonly LiftLine[], place: Place): number | null => {
  for (const line of lines) {
    const [low, high] = [line.bottom.alt, line.top.alt];
    if (typeof low !== 'number' || typeof high !== 'number') continue;
    const { along, beside } = relativeTo(line, place);
    if (beside <= CORRIDOR_M && along >= 0 && along <= 1) return low + (high - low) * along;
  }
  return null;
};
