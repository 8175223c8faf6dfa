/** Where lifts and slopes are: GeoJSON (RFC 7946), with altitudes where they are known. */
import { type Static, Type } from '@sinclair/typebox';
import { Rejected } from '../core/decider.ts';
import { Tagged } from '../core/schema.ts';

/** Longitude, latitude and, if known, the altitude in metres. */
const Point = Type.Array(Type.Number(), { minItems: 2, maxItems: 3 });
const MOST_POINTS = 2_000;

export const LineString = Type.Object({
  type: Type.Literal('LineString'),
  coordinates: Type.Array(Point, { minItems: 2, maxItems: MOST_POINTS }),
});
export type LineString = Static<typeof LineString>;

const Polygon = Type.Object({
  type: Type.Literal('Polygon'),
  coordinates: Type.Array(Type.Array(Point, { minItems: 4, maxItems: MOST_POINTS }), { minItems: 1, maxItems: 20 }),
});
/** A slope is a line, or a field without a line. */
export const LineOrField = Tagged('type', [LineString, Polygon]);
export type LineOrField = Static<typeof LineOrField>;

/** The points of a line; of a field, those of its outer ring. */
const pointsOf = ({ type, coordinates }: LineOrField): readonly number[][] =>
  type === 'LineString' ? coordinates : (coordinates[0] ?? []);

const [LOWEST_M, HIGHEST_M] = [-500, 9_000];
/** A line is longer than this, in metres. */
const LEAST_LENGTH_M = 1;

/** @throws Rejected `invalid` for what is nowhere on the globe, and for a line without length */
export const checkGeometry = (geometry: LineOrField): void => {
  const refuse = (detail: string): never => {
    throw new Rejected('invalid', detail, { fields: ['geometry/coordinates'] });
  };
  for (const [lon = 0, lat = 0, altitude = 0] of geometry.type === 'LineString'
    ? geometry.coordinates
    : geometry.coordinates.flat()) {
    if (Math.abs(lon) > 180 || Math.abs(lat) > 90)
      refuse(`[${lon}, ${lat}] is no place: write the longitude first, then the latitude.`);
    if (altitude < LOWEST_M || altitude > HIGHEST_M)
      refuse(`${altitude} is no altitude: write metres above the sea, from ${LOWEST_M} to ${HIGHEST_M}.`);
  }
  if ((lengthOf(geometry) ?? LEAST_LENGTH_M) < LEAST_LENGTH_M)
    refuse('The line has no length: its points are all at one place.');
};

/** The corners of the smallest box, along the degrees, that a line or field lies in. */
export const cornersOf = (geometry: LineOrField) => {
  const points = pointsOf(geometry);
  const of = (index: 0 | 1, pick: (...values: number[]) => number): number =>
    points.map((point) => point[index] as number).reduce((a, b) => pick(a, b));
  return {
    southWest: { lon: of(0, Math.min), lat: of(1, Math.min) },
    northEast: { lon: of(0, Math.max), lat: of(1, Math.max) },
  };
};

const EARTH_M = 6_371_000;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Metres between two places, along the ground as the crow flies. */
export const metresBetween = (
  [lonA = 0, latA = 0]: readonly number[],
  [lonB = 0, latB = 0]: readonly number[],
): number => {
  const h =
    Math.sin(radians(latB - latA) / 2) ** 2 +
    Math.cos(radians(latA)) * Math.cos(radians(latB)) * Math.sin(radians(lonB - lonA) / 2) ** 2;
  return 2 * EARTH_M * Math.asin(Math.sqrt(h));
};

/** The length of a line in metres, with its inclination where altitudes are known; null for a field. */
export const lengthOf = ({ type, coordinates }: LineOrField): number | null => {
  if (type !== 'LineString') return null;
  let total = 0;
  for (let n = 1; n < coordinates.length; n += 1) {
    const [from, to] = [coordinates[n - 1] as number[], coordinates[n] as number[]];
    total += Math.hypot(metresBetween(from, to), (to[2] ?? 0) - (from[2] ?? to[2] ?? 0));
  }
  return Math.round(total);
};

/** The lowest and the highest altitude in metres; null where none is known. */
export const altitudesOf = (geometry: LineOrField): { readonly bottom: number | null; readonly top: number | null } => {
  const known = pointsOf(geometry).flatMap(([, , altitude]) => (altitude === undefined ? [] : [altitude]));
  return known.length === 0
    ? { bottom: null, top: null }
    : { bottom: Math.round(Math.min(...known)), top: Math.round(Math.max(...known)) };
};

/** Ends so near to each other are connected, in metres. */
export const NEAR_M = 150;

type Places = readonly (readonly number[])[];

/**
 * Where a lift or a slope can be entered and left: its upper and its lower end. A field has them anywhere.
 * @param drawn its direction where no altitudes tell it
 */
export const endsOf = (
  geometry: LineOrField,
  drawn: 'down' | 'up',
): { readonly top: Places; readonly bottom: Places } => {
  const points = pointsOf(geometry);
  if (geometry.type === 'Polygon') return { top: points, bottom: points };
  const [first = [], last = []] = [points[0], points.at(-1)];
  const isKnown = first[2] !== undefined && last[2] !== undefined;
  const isUphill = isKnown ? (first[2] as number) < (last[2] as number) : drawn === 'up';
  return isUphill ? { top: [last], bottom: [first] } : { top: [first], bottom: [last] };
};

/** Whether one of some places is near one of others. */
export const areNear = (some: Places, others: Places, metres = NEAR_M): boolean =>
  some.some((one) => others.some((other) => metresBetween(one, other) <= metres));
