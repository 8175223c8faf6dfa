/**
 * Policies: an event leads to the next command. Every event is handled at least once, in order within a stream, except
 * after a failure: an event whose handler fails is left to a job, and the next events of its stream are handled before it.
 * So a handler must not rely on the order: it looks at the current state. All ids derive from the causing event, so that
 * repeating is harmless. `policyRunner.ts` has them follow the log.
 */
import type { Recorded } from '../../domain/core/decider.ts';
import { storableText } from '../../domain/core/storable.ts';
import type { EventOf, EventType } from '../../domain/modules.ts';
import { type StoredEvent, StoreUnavailable } from '../../eventstore/client/index.ts';
import type { Decoded } from '../../eventstore/codec.ts';
import { knownMetadata } from '../../eventstore/metadata.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { derivedId } from '../../infra/ids.ts';
import { metrics } from '../../infra/metrics.ts';
import { withTimeout } from '../../infra/retry.ts';
import type { CoreDeps } from './deps.ts';
import type { CommandContext } from './handle.ts';
import { defineJob, type JobDefinition, type PolicyContext } from './jobs.ts';

export type PolicyHandler<E, Deps = CoreDeps> = (event: E, ctx: PolicyContext<Deps>) => Promise<void>;

/** `Deps`: what its handlers need. */
export interface Policy<Deps = CoreDeps> {
  /** Names the checkpoint and the lease: never renamed. */
  readonly name: string;
  /** By event type. Each handler takes events of its type only, which a map cannot say: hence `never`. */
  readonly handlers: ReadonlyMap<string, PolicyHandler<never, Deps>>;
}

/** @param on a handler for each event type that the policy reacts to */
export const policy = <Deps = CoreDeps>(
  name: string,
  on: { readonly [T in EventType]?: PolicyHandler<Recorded<EventOf<T>>, Deps> },
): Policy<Deps> => ({
  name,
  handlers: new Map<string, PolicyHandler<never, Deps>>(Object.entries(on)),
});

/** The name of a policy's checkpoint and lease. */
export const consumerOf = ({ name }: { readonly name: string }): string => `policy:${name}`;

/** Streams whose events a policy handles at the same time. */
const AT_ONCE = 32;
/** A handler that takes longer counts as failed: one that hangs must not stop its policy for ever. */
const LONGEST_MS = 60_000;
/** The same for a retry, which holds up no policy. */
const LONGEST_RETRY_MS = 600_000;

const contextFor = (name: string, event: Recorded, at: string): CommandContext => ({
  correlationId: event.meta.correlationId,
  causationId: event.id,
  commandId: derivedId('policy', name, event.id),
  actor: { kind: 'system', id: `policy:${name}`, role: 'system' },
  ip: null,
  at,
});

/** @throws TimedOut when its handler has not ended after `longestMs` milliseconds. The handler goes on. */
const runHandler = async <Deps extends CoreDeps>(
  deps: Deps,
  { name, handlers }: Policy<Deps>,
  event: Recorded,
  longestMs: number,
): Promise<void> => {
  const handling = handlers.get(event.type)?.(event as never, { deps, context: contextFor(name, event, deps.now()) });
  if (handling) await withTimeout(handling, longestMs, `the handler has not ended after ${longestMs / 1_000} s`);
  metrics.policyHandled.inc({ policy: name, outcome: 'done' });
};

export type PolicyRetry<Deps> = JobDefinition<{ stream: string; revision: string }, Deps>;

/** The job that handles an event again after its handler failed, so that the policy itself goes on. */
export const policyRetry = <Deps extends CoreDeps>(policies: readonly Policy<Deps>[]): PolicyRetry<Deps> =>
  defineJob('policy_retry', async ({ id, data }, { deps }) => {
    const [name = ''] = id.split(':');
    const owner = policies.find((each) => each.name === name);
    const stored = await deps.store.read(data.stream, { from: BigInt(data.revision), max: 1 });
    const [event] = await deps.codec.decodeWithoutAddress<Recorded>(stored);
    if (!event) throw new Error(`the log does not give an event ${data.revision} of ${data.stream}`);
    if (owner) await runHandler(deps, owner, event, LONGEST_RETRY_MS);
    return undefined;
  });

/** In the past by any clock. */
const DUE_AT_ONCE = '1970-01-01T00:00:00Z';

type Retry<Deps> = Pick<PolicyRetry<Deps>, 'schedule'>;

/** Leaves an event to the retry job, so that the policy goes on. The job is parked when it keeps failing. */
const defer = async <Deps extends CoreDeps>(
  { jobs, log }: Deps,
  { name }: Policy<Deps>,
  retry: Retry<Deps>,
  event: Pick<Recorded, 'id' | 'type' | 'stream' | 'revision'> & { readonly correlationId: string },
  err: unknown,
): Promise<void> => {
  log.warn({ err, policy: name, type: event.type, stream: event.stream }, 'a policy left an event to a retry job');
  metrics.policyHandled.inc({ policy: name, outcome: 'deferred' });
  await retry.schedule(jobs, event, {
    id: `${name}:${event.id}`,
    dueAt: DUE_AT_ONCE,
    data: { stream: event.stream, revision: event.revision.toString() },
  });
};

/** Metadata that cannot be read may lack it. */
const correlationOf = (event: StoredEvent): string => storableText(knownMetadata(event).$correlationId ?? event.id);

/**
 * Has a policy handle events, in order within a stream. An event that cannot be read, or whose handler fails, is left to
 * the retry job, and the next events of its stream do not wait for it.
 * @throws StoreUnavailable to have all of them handled again, later
 */
export const handleEvents = async <Deps extends CoreDeps>(
  deps: Deps,
  of: Policy<Deps>,
  retry: Retry<Deps>,
  { events, unreadable }: Decoded<Recorded>,
): Promise<void> => {
  for (const { event, reason } of unreadable) {
    metrics.eventsUnreadable.inc({ consumer: consumerOf(of) });
    await defer(deps, of, retry, { ...event, correlationId: correlationOf(event) }, reason);
  }
  const streams = new Map<string, Recorded[]>();
  for (const event of events) {
    const stream = streams.get(event.stream);
    if (stream) stream.push(event);
    else streams.set(event.stream, [event]);
  }
  await concurrentEach(streams.values(), AT_ONCE, async (stream) => {
    for (const event of stream)
      try {
        await runHandler(deps, of, event, LONGEST_MS);
      } catch (error) {
        if (error instanceof StoreUnavailable) throw error;
        await defer(deps, of, retry, { ...event, correlationId: event.meta.correlationId }, error);
      }
  });
};
