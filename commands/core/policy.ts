/**
 * Policies: an event leads to the next command. Each policy follows the log with its own checkpoint. It handles every
 * event at least once, in order within a stream. All ids derive from the causing event, so that repeating is harmless.
 */
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf, EventType } from '../../domain/modules.ts';
import { loadCheckpoint, saveCheckpoint } from '../../eventstore/checkpoints.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { type Batch, subscribe } from '../../eventstore/subscribe.ts';
import { derivedId } from '../../infra/ids.ts';
import { acquireLease, assertLease, type Lease } from '../../infra/leases.ts';
import { metrics } from '../../infra/metrics.ts';
import { inTransaction } from '../../infra/postgres.ts';
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

/**
 * Handles every event of a batch, in order within a stream. An event whose handler fails is left to the retry job.
 * @throws StoreUnavailable to have the whole batch repeated
 */
export const handleBatch = async <Deps extends CoreDeps>(
  deps: Deps,
  of: Policy<Deps>,
  retry: Pick<PolicyRetry<Deps>, 'schedule'>,
  batch: Batch,
) => {
  const events = await deps.codec.decodeWithoutAddress<Recorded>(batch.events, new Set(of.handlers.keys()));
  const streams = new Map<string, Recorded[]>();
  for (const event of events) streams.set(event.stream, [...(streams.get(event.stream) ?? []), event]);
  const queue = [...streams.values()];

  const handleOrDefer = async (event: Recorded) => {
    try {
      await runHandler(deps, of, event);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error; // the whole batch again, later
      deps.log.warn(
        { err: error, policy: of.name, type: event.type, stream: event.stream },
        'a policy failed on an event, a job will retry it',
      );
      metrics.policyHandled.inc({ policy: of.name, outcome: 'deferred' });
      await retry.schedule(deps.pool, event.meta, {
        id: `${of.name}:${event.id}`,
        dueAt: deps.now(),
        data: { stream: event.stream, revision: event.revision.toString() },
      });
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
  const name = `policy:${of.name}`;
  await subscribe({
    store: deps.store,
    name,
    after: await loadCheckpoint(deps.pool, name),
    log: deps.log,
    signal,
    maxBatch: MAX_BATCH,
    handle: async (batch) => {
      await handleBatch(deps, of, retry, batch);
      await inTransaction(deps.pool, async (client) => {
        await assertLease(client, name, lease.token);
        await saveCheckpoint(client, name, batch.position);
      });
    },
  });
};

/** Runs a policy until `signal` fires. One process is active for each policy, the others stand by. */
export const runPolicy = async <Deps extends CoreDeps>(
  deps: Deps,
  of: Policy<Deps>,
  retry: PolicyRetry<Deps>,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    const lease = await acquireLease(deps.pool, { name: `policy:${of.name}`, signal, log: deps.log });
    if (!lease) return;
    try {
      await follow(deps, of, retry, lease, AbortSignal.any([signal, lease.lost]));
    } catch (err) {
      deps.log.error({ err, policy: of.name }, 'a policy stopped and restarts');
    } finally {
      await lease.release();
    }
  }
};
