/** Ids: UUID version 7 for new things (ordered by time), version 5 for ids that a retry must derive again. */
import { createHash, randomFillSync } from 'node:crypto';
import { parse, stringify, v7 } from 'uuid';

const NAMESPACE = parse('6f2a1c52-6b9e-5b0e-9d53-0d5f6f0a7a11');

/** Lower than every other id: where to begin to read in their order. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000';

/** Random bytes for many ids at once: asking for those of one id takes longer than all the rest of it. */
const BYTES_OF_AN_ID = 16;
const pool = Buffer.allocUnsafe(256 * BYTES_OF_AN_ID);
let used = pool.length;
let last = { msecs: 0, seq: 0 };

const randomBytes = (): Buffer => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += BYTES_OF_AN_ID;
  return pool.subarray(used - BYTES_OF_AN_ID, used);
};

/** A new id, greater than every one that this process made before. */
export const newId = (): string => {
  const random = randomBytes();
  const now = Date.now();
  // Within a millisecond, or when the clock was set back, they are counted on from where it began: 2^31 can be counted.
  last =
    now > last.msecs ? { msecs: now, seq: random.readUInt32BE(6) >>> 1 } : { msecs: last.msecs, seq: last.seq + 1 };
  return v7({ random, ...last });
};
/** The same parts always give the same id, so that a retry is the same append, hold, booking. */
export const derivedId = (...parts: readonly (string | number)[]): string => {
  // As `v5` of the package makes it, in a third of the time.
  const hash = createHash('sha1').update(NAMESPACE).update(parts.join('\u0000')).digest();
  hash[6] = ((hash[6] as number) & 0x0f) | 0x50;
  hash[8] = ((hash[8] as number) & 0x3f) | 0x80;
  return stringify(hash);
};
