/** Numbers as people read them. */

/** With at most this many digits after the point, so that `0.3333333333333333` is sent as `0.3333`. null stays null. */
export const rounded = <T extends number | null>(value: T, digits: number): T =>
  (value === null ? null : Math.round(value * 10 ** digits) / 10 ** digits) as T;
/** A part of the whole, from 0 to 1, to a hundredth of a percent; null of nothing. */
export const share = (part: number, whole: number): number | null => (whole === 0 ? null : rounded(part / whole, 4));
