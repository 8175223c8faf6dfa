/** What skiers reach on foot from where a lift or slope ends: what is near, and does not begin clearly above. */
import { metresBetween, NEAR_M } from './geometry.ts';

/** Longitude, latitude and, if known, the altitude in metres. */
export type Place = readonly number[];

/** As high above an end as this, something still begins beside it: altitudes of maps are as inexact. In metres. */
export const MOST_CLIMB_M = 10;

/** How far it goes up from one place to another, in metres; null: an altitude is not known. */
const climbBetween = ([, , from]: Place, [, , to]: Place): number | null =>
  from === undefined || to === undefined ? null : to - from;

/**
 * Whether one goes on from the end of something to a place without climbing. Where altitudes are not known, what is nearer
 * to the beginning than to the end was passed on the way down, and lies above.
 * @param begin where that which has ended began
 */
const leadsOn = (begin: Place | undefined, end: Place, to: Place): boolean => {
  const climb = climbBetween(end, to);
  if (climb !== null) return climb <= MOST_CLIMB_M;
  return begin === undefined || metresBetween(end, to) <= metresBetween(begin, to);
};

/** Places of something: one where it is a line, more where it is a field. */
type Places = readonly Place[];

/** Whether something that begins at one of some places is reached on foot from something that has ended. A field begins anywhere. */
export const isReached = (
  { begin, end }: { readonly begin: Places; readonly end: Places },
  to: Places,
  metres = NEAR_M,
): boolean =>
  end.some((from) =>
    to.some(
      (place) =>
        metresBetween(from, place) <= metres && leadsOn(begin.length === 1 ? begin[0] : undefined, from, place),
    ),
  );

/** That something leads to something else, by their places in a list, and how much one walks and climbs for it. */
export interface Link {
  readonly from: number;
  readonly to: number;
  readonly effort: number;
}

/** A metre of climbing is like this many on the flat. */
const CLIMB_FACTOR = 20;
/** What is not known to be near. */
const UNKNOWN_EFFORT = 1_000;
export const effortOf = (end: Place | undefined, to: Place | undefined): number => {
  if (!end || !to) return UNKNOWN_EFFORT;
  return metresBetween(end, to) + Math.max(0, climbBetween(end, to) ?? 0) * CLIMB_FACTOR;
};

/**
 * The links without those that close a circle. Nobody skis in a circle: where links do, the ones with the most effort are
 * mistaken, such as those between slopes that begin beside each other. Of equal ones, the later is left out.
 */
export const withoutCircles = (links: readonly Link[]): Link[] => {
  const next = new Map<number, number[]>();
  const leads = (from: number, to: number): boolean => {
    const seen = new Set([from]);
    for (const at of seen) {
      if (at === to) return true;
      for (const further of next.get(at) ?? []) seen.add(further);
    }
    return false;
  };
  const kept = new Set<Link>();
  for (const link of links.toSorted((a, b) => a.effort - b.effort)) {
    if (leads(link.to, link.from)) continue;
    next.set(link.from, [...(next.get(link.from) ?? []), link.to]);
    kept.add(link);
  }
  return links.filter((link) => kept.has(link));
};
