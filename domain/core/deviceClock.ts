/** Clocks of devices are wrong. A device that says when it sent a request, by the same clock, is corrected by it. */
import { addMs, MINUTE_MS } from './instants.ts';

/** A smaller difference can be the time that a request took. */
const LEAST_MS = MINUTE_MS;

/**
 * By how much the clock of a device is behind ours, in milliseconds: negative when it is ahead, 0 when nothing is known or the
 * difference is none of a clock.
 * @param sent by the clock of the device; null: not said
 * @param received by our clock; both in milliseconds since 1970
 */
export const clockSkew = (
  sent: number | null,
  received: number,
  { leastMs = LEAST_MS, mostMs = Number.POSITIVE_INFINITY } = {},
): number => {
  const skew = sent === null ? 0 : received - sent;
  return Math.abs(skew) >= leastMs && Math.abs(skew) <= mostMs ? skew : 0;
};

/**
 * The skew of a request that belongs to an earlier one. Requests differ by the time that they took: by correcting each in its
 * own way, what follows each other would come together or apart.
 */
export const steadySkew = (before: number, now: number): number => (Math.abs(now - before) < LEAST_MS ? before : now);

/**
 * A time of one request by our clock.
 * @param sentAt when the device sent the request, by the clock of `time`; undefined: that clock is taken to be right
 * @param now RFC 3339
 */
export const correctedBy = (time: string, sentAt: string | undefined, now: string): string =>
  atOurClock(time, clockSkew(sentAt === undefined ? null : Date.parse(sentAt), Date.parse(now)));

/** A time of a device by our clock. What is no time stays as it is, to be refused as such. */
export const atOurClock = (time: string, skewMs: number): string =>
  skewMs === 0 || Number.isNaN(Date.parse(time)) ? time : addMs(time, skewMs);
