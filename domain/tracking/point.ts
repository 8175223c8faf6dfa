/** One fix of a device, and which fixes can be used. Pure geometry: no coordinate ever becomes part of an event. */
import { type Static, Type } from '@sinclair/typebox';
import { HOUR_MS, MINUTE_MS } from '../core/instants.ts';
import { Instant } from '../core/schema.ts';

/** A session at one fix a second lasts 27 hours. */
export const MAX_SEQ = 99_999;
export const MAX_POINTS_AT_ONCE = 1_000;

/** Bounds of positions are not part of the schema: `wrongPosition` checks them, and says what is wrong in a sentence. */
export const TrackPoint = Type.Object(
  {
    seq: Type.Integer({ minimum: 0, maximum: MAX_SEQ, description: 'Counts the fixes of a session on the device.' }),
    t: Type.Unsafe<string>({ ...Instant, description: 'When the device was there: the time of the fix.' }),
    lat: Type.Number({ description: 'Degrees, WGS 84.' }),
    lon: Type.Number({ description: 'Degrees, WGS 84.' }),
    alt: Type.Optional(
      Type.Union([Type.Number(), Type.Null()], {
        description: 'Metres; null, missing or exactly 0: the device does not know.',
      }),
    ),
    acc: Type.Number({ description: 'Horizontal accuracy in metres; negative: the device does not know.' }),
    speed: Type.Optional(
      Type.Union([Type.Number(), Type.Null()], { description: 'Metres a second; negative: the device does not know.' }),
    ),
    mock: Type.Optional(Type.Boolean({ description: 'Whether the device says that the position is simulated.' })),
  },
  { $id: 'TrackPoint' },
);
export type TrackPoint = Static<typeof TrackPoint>;

/** A fix for computing: its time in milliseconds since 1970. */
export interface Fix {
  readonly seq: number;
  readonly at: number;
  readonly lat: number;
  readonly lon: number;
  /** null, and exactly 0: the device does not know. */
  readonly alt: number | null;
  /** Horizontal accuracy, in metres. */
  readonly acc: number;
  /** In metres a second, as the device has measured it; null: it has not. */
  readonly speed?: number | null;
}

/** A place, in degrees. */
export type Place = Pick<Fix, 'lat' | 'lon'>;

const WORST_ACCURACY_M = 50;
const [LOWEST_M, HIGHEST_M] = [-500, 9_000];
/** Clocks of devices may be ahead of ours. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;
/** A device may record before it has told us that it does, and a last fix may come after the end. */
export const EDGE_MS = MINUTE_MS;

/** Why the position itself cannot be used; undefined when it can. */
export const wrongPosition = ({ lat, lon, alt, acc }: Pick<Fix, 'lat' | 'lon' | 'alt' | 'acc'>): string | undefined => {
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180) return 'The position lies outside of the earth.';
  if (lat === 0 && lon === 0) return 'The position 0, 0 means that the device had no fix.';
  if (alt !== null && (alt < LOWEST_M || alt > HIGHEST_M))
    return `The altitude lies outside of ${LOWEST_M} to ${HIGHEST_M} m.`;
  if (acc < 0) return 'The accuracy is unknown.';
  return acc > WORST_ACCURACY_M ? `The accuracy is worse than ${WORST_ACCURACY_M} m.` : undefined;
};

/** A session that lasts longer was forgotten. It also bounds how long its points are needed. */
const LONGEST_HOURS = 48;
/** Between the first and the last point of a track. */
export const LONGEST_TRACK_MS = LONGEST_HOURS * HOUR_MS + EDGE_MS;

/** When a session could have been recorded; all RFC 3339. */
export interface Recording {
  readonly startedAt: string;
  /** The end that the owner has given; null: there is none. */
  readonly finishedAt: string | null;
  /** When the points have arrived. */
  readonly receivedAt: string;
}

/** Why a point is not part of a track; undefined when it is. */
export const refusal = (point: TrackPoint, { startedAt, finishedAt, receivedAt }: Recording): string | undefined => {
  const at = Date.parse(point.t);
  if (Number.isNaN(at)) return 'The time does not exist.';
  if (at > Date.parse(receivedAt) + CLOCK_SKEW_MS) return 'The time lies in the future.';
  if (at < Date.parse(startedAt) - EDGE_MS) return 'The time lies before the start of the session.';
  if (at > Date.parse(startedAt) + LONGEST_HOURS * HOUR_MS)
    return `The time lies more than ${LONGEST_HOURS} hours after the start of the session.`;
  if (finishedAt !== null && at > Date.parse(finishedAt) + EDGE_MS)
    return 'The time lies after the end of the session.';
  return wrongPosition({ ...point, alt: point.alt ?? null });
};

const EARTH_M = 6_371_008.8;
const RADIANS = Math.PI / 180;

/** Where `b` lies from `a`, in metres; for places that are at most some kilometres apart. */
export const offsetTo = (a: Place, b: Place): { readonly east: number; readonly north: number } => ({
  east: (b.lon - a.lon) * RADIANS * Math.cos(((a.lat + b.lat) / 2) * RADIANS) * EARTH_M,
  north: (b.lat - a.lat) * RADIANS * EARTH_M,
});

/** Metres on the ground. */
export const metresBetween = (a: Place, b: Place): number => {
  const { east, north } = offsetTo(a, b);
  return Math.hypot(east, north);
};

/** Metres through space: a slope is longer than its shadow on the map. */
export const pathBetween = (a: Place & { readonly alt: number }, b: Place & { readonly alt: number }): number =>
  Math.hypot(metresBetween(a, b), b.alt - a.alt);
