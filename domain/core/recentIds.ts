/**
 * Ids of what counts once, remembered for at least a month. Two generations: when the newer one is a month old, the
 * older one is forgotten. So the memory of a state that grows with every booking stays bounded.
 */
import { type Static, Type } from '@sinclair/typebox';
import { ImmutableMap } from './immutableMap.ts';
import { DAY_MS, msBetween } from './instants.ts';

const GENERATION_MS = 30 * DAY_MS;

export const PackedIds = Type.Object({
  /** Ids of causes from then on are known; '' = all. */
  from: Type.String(),
  /** The cause with which the newer generation began. */
  since: Type.String(),
  older: Type.Array(Type.String()),
  newer: Type.Array(Type.String()),
});

interface Generations {
  readonly from: string;
  readonly since: string;
  readonly older: ImmutableMap<true>;
  readonly newer: ImmutableMap<true>;
}

const ids = (map: ImmutableMap<true>): string[] => [...map].map(([id]) => id);
const mapOf = (all: readonly string[]): ImmutableMap<true> => ImmutableMap.from(all.map((id) => [id, true]));

export class RecentIds {
  readonly #is: Generations;

  private constructor(is: Generations) {
    this.#is = is;
  }

  static empty(): RecentIds {
    return new RecentIds({ from: '', since: '', older: ImmutableMap.empty(), newer: ImmutableMap.empty() });
  }

  /** How many are remembered. */
  get size(): number {
    return this.#is.older.size + this.#is.newer.size;
  }

  has(id: string): boolean {
    return this.#is.newer.get(id) !== undefined || this.#is.older.get(id) !== undefined;
  }

  /** Whether an id of this time would still be known. Without a time: assumed. */
  remembers(at: string | undefined): boolean {
    return at === undefined || at >= this.#is.from;
  }

  /** @param at when its cause happened, RFC 3339 UTC; events of release 0.1.0 do not say it */
  add(id: string, at: string | undefined): RecentIds {
    const { since, older, newer } = this.#is;
    if (at === undefined) return new RecentIds({ ...this.#is, newer: newer.set(id, true) });
    if (since === '') return new RecentIds({ from: '', since: at, older, newer: newer.set(id, true) });
    if (msBetween(since, at) < GENERATION_MS) return new RecentIds({ ...this.#is, newer: newer.set(id, true) });
    // Everything in the generation that is forgotten happened before the one that becomes the older began.
    const from = older.size > 0 ? since : this.#is.from;
    return new RecentIds({ from, since: at, older: newer, newer: mapOf([id]) });
  }

  pack(): Static<typeof PackedIds> {
    const { from, since, older, newer } = this.#is;
    return { from, since, older: ids(older), newer: ids(newer) };
  }

  static unpack({ from, since, older, newer }: Static<typeof PackedIds>): RecentIds {
    return new RecentIds({ from, since, older: mapOf(older), newer: mapOf(newer) });
  }

  /** State is shown to auditors as JSON. */
  toJSON(): Static<typeof PackedIds> {
    return this.pack();
  }
}
