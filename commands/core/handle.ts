/**
 * Load → decide → append: the only way to change an aggregate. Aggregates are cached with their revision. The log
 * decides between concurrent commands by the exact expected revision of every append.
 */
import { LRUCache } from 'lru-cache';
import {
  type AnyEvent,
  type Decider,
  type EventMeta,
  type Position,
  Rejected,
  streamName,
} from '../../domain/core/decider.ts';
import { type EventStore, WrongExpectedRevision } from '../../eventstore/client/index.ts';
import type { Codec } from '../../eventstore/codec.ts';
import { derivedId } from '../../infra/ids.ts';
import { createKeyedQueue, type QueueLimits } from '../../infra/keyedQueue.ts';
import { metrics } from '../../infra/metrics.ts';
import { sleep } from '../../infra/retry.ts';

/** Who acts, why, and under which command id: the source of every event's metadata. */
export interface CommandContext extends EventMeta {
  /**
   * Called with the log position of each outcome: that of the new events, or of the last event that made the command
   * unnecessary. A reply can wait until that position is projected.
   */
  readonly onSettled?: (position: Position) => void;
}

/** The context of a command that follows from this one. `step` distinguishes several; repeating gives the same id. */
export const followUp = (context: CommandContext, step: string): CommandContext => ({
  ...context,
  commandId: derivedId(context.commandId, step),
  causationId: context.commandId,
});

export interface Loaded<State> {
  readonly state: State;
  /** null: the stream does not exist. */
  readonly revision: bigint | null;
  readonly position: Position | null;
}

export interface Outcome<State, Event> extends Loaded<State> {
  /** The events that were added; `[]` when the command was already applied. */
  readonly events: readonly Event[];
}

export interface Aggregates {
  /** The current state of the aggregate, read from the log. */
  load<S, C, E extends AnyEvent>(decider: Decider<S, C, E>, id: string): Promise<Loaded<S>>;
  /**
   * @throws Rejected when the domain refuses (on state that was read from the log, never on a stale cache)
   * @throws Overloaded when too many commands wait for this aggregate: nothing was begun
   * @throws StoreUnavailable when the log can't be reached: repeat with the same context
   */
  handle<S, C extends { readonly type: string }, E extends AnyEvent>(
    decider: Decider<S, C, E>,
    id: string,
    command: C,
    context: CommandContext,
  ): Promise<Outcome<S, E>>;
}

const MAX_CONFLICTS = 50;
const PAGE = 2_000;
/** Commands of one process to one aggregate are queued, so that they do not cause conflicts among each other. */
const QUEUE: QueueLimits = { atOnce: 1, waiting: 500, patienceMs: 10_000 };

const fold = <S, E extends AnyEvent>(decider: Decider<S, never, E>, from: S, events: readonly E[]): S =>
  events.reduce((state, event) => decider.evolve(state, event), from);

/** Reports a command's time and how it ended. */
const observed = async <O extends Outcome<unknown, unknown>>(command: string, work: () => Promise<O>): Promise<O> => {
  const done = metrics.commandSeconds.startTimer({ command });
  try {
    const outcome = await work();
    done({ outcome: outcome.events.length > 0 ? 'done' : 'unchanged' });
    return outcome;
  } catch (error) {
    done({ outcome: error instanceof Rejected ? error.code : 'failed' });
    throw error;
  }
};

/** A running read of a stream, and the next one, shared by all who came after it started. */
interface Read {
  readonly done: Promise<unknown>;
  next?: Promise<unknown>;
}

/** What is cached. */
interface Known<State> {
  readonly loaded: Loaded<State>;
  /**
   * When the read or append started that showed this state to be the newest (`performance.now()`). It is fresh for
   * commands that came earlier.
   */
  readonly asOf: number;
}

export const createAggregates = (
  store: EventStore,
  codec: Codec,
  options: { readonly cacheSize?: number; readonly queue?: Partial<QueueLimits> } = {},
): Aggregates => {
  const cache = new LRUCache<string, Known<unknown>>({ max: options.cacheSize ?? 20_000 });
  const queue = createKeyedQueue({ ...QUEUE, ...options.queue });
  const reads = new Map<string, Read>();

  const cached = <S, C, E extends AnyEvent>(decider: Decider<S, C, E>, stream: string): Known<S> =>
    (cache.get(stream) as Known<S> | undefined) ?? {
      loaded: { state: decider.initial, revision: null, position: null },
      asOf: Number.NEGATIVE_INFINITY,
    };

  /** Reads the events after the cached revision and updates the cache. */
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

  /** Concurrent loads of one aggregate share reads: those that come during a read share the next one. */
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

  /** undefined when the stream has changed: read it again. */
  const append = async <S, C, E extends AnyEvent>(
    decider: Decider<S, C, E>,
    stream: string,
    loaded: Loaded<S>,
    events: readonly E[],
    context: CommandContext,
  ): Promise<Outcome<S, E> | undefined> => {
    const encoded = await codec.encode(stream, events, context);
    const asOf = performance.now();
    try {
      const { revision, position } = await store.append(stream, encoded, loaded.revision ?? 'no_stream');
      const after = { state: fold(decider, loaded.state, events), revision, position };
      cache.set(stream, { loaded: after, asOf });
      return { ...after, events };
    } catch (error) {
      if (error instanceof WrongExpectedRevision) return undefined;
      cache.delete(stream); // it may have been appended all the same
      throw error;
    }
  };

  /** The events that the command leads to; also `[]` when it is refused on a state that may be stale. */
  const decide = <S, C, E extends AnyEvent>(decider: Decider<S, C, E>, command: C, state: S, isFresh: boolean): E[] => {
    try {
      return decider.decide(command, state);
    } catch (error) {
      if (error instanceof Rejected && !isFresh) return [];
      throw error;
    }
  };

  /**
   * A rejection and a no-op are final only on a state that was read after the command came (`since`), because another
   * process may have changed it. Many rejected commands share one or two reads.
   */
  const execute = async <S, C, E extends AnyEvent>(
    decider: Decider<S, C, E>,
    stream: string,
    command: C,
    context: CommandContext,
    since: number,
  ): Promise<Outcome<S, E>> => {
    let known = cached(decider, stream);
    if (known.loaded.revision === null) known = await refresh(decider, stream);
    for (let conflicts = 0; conflicts <= MAX_CONFLICTS; ) {
      const { loaded } = known;
      const isFresh = known.asOf >= since;
      const events = decide(decider, command, loaded.state, isFresh);
      if (events.length > 0) {
        const outcome = await append(decider, stream, loaded, events, context);
        if (outcome) return outcome;
        metrics.commandConflicts.inc({ category: decider.category });
        conflicts += 1;
        await sleep(Math.random() * Math.min(100, 2 ** conflicts));
      } else if (isFresh) return { ...loaded, events };
      known = await refresh(decider, stream);
    }
    throw new Rejected('conflict', 'Too many requests are changing this at the same time. Try again.');
  };

  return {
    load: (decider, id) => load(decider, streamName(decider.category, id)),
    handle: (decider, id, command, context) => {
      const stream = streamName(decider.category, id);
      const since = performance.now();
      return observed(command.type, async () => {
        const outcome = await queue.run(stream, () => execute(decider, stream, command, context, since));
        if (outcome.position) context.onSettled?.(outcome.position);
        return outcome;
      });
    },
  };
};
