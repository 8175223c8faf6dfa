/** A cache of what was used last. Its memory grows with what is in it. */
import { LRUCache } from 'lru-cache';

/** @param most entries; beyond them, what was used longest ago is forgotten @param ttl milliseconds; without, for ever */
export const growingCache = <Value extends {}>(most: number, ttl = 0): LRUCache<string, Value> =>
  // With `max`, lru-cache takes the memory of a full cache at once.
  new LRUCache({ maxSize: most, sizeCalculation: () => 1, ttl });
