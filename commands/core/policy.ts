/**
 * Policies: an event leads to the next command. Each policy follows the log with its own checkpoint. It handles every
 * event at least once, in order within a stream. All ids derive from the causing event, so that repeating is harmless.
 */
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf, EventType } from '../../domain/modules.ts';
import { loadCheckpoint, saveCheckpoint } from '../../eventstore/checkpoints.ts';
import { type StoredEvent, StoreUnavailable } from '../../eventstore/client/index.ts';
import { assertSameLog } from '../../eventstore/identity.ts';
import { type Batch, subscribe } from '../../eventstore/subscribe.ts';
import { derivedId } from '../../infra/ids.ts';
import { IncompatibleData } from '../../infra/incompatible.ts';
import { acquireLease, assertLease, type Lease } from '../../infra/leases.ts';
import { metrics } from '../../infra/metrics.ts';
import { inTransaction } from '../../infra/postgres.ts';
import { linkSignals } from '../../infra/retry.ts';
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

const MAX_BATCH = 500;
const AT_ONCE = 16;

const contextFor = (name: string, event: Recorded, at: string): CommandContext => ({
  correlationId: event.meta.correlationId,
  causationId: event.id,
  commandId: derivedId('policy', name, event.id),
  actor: { kind: 'system', id: `policy:${name}`, role: 'system' },
  ip: null,
  at,
});

const runHandler = async <Deps extends CoreDeps>(
  deps: Deps,
  { name, handlers }: Policy<Deps>,
  event: Recorded,
): Promise<void> => {
  await handlers.get(event.type)?.(event as never, { deps, context: contextFor(name, event, deps.now()) });
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
    if (owner && event) await runHandler(deps, owner, event);
    return undefined;
  });

/** In the past by any clock. */
const DUE_AT_ONCE = '1970-01-01T00:00:00Z';

type Retry<Deps> = Pick<PolicyRetry<Deps>, 'schedule'>;

/** Leaves an event to the retry job, so that the policy goes on. The job is parked when it keeps failing. */
const defer = async <Deps extends CoreDeps>(
  { pool, log }: Deps,
  { name }: Policy<Deps>,
  retry: Retry<Deps>,
  event: Pick<Recorded, 'id' | 'type' | 'stream' | 'revision'> & { readonly correlationId: string },
  err: unknown,
): Promise<void> => {
  log.warn({ err, policy: name, type: event.type, stream: event.stream }, 'a policy left an event to a retry job');
  metrics.policyHandled.inc({ policy: name, outcome: 'deferred' });
  await retry.schedule(pool, event, {
    id: `${name}:${event.id}`,
    dueAt: DUE_AT_ONCE,
    data: { stream: event.stream, revision: event.revision.toString() },
  });
};

/** Metadata that cannot be read may lack it. */
const correlationOf = ({ id, metadata }: StoredEvent): string => {
  const { $correlationId } = (metadata ?? {}) as Partial<StoredEvent['metadata']>;
  return typeof $correlationId === 'string' ? $correlationId : id;
};

/**
 * Handles every event of a batch, in order within a stream. An event that cannot be read, or whose handler fails, is left
 * to the retry job.
 * @throws StoreUnavailable to have the whole batch repeated
 */
export const handleBatch = async <Deps extends CoreDeps>(
  deps: Deps,
  of: Policy<Deps>,
  retry: Retry<Deps>,
  batch: Batch,
) => {
  const only = new Set(of.handlers.keys());
  const { events, unreadable } = await deps.codec.decodeEach<Recorded>(batch.events, { only, address: false });
  for (const { event, reason } of unreadable) {
    metrics.eventsUnreadable.inc({ consumer: consumerOf(of) });
    await defer(deps, of, retry, { ...event, correlationId: correlationOf(event) }, reason);
  }
  const streams = new Map<string, Recorded[]>();
  for (const event of events) streams.set(event.stream, [...(streams.get(event.stream) ?? []), event]);
  const queue = [...streams.values()];

  const handleOrDefer = async (event: Recorded) => {
    try {
      await runHandler(deps, of, event);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error; // the whole batch again, later
      await defer(deps, of, retry, { ...event, correlationId: event.meta.correlationId }, error);
    }
  };
  const drain = async () => {
    for (let events = queue.shift(); events; events = queue.shift())
      for (const event of events) await handleOrDefer(event);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, drain));
};

const follow = async <Deps extends CoreDeps>(
  deps: Deps,
  of: Policy<Deps>,
  retry: PolicyRetry<Deps>,
  lease: Lease,
  signal: AbortSignal,
) => {
  const name = consumerOf(of);
  await subscribe({
    store: deps.store,
    name,
    after: await loadCheckpoint(deps.pool, name),
    log: deps.log,
    signal,
    maxBatch: MAX_BATCH,
    verify: () => assertSameLog(deps.pool, deps.store, name),
    handle: async (batch) => {
      await handleBatch(deps, of, retry, batch);
      await inTransaction(deps.pool, async (client) => {
        await assertLease(client, name, lease.token);
        await saveCheckpoint(client, name, batch.position, batch.events.at(-1));
      });
    },
  });
};

/**
 * Runs a policy until `signal` fires. One process is active for each policy, the others stand by.
 * @throws IncompatibleData when the log is not the one that this database follows
 */
export const runPolicy = async <Deps extends CoreDeps>(
  deps: Deps,
  of: Policy<Deps>,
  retry: PolicyRetry<Deps>,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    const lease = await acquireLease(deps.pool, { name: consumerOf(of), signal, log: deps.log });
    if (!lease) return;
    const held = linkSignals(signal, lease.lost);
    try {
      await follow(deps, of, retry, lease, held.signal);
    } catch (err) {
      if (err instanceof IncompatibleData) throw err;
      deps.log.error({ err, policy: of.name }, 'a policy stopped and restarts');
    } finally {
      held.end();
      await lease.release();
    }
  }
};
