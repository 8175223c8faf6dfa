/** Finds what connects the lifts and slopes of a map: ends that are near each other, where nobody has to climb. */
import { endsOf, type LineOrField } from '../../domain/resort/geometry.ts';
import type { SlopeDetails } from '../../domain/resort/slope.ts';
import { effortOf, isReached, withoutCircles } from '../../domain/resort/walks.ts';

interface Drawn {
  readonly sourceId: string;
  readonly name: string;
  readonly geometry: LineOrField;
}
type Links = Pick<SlopeDetails, 'fromLifts' | 'toLifts' | 'toSlopes'>;

/** As many links a slope can have of each kind. */
const MOST_LINKS = 50;

/** The slopes, each with the lifts and slopes that begin or end near its own ends, and what is not connected. */
export const connect = <Slope extends Drawn>(
  lifts: readonly Drawn[],
  slopes: readonly Slope[],
  idOf: (noun: 'lift' | 'slope', sourceId: string) => string,
): { readonly slopes: (Slope & Links)[]; readonly assumed: string[]; readonly unconnected: string[] } => {
  const stations = lifts.map(({ sourceId, geometry }) => ({ id: idOf('lift', sourceId), ...endsOf(geometry, 'up') }));
  const ends = slopes.map(({ sourceId, geometry }) => ({ id: idOf('slope', sourceId), ...endsOf(geometry, 'down') }));
  const wayDown = ends.map(({ top, bottom }) => ({ begin: top, end: bottom }));
  const downhill = withoutCircles(
    ends.flatMap(({ bottom }, from) =>
      ends.flatMap(({ top }, to) =>
        from !== to && isReached(wayDown[from] as (typeof wayDown)[number], top)
          ? [{ from, to, effort: effortOf(bottom[0], top[0]) }]
          : [],
      ),
    ),
  );
  const assumed: string[] = [];
  const most = (ids: string[], { name, sourceId }: Drawn): string[] => {
    if (ids.length > MOST_LINKS) assumed.push(`${name} (${sourceId}) is near too much: only ${MOST_LINKS} are kept`);
    return ids.slice(0, MOST_LINKS);
  };
  const connected = slopes.map((slope, n) => {
    const way = wayDown[n] as (typeof wayDown)[number];
    const next = downhill.filter(({ from }) => from === n).toSorted((a, b) => a.effort - b.effort);
    return {
      ...slope,
      fromLifts: most(
        stations.filter((lift) => isReached({ begin: lift.bottom, end: lift.top }, way.begin)).map(({ id }) => id),
        slope,
      ),
      toLifts: most(
        stations.filter((lift) => isReached(way, lift.bottom)).map(({ id }) => id),
        slope,
      ),
      toSlopes: most(
        next.map(({ to }) => ends[to]?.id ?? ''),
        slope,
      ),
    };
  });
  return { slopes: connected, assumed, unconnected: deadEnds(connected, (sourceId) => idOf('slope', sourceId)) };
};

/** A line for each slope that nothing leads to, or that leads nowhere. */
const deadEnds = (slopes: readonly (Drawn & Links)[], idOf: (sourceId: string) => string): string[] => {
  const reached = new Set(slopes.flatMap(({ toSlopes }) => toSlopes));
  return slopes.flatMap(({ name, sourceId, fromLifts, toLifts, toSlopes }) => {
    const isEntered = fromLifts.length > 0 || reached.has(idOf(sourceId));
    const leadsOn = toLifts.length + toSlopes.length > 0;
    return [
      ...(isEntered ? [] : [`nothing leads to ${name} (${sourceId})`]),
      ...(leadsOn ? [] : [`${name} (${sourceId}) leads nowhere`]),
    ];
  });
};
