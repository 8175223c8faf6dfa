/**
 * Reads the state of an aggregate from its stream. Where the aggregate declares snapshots, a long stream is read from its
 * newest one.
 */
import type { AnyEvent, Decider, Position, SnapshotDeclaration } from '../../domain/core/decider.ts';
import type { EventStore, StoredEvent } from '../../eventstore/client/index.ts';
import type { Codec } from '../../eventstore/codec.ts';
import { metrics } from '../../infra/metrics.ts';
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

export interface StateReader {
  /** Reads the events after `known`, to the end of the stream. Writes a snapshot when they were many. */
  readOn<S, C, E extends AnyEvent>(decider: Decider<S, C, E>, stream: string, known: Known<S>): Promise<Known<S>>;
  /** Writes a snapshot after an append, if one is due. `before`: the revision that the append followed. */
  appended<S, C, E extends AnyEvent>(
    decider: Decider<S, C, E>,
    stream: string,
    known: Known<S>,
    before: bigint | null,
  ): void;
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

/** The state after further events. */
export const fold = <S, E extends AnyEvent>(
  decider: Pick<Decider<S, never, E>, 'evolve'>,
  from: S,
  events: readonly E[],
): S => events.reduce((state, event) => decider.evolve(state, event), from);

export interface SnapshotOptions {
  /** Without it, every stream is read from its first event. */
  readonly snapshots?: Snapshots | undefined;
  /** A snapshot is written after this many events. */
  readonly snapshotEvery?: number | undefined;
}

/**
 * The state of a stream's snapshot and its last event, if the log has that: it may have been restored from an older backup.
 */
export const snapshotInLog = async <State>(
  { store, snapshots }: { readonly store: EventStore; readonly snapshots: Snapshots },
  stream: string,
  declared: SnapshotDeclaration<State>,
): Promise<{ readonly state: State; readonly event: StoredEvent } | undefined> => {
  const found = await snapshots.find(stream, declared);
  if (!found) return undefined;
  const [event] = await store.read(stream, { from: found.revision, max: 1 });
  if (event?.id === found.eventId) {
    metrics.snapshots.inc({ outcome: 'used' });
    return { state: found.state, event };
  }
  await snapshots.discard(stream, found.revision);
  return undefined;
};

export const createStateReader = (
  store: EventStore,
  codec: Codec,
  { snapshots, snapshotEvery = SNAPSHOT_EVERY }: SnapshotOptions,
): StateReader => {
  const fromSnapshot = async <S, C, E extends AnyEvent>(
    { snapshot: declared }: Decider<S, C, E>,
    stream: string,
    from: Known<S>,
  ): Promise<Known<S> | undefined> => {
    const found = declared && snapshots && (await snapshotInLog({ store, snapshots }, stream, declared));
    if (!found) return undefined;
    const { state, event } = found;
    return { ...from, loaded: { state, revision: event.revision, position: event.position }, eventId: event.id };
  };

  const offer = <S, C, E extends AnyEvent>(
    { snapshot: declared }: Decider<S, C, E>,
    stream: string,
    { loaded: { state, revision }, eventId }: Known<S>,
  ): void => {
    if (declared && revision !== null) snapshots?.offer(stream, declared, { state, revision, eventId });
  };

  /** Reads only events. With `most`, not more than that many. */
  const readEvents = async <S, C, E extends AnyEvent>(
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

  /** For streams that may be long: a snapshot is looked for when there are more than a few events. */
  const readLong = async <S, C, E extends AnyEvent>(
    decider: Decider<S, C, E>,
    stream: string,
    from: Known<S>,
  ): Promise<Known<S>> => {
    const few = Math.min(WITHOUT_SNAPSHOT, snapshotEvery);
    const first = await readEvents(decider, stream, from, few);
    if (behind(from, first) < few) return first;
    const found = await fromSnapshot(decider, stream, from);
    const helps = found !== undefined && behind(first, found) > 0;
    const known = await readEvents(decider, stream, helps ? found : first);
    if (behind(helps ? found : from, known) >= snapshotEvery) offer(decider, stream, known);
    return known;
  };

  return {
    readOn: (decider, stream, known) =>
      decider.snapshot !== undefined && snapshots !== undefined
        ? readLong(decider, stream, known)
        : readEvents(decider, stream, known),
    appended: (decider, stream, known, before) => {
      const { revision } = known.loaded;
      if (revision !== null && crosses(before, revision, BigInt(snapshotEvery))) offer(decider, stream, known);
    },
  };
};
