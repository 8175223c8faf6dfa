/**
 * Load → decide → append: the only way to change an aggregate. Aggregates are cached with their revision. The log
 * decides between concurrent commands by the exact expected revision of every append.
 */
import {
  type AnyEvent,
  Contended,
  changedNothing,
  type Decider,
  type EventMeta,
  type Position,
  Rejected,
  splitStream,
  streamName,
} from '../../domain/core/decider.ts';
import { refuseOutdated } from '../../domain/core/revision.ts';
import { type EventStore, WrongExpectedRevision } from '../../eventstore/client/index.ts';
import type { Codec } from '../../eventstore/codec.ts';
import { knownMetadata } from '../../eventstore/metadata.ts';
import { derivedId } from '../../infra/ids.ts';
import { createKeyedQueue, type QueueLimits } from '../../infra/keyedQueue.ts';
import { metrics } from '../../infra/metrics.ts';
import { sleep } from '../../infra/retry.ts';
import { type AggregateCache, type CacheOptions, createAggregateCache, type LoadOptions } from './aggregateCache.ts';
import { fold, type Known, type Loaded } from './stateReader.ts';

/** Who acts, why, and under which command id: the source of every event's metadata. */
export interface CommandContext extends EventMeta {
  /**
   * The command id was made for this request, so that no earlier attempt can have used it. A stream that is not in the
   * cache is then taken to be new: it is read only if the append shows that it exists, or the command is refused. Never
   * set where a command is repeated.
   */
  readonly isFirstAttempt?: boolean;
  /** The command is refused unless its stream has one of these revisions. Nothing that follows from it is. */
  readonly onlyAt?: { readonly stream: string; readonly revisions: readonly number[] };
  /**
   * Called with the log position of each outcome: that of the new events, or of the last event that made the command
   * unnecessary. A reply can wait until that position is projected. `of` is the stream, with the revision that it has then.
   */
  readonly onSettled?: (position: Position, of?: { readonly stream: string; readonly revision: bigint }) => void;
}

/** The context of a command that follows from this one. `step` distinguishes several; repeating gives the same id. */
export const followUp = ({ onlyAt: _, ...context }: CommandContext, step: string): CommandContext => ({
  ...context,
  commandId: derivedId(context.commandId, step),
  causationId: context.commandId,
});

const isOutdated = ({ onlyAt }: CommandContext, stream: string, revision: bigint | null): boolean =>
  onlyAt?.stream === stream && !onlyAt.revisions.includes(Number(revision ?? -1));

/**
 * For what is prepared before the command, and would have to be undone.
 * @param revision of the stream, as it was just read
 * @throws Rejected `outdated_revision` when the context wants another one
 */
export const refuseIfOutdated = (
  context: CommandContext,
  { category }: { readonly category: string },
  id: string,
  revision: bigint | null,
): void => {
  if (!isOutdated(context, streamName(category, id), revision)) return;
  refuseOutdated(`This ${category}`, { ifRevision: context.onlyAt?.revisions }, Number(revision ?? -1));
};

/**
 * Prices are quoted from data that may be a second old, so that quotes which follow each other share a read. API processes
 * read nothing while they follow it (`followedStates.ts`).
 */
export const FOR_QUOTE: LoadOptions = { maxAgeMs: 1_000 };

/**
 * The state of what a command makes, which an earlier attempt may have made. Nothing is read when there was none.
 * @param id derived from the id of the command
 */
export const madeBefore = async <S, C, E extends AnyEvent>(
  { aggregates }: { readonly aggregates: Aggregates },
  decider: Decider<S, C, E>,
  id: string,
  context: CommandContext,
): Promise<S> => (context.isFirstAttempt ? decider.initial : (await aggregates.load(decider, id)).state);

export interface Outcome<State, Event> extends Loaded<State> {
  /** The state that was decided on. */
  readonly before: State;
  /** The events that were added; `[]` when the command was already applied. */
  readonly events: readonly Event[];
}

