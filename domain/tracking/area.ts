/** The ground of the resort: where its lifts and slopes are. */
import type { LiftLine } from './lifts.ts';
import { type Fix, offsetTo, type Place } from './point.ts';

/** What tracks are compared with. Without lifts and slopes nothing is known of the resort, and everything counts. */
export interface ResortMap {
  readonly lifts: readonly LiftLine[];
  /** The corners of each lift and each slope. */
  readonly grounds: readonly { readonly southWest: Place; readonly northEast: Place }[];
}
export const NO_MAP: ResortMap = { lifts: [], grounds: [] };

/** People also ski beside slopes. */
const BESIDE_M = 1_000;

/** Whether a place belongs to the resort: it is within a kilometre of a lift or a slope. */
export const isAtResort = ({ grounds }: ResortMap, place: Place): boolean =>
  grounds.length === 0 ||
  grounds.some(({ southWest, northEast }) => {
    const [low, high] = [offsetTo(southWest, place), offsetTo(northEast, place)];
    return low.east >= -BESIDE_M && low.north >= -BESIDE_M && high.east <= BESIDE_M && high.north <= BESIDE_M;
  });

/** When a device recorded, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The fixes at which no other device of the same person was recording. */
export const notWithin = (fixes: readonly Fix[], spans: readonly Span[]): readonly Fix[] =>
  spans.length === 0 ? fixes : fixes.filter(({ at }) => !spans.some(({ from, to }) => at >= from && at <= to));
