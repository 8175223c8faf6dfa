/**
 * The cached states of aggregates. A state is read from the log once; afterwards only the events that came since are
 * read.
 */
import { LRUCache } from 'lru-cache';
import type { AnyEvent, Decider, Position } from '../../domain/core/decider.ts';
import type { EventStore } from '../../eventstore/client/index.ts';
import type { Codec } from '../../eventstore/codec.ts';

export interface Loaded<State> {
  readonly state: State;
  /** null: the stream does not exist. */
  readonly revision: bigint | null;
  readonly position: Position | null;
}

/** What is cached. */
export interface Known<State> {
  readonly loaded: Loaded<State>;
  /**
   * When the read or append started that showed this state to be the newest (`performance.now()`). It is fresh for
   * commands that came earlier.
   */
  readonly asOf: number;
}

export interface AggregateCache {
  /** The cached state, or the initial one. Reads nothing, so it may be stale. */
  cached<S, C, E extends AnyEvent>(decider: Decider<S, C, E>, stream: string): Known<S>;
  /** Reads the events after the cached revision and updates the cache. */
  refresh<S, C, E extends AnyEvent>(decider: Decider<S, C, E>, stream: string): Promise<Known<S>>;
  /** The newest state. Concurrent loads of one aggregate share reads: those that come during a read share the next. */
  load<S, C, E extends AnyEvent>(decider: Decider<S, C, E>, stream: string): Promise<Loaded<S>>;
  set(stream: string, known: Known<unknown>): void;
  delete(stream: string): void;
  clear(): void;
}

const PAGE = 2_000;

export const fold = <S, E extends AnyEvent>(decider: Decider<S, never, E>, from: S, events: readonly E[]): S =>
  events.reduce((state, event) => decider.evolve(state, event), from);

/** A running read of a stream, and the next one, shared by all who came after it started. */
interface Read {
  readonly done: Promise<unknown>;
  next?: Promise<unknown>;
}

/** @param max the number of states that are kept */
export const createAggregateCache = (store: EventStore, codec: Codec, max: number): AggregateCache => {
  const cache = new LRUCache<string, Known<unknown>>({ max });
  const reads = new Map<string, Read>();

  const cached = <S, C, E extends AnyEvent>(decider: Decider<S, C, E>, stream: string): Known<S> =>
    (cache.get(stream) as Known<S> | undefined) ?? {
      loaded: { state: decider.initial, revision: null, position: null },
      asOf: Number.NEGATIVE_INFINITY,
    };

  const refresh = async <S, C, E extends AnyEvent>(decider: Decider<S, C, E>, stream: string): Promise<Known<S>> => {
    const asOf = performance.now();
    let { loaded } = cached(decider, stream);
    for (;;) {
      const from = loaded.revision === null ? 0n : loaded.revision + 1n;
      const page = await store.read(stream, { from, max: PAGE });
      const last = page.at(-1);
      if (!last) break;
      const events = await codec.decodeWithoutAddress<E>(page);
      loaded = { state: fold(decider, loaded.state, events), revision: last.revision, position: last.position };
      if (page.length < PAGE) break;
    }
    // An append may have overtaken this read.
    const isNewest = (loaded.revision ?? -1n) >= (cached(decider, stream).loaded.revision ?? -1n);
    if (isNewest) cache.set(stream, { loaded, asOf });
    return { loaded, asOf };
  };

  const load = async <S, C, E extends AnyEvent>(decider: Decider<S, C, E>, stream: string): Promise<Loaded<S>> => {
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
    set: (stream, known) => void cache.set(stream, known),
    delete: (stream) => void cache.delete(stream),
    clear: () => cache.clear(),
  };
};
