/** The revisions of a stream that can be read now, according to `$maxCount`, `$tb` and `$maxAge`. */
import type { Log, StreamHead } from './log.ts';
import { StoredRecord } from './record.ts';

/** Both included; empty when `first` is above `last`. */
export interface Window {
  readonly first: number;
  readonly last: number;
}

/** `now` in milliseconds since 1970. */
export const readableWindow = (log: Log, stream: string, head: StreamHead, now: number): Window => {
  const { maxCount, maxAge, truncateBefore } = head.metadata;
  const last = head.revision;
  const first = Math.max(0, truncateBefore ?? 0, maxCount === undefined ? 0 : last - maxCount + 1);
  if (maxAge === undefined) return { first, last };
  return { first: firstSince(log, stream, { first, last }, now - maxAge * 1000), last };
};

/** Revisions of a stream are in order of time, so a binary search finds the oldest one that is young enough. */
const firstSince = (log: Log, stream: string, { first, last }: Window, time: number): number => {
  let low = first;
  let high = last + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const bytes = log.record(stream, middle);
    if (bytes && new StoredRecord(bytes).created >= time) high = middle;
    else low = middle + 1;
  }
  return low;
};
