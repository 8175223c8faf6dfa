/**
 * The cached states of aggregates. A state is read from the log once; afterwards only the events that came since are
 * read. Where an aggregate declares snapshots, a long stream is read from its newest one.
 */
import { LRUCache } from 'lru-cache';
import type { AnyEvent, Decider, Position } from '../../domain/core/decider.ts';
import type { EventStore, StoredEvent } from '../../eventstore/client/index.ts';
import type { Codec } from '../../eventstore/codec.ts';
import { metrics } from '../../infra/metrics.ts';
import type { FollowedStates } from './followedStates.ts';
import type { Snapshots } from './snapshots.ts';

export interface Loaded<State> {
  readonly state: State;
  /** null: the stream does not exist. */
  readonly revision: bigint | null;
  readonly position: Position | null;
}

/** What is cached. */
export interface Known<State> {
  readonly loaded: Loaded<State>;
  /** The last event; '' when the stream does not exist. */
  readonly eventId: string;
  /**
   * When the read or append started that showed this state to be the newest (`performance.now()`). It is fresh for
   * commands that came earlier.
   */
  readonly asOf: number;
  /** How often the cache had been cleared before anything of this was read. */
  readonly generation: number;
}

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
  /** Caches the state after an append. `before`: the revision that it followed. */
  appended<S, C, E extends AnyEvent>(
    decider: Decider<S, C, E>,
    stream: string,
    known: Known<S>,
    before: bigint | null,
  ): void;
  /**
   * Takes the next events of a stream, in their order, into its cached state; the first ones of a new stream, too. Where the
   * cache has no state that they follow, it stays as it is. The state is no fresher by it: others may have come after them.
   */
  advance(decider: Foldable, stream: string, next: readonly StoredEvent[]): Promise<void>;
  delete(stream: string): void;
  /** Also what is being read or decided on at present is not cached. */
  clear(): void;
}

const PAGE = 2_000;
const SNAPSHOT_EVERY = 500;
/** Where there are more events than this to read, a snapshot may be newer. */
const WITHOUT_SNAPSHOT = 100;

/** How many events `a` is behind `b`. */
const behind = (a: Known<unknown>, b: Known<unknown>): number =>
  Number((b.loaded.revision ?? -1n) - (a.loaded.revision ?? -1n));

/** Whether the events after `before` up to `after` include one at which a snapshot is due, in whichever process. */
const crosses = (before: bigint | null, after: bigint, every: bigint): boolean =>
  ((before ?? -1n) + 1n) / every < (after + 1n) / every;

export const fold = <S, E extends AnyEvent>(
  decider: Pick<Decider<S, never, E>, 'evolve'>,
  from: S,
  events: readonly E[],
): S => events.reduce((state, event) => decider.evolve(state, event), from);

/** A running read of a stream, and the next one, shared by all who came after it started. */
interface Read {
  readonly done: Promise<unknown>;
  next?: Promise<unknown>;
}

export interface CacheOptions {
  /** The number of states that are kept. */
  readonly max: number;
  /** Without it, every stream is read from its first event. */
  readonly snapshots?: Snapshots | undefined;
  /** A snapshot is written after this many events. */
  readonly snapshotEvery?: number | undefined;
  /** Without it, a cached state is as old as its last read. */
  readonly followed?: Pick<FollowedStates, 'isUnchanged'> | undefined;
}

export const createAggregateCache = (
  store: EventStore,
  codec: Codec,
  { max, snapshots, snapshotEvery = SNAPSHOT_EVERY, followed }: CacheOptions,
): AggregateCache => {
  const cache = new LRUCache<string, Known<unknown>>({ max });
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

  /** The snapshot of a stream, if the log has its last event: the log may have been restored from an older backup. */
  const fromSnapshot = async <S, C, E extends AnyEvent>(
    { snapshot: declared }: Decider<S, C, E>,
    stream: string,
    from: Known<S>,
  ): Promise<Known<S> | undefined> => {
    const found = declared && (await snapshots?.find(stream, declared));
    if (!found) return undefined;
    const { state, revision, eventId } = found;
    const [event] = await store.read(stream, { from: revision, max: 1 });
    if (event?.id === eventId) {
      metrics.snapshots.inc({ outcome: 'used' });
      return { ...from, loaded: { state, revision, position: event.position }, eventId };
    }
    await snapshots?.discard(stream, revision);
    return undefined;
  };

  const offer = <S, C, E extends AnyEvent>(
    { snapshot: declared }: Decider<S, C, E>,
    stream: string,
    { loaded: { state, revision }, eventId }: Known<S>,
  ): void => {
    if (declared && revision !== null) snapshots?.offer(stream, declared, { state, revision, eventId });
  };

  /** Reads on from a state to the end of the stream. With `most`, only that many events. */
  const readOn = async <S, C, E extends AnyEvent>(
    decider: Decider<S, C, E>,
    stream: string,
    from: Known<S>,
    most = Number.POSITIVE_INFINITY,
  ): Promise<Known<S>> => {
    let { loaded, eventId } = from;
    for (let read = 0; read < most; ) {
      const wanted = Math.min(PAGE, most - read);
      const next = loaded.revision === null ? 0n : loaded.revision + 1n;
      const page = await store.read(stream, { from: next, max: wanted });
      const last = page.at(-1);
      if (!last) break;
      const events = await codec.decodeWithoutAddress<E>(page);
      loaded = { state: fold(decider, loaded.state, events), revision: last.revision, position: last.position };
      eventId = last.id;
      read += page.length;
      if (page.length < wanted) break;
    }
    return { ...from, loaded, eventId };
  };

  const refresh = async <S, C, E extends AnyEvent>(decider: Decider<S, C, E>, stream: string): Promise<Known<S>> => {
    let from: Known<S> = { ...cached(decider, stream), asOf: performance.now() };
    const mayHaveSnapshot = decider.snapshot !== undefined && snapshots !== undefined;
    const few = Math.min(WITHOUT_SNAPSHOT, snapshotEvery);
    let known = await readOn(decider, stream, from, mayHaveSnapshot ? few : undefined);
    if (mayHaveSnapshot && behind(from, known) >= few) {
      const found = await fromSnapshot(decider, stream, from);
      if (found && behind(known, found) > 0) {
        from = found;
        known = found;
      }
      known = await readOn(decider, stream, known);
      if (behind(from, known) >= snapshotEvery) offer(decider, stream, known);
    }
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
      if (followed?.isUnchanged(decider.category, stream, known)) return known.loaded;
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
      const { revision } = known.loaded;
      if (revision !== null && crosses(before, revision, BigInt(snapshotEvery))) offer(decider, stream, known);
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
