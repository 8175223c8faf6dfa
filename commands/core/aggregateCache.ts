/** The cached states of aggregates. A state is read from the log once; afterwards only the events that came since are read. */

import type { AnyEvent, Decider } from '../../domain/core/decider.ts';
import type { EventStore, StoredEvent } from '../../eventstore/client/index.ts';
import type { Codec } from '../../eventstore/codec.ts';
import { growingCache } from '../../infra/growingCache.ts';
import { createStateReader, type Known, type Loaded, type SnapshotOptions, type StateReader } from './stateReader.ts';

export interface LoadOptions {
  /** How old the state may be, in milliseconds. Without it, it is read from the log. */
  readonly maxAgeMs?: number;
}

/** What makes a state of events, whichever those are. */
export interface Foldable {
  readonly initial: unknown;
  evolve(state: never, event: never): unknown;
}

export interface AggregateCache {
  /** The cached state, or the initial one. Reads nothing, so it may be stale. */
  cached<S, C, E extends AnyEvent>(decider: Decider<S, C, E>, stream: string): Known<S>;
  /** Reads the events after the cached revision and updates the cache. */
  refresh<S, C, E extends AnyEvent>(decider: Decider<S, C, E>, stream: string): Promise<Known<S>>;
  /**
   * The newest state; with `maxAgeMs` also the cached one, if it was the newest within that time or is followed. Concurrent
   * loads of one aggregate share reads: those that come during a read share the next.
   */
  load<S, C, E extends AnyEvent>(decider: Decider<S, C, E>, stream: string, options?: LoadOptions): Promise<Loaded<S>>;
  /** Caches the state after an append. */
  readonly appended: StateReader['appended'];
  /**
   * Takes the next events of a stream, in their order, into its cached state; the first ones of a new stream, too. Where the
   * cache has no state that they follow, it stays as it is. The state is no fresher by it: others may have come after them.
   */
  advance(decider: Foldable, stream: string, next: readonly StoredEvent[]): Promise<void>;
  delete(stream: string): void;
  /** Also what is being read or decided on at present is not cached. */
  clear(): void;
}

/** A running read of a stream, and the next one, shared by all who came after it started. */
interface Read {
  readonly done: Promise<unknown>;
  next?: Promise<unknown>;
}

/** What this process follows of the log. */
export interface Followed {
  /** Whether the state has everything that was appended since it was read, as far as this process knows. */
  isNewest(category: string, stream: string, cached: Pick<Known<unknown>, 'asOf' | 'loaded'>): boolean;
}

export interface CacheOptions extends SnapshotOptions {
  /** The number of states that are kept. */
  readonly max: number;
  /** Without it, a cached state is as old as its last read. */
  readonly followed?: Followed | undefined;
}

export const createAggregateCache = (
  store: EventStore,
  codec: Codec,
  { max, followed, ...snapshotOptions }: CacheOptions,
): AggregateCache => {
  const reader = createStateReader(store, codec, snapshotOptions);
  const cache = growingCache<Known<unknown>>(max);
  const reads = new Map<string, Read>();
  let generation = 0;
  const keep = (stream: string, known: Known<unknown>): void => {
    if (known.generation === generation) cache.set(stream, known);
  };

  const cached = <S>(decider: { readonly initial: S }, stream: string): Known<S> =>
    (cache.get(stream) as Known<S> | undefined) ?? {
      loaded: { state: decider.initial, revision: null, position: null },
      eventId: '',
      asOf: Number.NEGATIVE_INFINITY,
      generation,
    };

  const refresh = async <S, C, E extends AnyEvent>(decider: Decider<S, C, E>, stream: string): Promise<Known<S>> => {
    const known = await reader.readOn(decider, stream, { ...cached(decider, stream), asOf: performance.now() });
    const { loaded } = known;
    // An append may have overtaken this read.
    const isNewest = (loaded.revision ?? -1n) >= (cached(decider, stream).loaded.revision ?? -1n);
    if (isNewest) keep(stream, known);
    return known;
  };

  const load = async <S, C, E extends AnyEvent>(
    decider: Decider<S, C, E>,
    stream: string,
    { maxAgeMs }: LoadOptions = {},
  ): Promise<Loaded<S>> => {
    if (maxAgeMs !== undefined) {
      const known = cached(decider, stream);
      if (performance.now() - known.asOf <= maxAgeMs) return known.loaded;
      if (followed?.isNewest(decider.category, stream, known)) return known.loaded;
    }
    const begin = (): Promise<unknown> => {
      const read: Read = {
        done: refresh(decider, stream).finally(() => reads.get(stream) === read && reads.delete(stream)),
      };
      reads.set(stream, read);
      return read.done;
    };
    const running = reads.get(stream);
    if (running) running.next ??= running.done.then(begin, begin);
    const { loaded } = (await (running?.next ?? begin())) as Known<S>;
    return loaded;
  };

  return {
    cached,
    refresh,
    load,
    appended: (decider, stream, known, before) => {
      keep(stream, known);
      reader.appended(decider, stream, known, before);
    },
    advance: async (decider, stream, next) => {
      const before = cached(decider, stream);
      const from = (before.loaded.revision ?? -1n) + 1n;
      const news = next.filter(({ revision }) => revision >= from);
      const last = news.at(-1);
      if (!last || news[0]?.revision !== from) return;
      const events = await codec.decodeWithoutAddress(news);
      if (cached(decider, stream).loaded.revision !== before.loaded.revision) return; // a command was faster
      const { revision, position, id: eventId } = last;
      const state = events.reduce<unknown>(
        (known, event) => decider.evolve(known as never, event as never),
        before.loaded.state,
      );
      keep(stream, { ...before, loaded: { state, revision, position }, eventId });
    },
    delete: (stream) => void cache.delete(stream),
    clear: () => {
      generation += 1;
      cache.clear();
    },
  };
};
