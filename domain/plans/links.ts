/** What can follow a move, and where on the mountain moves begin and end. */
import { areNear, endsOf } from '../resort/geometry.ts';
import { effortOf, isReached, type Place, withoutCircles } from '../resort/walks.ts';
import { isOpen, type Move, type PlanLift, type PlanMountain, type PlanSlope, type Unlinked } from './moves.ts';

type Places = readonly Place[];
interface Ends {
  readonly top: Places;
  readonly bottom: Places;
}
interface Way {
  readonly begin: Places;
  readonly end: Places;
}

/** The altitude that is set counts where the line has none. */
const withAltitude = (places: Places, altitude: number | null): Places =>
  places.map((place) =>
    place[2] === undefined && altitude !== null ? [place[0] ?? 0, place[1] ?? 0, altitude] : place,
  );
const placesOfEnds = (
  { topAltitudeM, bottomAltitudeM }: Pick<PlanLift, 'topAltitudeM' | 'bottomAltitudeM'>,
  { top, bottom }: Ends,
): Ends => ({ top: withAltitude(top, topAltitudeM), bottom: withAltitude(bottom, bottomAltitudeM) });

const stationsOf = (lift: PlanLift): Ends => placesOfEnds(lift, endsOf(lift.geometry, 'up'));
/** A field is left where its links say: its outline is near to too much. */
const slopeEnds = (slope: PlanSlope): Ends =>
  slope.geometry.type === 'Polygon' ? { top: [], bottom: [] } : placesOfEnds(slope, endsOf(slope.geometry, 'down'));

const wayOf = (move: Unlinked): Way => {
  const { top, bottom } = move.kind === 'slope' ? slopeEnds(move.of) : stationsOf(move.of);
  return move.kind === 'lift' && move.direction === 'up' ? { begin: bottom, end: top } : { begin: top, end: bottom };
};

/** With the ids of what a slope declares, because every pair of moves is looked at. */
interface Placed extends Way {
  readonly move: Unlinked;
  readonly from: ReadonlySet<string>;
  readonly to: ReadonlySet<string>;
}
const placed = (move: Unlinked): Placed => {
  const { fromLifts = [], toLifts = [], toSlopes = [] } = move.kind === 'slope' ? move.of : {};
  return { move, ...wayOf(move), from: new Set(fromLifts), to: new Set([...toLifts, ...toSlopes]) };
};

/** However far apart: what is declared is only refused where one would have to climb. A field can be left anywhere. */
const needsNoClimb = (a: Way, begin: Places): boolean =>
  a.end.length === 0 || begin.length === 0 || isReached(a, begin, Number.POSITIVE_INFINITY);

/**
 * Slopes are linked to lifts and slopes as they declare it. Lifts whose stations are near each other are linked, and so
 * are the lifts that carry down. Nothing leads to what begins clearly above its end.
 */
const canFollow = (a: Placed, b: Placed): boolean => {
  const [from, to] = [a.move, b.move];
  if (from.of.id === to.of.id) return false;
  if (to.kind === 'slope') {
    if (from.kind === 'slope') return a.to.has(to.of.id) && needsNoClimb(a, b.begin);
    return from.direction === 'up' ? b.from.has(from.of.id) && needsNoClimb(a, b.begin) : isReached(a, b.begin);
  }
  if (from.kind === 'slope' && to.direction === 'up') return a.to.has(to.of.id) && needsNoClimb(a, b.begin);
  return isReached(a, b.begin);
};

const keyOf = (from: string, to: string): string => `${from} ${to}`;

/** Which slopes lead to which without a circle: the first ends of all slopes, also of those that are closed or too hard. */
const downhill = (slopes: readonly PlanSlope[]): ReadonlySet<string> => {
  const indexOf = new Map(slopes.map(({ id }, n) => [id, n]));
  const ends = slopes.map(slopeEnds);
  const links = slopes.flatMap(({ toSlopes }, from) =>
    toSlopes.flatMap((id) => {
      const to = indexOf.get(id);
      if (to === undefined) return [];
      const [{ top, bottom }, { top: next }] = [ends[from] as Ends, ends[to] as Ends];
      return needsNoClimb({ begin: top, end: bottom }, next)
        ? [{ from, to, effort: effortOf(bottom[0], next[0]) }]
        : [];
    }),
  );
  return new Set(withoutCircles(links).map(({ from, to }) => keyOf(slopes[from]?.id ?? '', slopes[to]?.id ?? '')));
};
const known = new WeakMap<readonly PlanSlope[], ReadonlySet<string>>();
/** The same, remembered for the slopes of a mountain. */
const downhillOf = (slopes: readonly PlanSlope[]): ReadonlySet<string> => {
  const found = known.get(slopes) ?? downhill(slopes);
  known.set(slopes, found);
  return found;
};

/** The moves with those that can follow each. @param slopes all of the mountain */
export const linked = (moves: readonly Unlinked[], slopes: readonly PlanSlope[]): readonly Move[] => {
  const leads = downhillOf(slopes);
  const all = moves.map(placed);
  const follows = (a: Placed, b: Placed): boolean =>
    canFollow(a, b) &&
    (a.move.kind === 'lift' || b.move.kind === 'lift' || leads.has(keyOf(a.move.of.id, b.move.of.id)));
  return all.map((a): Move => {
    const next: number[] = [];
    for (let n = 0; n < all.length; n += 1) if (follows(a, all[n] as Placed)) next.push(n);
    return { ...a.move, next };
  });
};

/** The stations of the lifts and the ends of the slopes that are open on the day. */
export const placesOf = ({ lifts, slopes }: PlanMountain): Places =>
  [...lifts.filter(isOpen).map(stationsOf), ...slopes.filter(isOpen).map(slopeEnds)].flatMap(({ top, bottom }) => [
    ...bottom,
    ...top,
  ]);

/** Somewhere on the mountain: the lower station of a lift, or the lower end of a slope. */
export interface Spot {
  readonly places: Places;
  /** The lifts that begin there. */
  readonly lifts: readonly string[];
  /** The slopes that begin there. */
  readonly slopes: readonly string[];
}
export const spotAtLift = (lift: PlanLift): Spot => ({ places: stationsOf(lift).bottom, lifts: [lift.id], slopes: [] });
export const spotAtSlope = (slope: PlanSlope): Spot => ({
  places: slopeEnds(slope).bottom,
  lifts: slope.toLifts,
  slopes: slope.toSlopes,
});

/** The moves that can be made first from a spot. */
export const movesFrom = (moves: readonly Move[], { places, lifts, slopes }: Spot): readonly number[] =>
  moves.flatMap((move, n) => {
    const { begin } = wayOf(move);
    const here = { begin: [], end: places };
    if (move.kind === 'slope') return slopes.includes(move.of.id) && needsNoClimb(here, begin) ? [n] : [];
    const isHere = move.direction === 'up' && lifts.includes(move.of.id) && needsNoClimb(here, begin);
    return isHere || isReached(here, begin) ? [n] : [];
  });

/** Whether a move ends at the spot. */
export const endsAt = (move: Move, { places, lifts }: Spot): boolean => {
  const way = wayOf(move);
  const leadsHome = move.kind === 'slope' && move.of.toLifts.some((id) => lifts.includes(id));
  return (leadsHome && needsNoClimb(way, places)) || isReached(way, places);
};

/** Whether a place, such as a restaurant, is a short walk from the end of a move. */
export const isByTheEnd = (move: Move, place: readonly number[], metres: number): boolean =>
  areNear(wayOf(move).end, [place], metres);