export interface Aggregates {
  /** The current state of the aggregate, read from the log; with `maxAgeMs`, perhaps one that is this old. */
  load<S, C, E extends AnyEvent>(decider: Decider<S, C, E>, id: string, options?: LoadOptions): Promise<Loaded<S>>;
  /**
   * @throws Rejected when the domain refuses (on state that was read from the log, never on a stale cache);
   * `outdated_revision` when the stream has none of the revisions that the context wants
   * @throws Contended when others were faster each time, or the facts in the command are outdated
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
/** So many events of others may have followed on a change that is repeated. */
const REPEATED_WITHIN = 500;
/** Commands of one process to one aggregate are queued, so that they do not cause conflicts among each other. */
const QUEUE: QueueLimits = { atOnce: 1, waiting: 500, patienceMs: 4_500 };

/** Reports a command's time and how it ended. */
const observed = async <O extends Outcome<unknown, unknown>>(command: string, work: () => Promise<O>): Promise<O> => {
  const done = metrics.commandSeconds.startTimer({ command });
  try {
    const outcome = await work();
    done({ outcome: outcome.events.length > 0 ? 'done' : 'unchanged' });
    return outcome;
  } catch (error) {
    done({ outcome: changedNothing(error) ? error.code : 'failed' });
    throw error;
  }
};

/** The events that the command leads to; also `[]` when it is refused on a state that may be stale. */
const decide = <S, C, E extends AnyEvent>(decider: Decider<S, C, E>, command: C, state: S, isFresh: boolean): E[] => {
  try {
    return decider.decide(command, state);
  } catch (error) {
    if (changedNothing(error) && !isFresh) return [];
    throw error;
  }
};

export interface AggregateOptions extends Omit<CacheOptions, 'max'> {
  readonly cacheSize?: number;
  readonly queue?: Partial<QueueLimits>;
}

export interface CachedAggregates extends Aggregates, Pick<AggregateCache, 'advance'> {
  /** Forgets all cached state: some of it may show an erased person. */
  forget(): void;
}

export const createAggregates = (
  store: EventStore,
  codec: Codec,
  { cacheSize: max = 20_000, ...options }: AggregateOptions = {},
): CachedAggregates => {
  const cache = createAggregateCache(store, codec, { max, ...options });
  const queue = createKeyedQueue({ ...QUEUE, ...options.queue });

  /** undefined when the stream has changed: read it again. */
  const append = async <S, C, E extends AnyEvent>(
    decider: Decider<S, C, E>,
    stream: string,
    known: Known<S>,
    events: readonly E[],
    context: CommandContext,
  ): Promise<Outcome<S, E> | undefined> => {
    const { loaded } = known;
    const encoded = await codec.encode(stream, events, context, loaded.revision);
    const asOf = performance.now();
    try {
      const { revision, position } = await store.append(stream, encoded, loaded.revision ?? 'no_stream');
      const after = { state: fold(decider, loaded.state, events), revision, position };
      const eventId = encoded.at(-1)?.id ?? '';
      cache.appended(decider, stream, { ...known, loaded: after, eventId, asOf }, loaded.revision);
      return { ...after, before: loaded.state, events };
    } catch (error) {
      if (error instanceof WrongExpectedRevision) return undefined;
      cache.delete(stream); // the append may have succeeded
      throw error;
    }
  };

  /**
   * A change on a condition that is refused because of itself: its request broke off after the change, and is repeated. It has
   * made its events already.
   */
  const unlessRepeated = async <E>(
    stream: string,
    revision: bigint | null,
    context: CommandContext,
    decided: () => E[],
  ): Promise<E[]> => {
    try {
      return decided();
    } catch (error) {
      if (!(error instanceof Rejected) || error.code !== 'outdated_revision' || context.isFirstAttempt) throw error;
      const from = BigInt(Math.max(0, Number(revision ?? 0n) + 1 - REPEATED_WITHIN));
      const newest = await store.read(stream, { from, max: REPEATED_WITHIN });
      if (newest.some((event) => knownMetadata(event).commandId === context.commandId)) return [];
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
    let known = cache.cached(decider, stream);
    if (known.loaded.revision === null && !context.isFirstAttempt) known = await cache.refresh(decider, stream);
    for (let conflicts = 0; conflicts <= MAX_CONFLICTS; ) {
      const { loaded } = known;
      const isFresh = known.asOf >= since;
      // After a conflict, too: what others have added meanwhile is what the caller has not seen.
      const isCurrent = !isOutdated(context, stream, loaded.revision);
      const events = await unlessRepeated(stream, loaded.revision, context, () => {
        if (!isCurrent && isFresh) refuseIfOutdated(context, decider, splitStream(stream)[1], loaded.revision);
        return isCurrent ? decide(decider, command, loaded.state, isFresh) : [];
      });
      if (events.length > 0) {
        const outcome = await append(decider, stream, known, events, context);
        if (outcome) return outcome;
        metrics.commandConflicts.inc({ category: decider.category });
        conflicts += 1;
        await sleep(Math.random() * Math.min(100, 2 ** conflicts));
      } else if (isFresh) return { ...loaded, before: loaded.state, events };
      known = await cache.refresh(decider, stream);
    }
    throw new Contended();
  };

  return {
    forget: cache.clear,
    advance: cache.advance,
    load: (decider, id, options) => cache.load(decider, streamName(decider.category, id), options),
    handle: (decider, id, command, context) => {
      const stream = streamName(decider.category, id);
      const since = performance.now();
      return observed(command.type, async () => {
        const outcome = await queue.run(stream, () => execute(decider, stream, command, context, since));
        const { position, revision } = outcome;
        if (position) context.onSettled?.(position, revision === null ? undefined : { stream, revision });
        return outcome;
      });
    },
  };
};
