/**
 * A map for aggregate state that grows to thousands of entries: a change copies one small bucket and leaves the map it
 * came from untouched, where copying a whole `Map` would make every replay quadratic.
 */
import { fnv1a } from './fnv1a.ts';

const BUCKETS = 256;

/** The hash, folded to a bucket number. */
const bucketOf = (key: string): number => {
  const hash = fnv1a(key);
  return (hash ^ (hash >>> 8) ^ (hash >>> 16)) & (BUCKETS - 1);
};

type Bucket<V> = ReadonlyMap<string, V> | undefined;

export class ImmutableMap<V> {
  readonly size: number;
  readonly #buckets: readonly Bucket<V>[];

  private constructor(buckets: readonly Bucket<V>[], size: number) {
    this.#buckets = buckets;
    this.size = size;
  }

  static empty<V>(): ImmutableMap<V> {
    return new ImmutableMap<V>(new Array<Bucket<V>>(BUCKETS).fill(undefined), 0);
  }

  static from<V>(entries: Iterable<readonly [key: string, value: V]>): ImmutableMap<V> {
    const buckets = new Array<Map<string, V> | undefined>(BUCKETS).fill(undefined);
    let size = 0;
    for (const [key, value] of entries) {
      const at = bucketOf(key);
      const bucket = buckets[at] ?? new Map<string, V>();
      buckets[at] = bucket;
      if (!bucket.has(key)) size += 1;
      bucket.set(key, value);
    }
    return new ImmutableMap<V>(buckets, size);
  }

  get(key: string): V | undefined {
    return this.#buckets[bucketOf(key)]?.get(key);
  }

  set(key: string, value: V): ImmutableMap<V> {
    const at = bucketOf(key);
    const bucket = new Map(this.#buckets[at]).set(key, value);
    return new ImmutableMap(this.#buckets.with(at, bucket), this.size + (this.get(key) === undefined ? 1 : 0));
  }

  delete(key: string): ImmutableMap<V> {
    const at = bucketOf(key);
    const bucket = new Map(this.#buckets[at]);
    return bucket.delete(key) ? new ImmutableMap(this.#buckets.with(at, bucket), this.size - 1) : this;
  }

  *[Symbol.iterator](): Generator<[key: string, value: V]> {
    for (const bucket of this.#buckets) if (bucket) yield* bucket;
  }

  /** State is shown to auditors as JSON. */
  toJSON(): Record<string, V> {
    return Object.fromEntries(this);
  }
}
