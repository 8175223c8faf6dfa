/**
 * Policies: an event leads to the next command. Each follows the log with a checkpoint of its own; at least once, in
 * order within a stream. What they do derives its ids from the causing event, so that doing it twice is harmless.
 */
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf, EventType } from '../../domain/core/events.ts';
import { loadCheckpoint, saveCheckpoint } from '../../eventstore/checkpoints.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { type Batch, subscribe } from '../../eventstore/subscribe.ts';
import { derivedId } from '../../infra/ids.ts';
import { acquireLease, assertLease, type Lease } from '../../infra/leases.ts';
import { metrics } from '../../infra/metrics.ts';
import { inTransaction } from '../../infra/postgres.ts';
import type { CommandDeps } from './deps.ts';
import type { CommandContext } from './handle.ts';
import { defineJob, type JobDefinition, type PolicyContext } from './jobs.ts';

export type PolicyHandler<E> = (event: E, ctx: PolicyContext) => Promise<void>;

export interface Policy {
  /** Names the checkpoint and the lease: never renamed. */
  readonly name: string;
  readonly handlers: ReadonlyMap<string, PolicyHandler<Recorded>>;
}

export const policy = (
  name: string,
  on: { readonly [T in EventType]?: PolicyHandler<Recorded<EventOf<T>>> },
): Policy => ({
  name,
  handlers: new Map(Object.entries(on) as unknown as [string, PolicyHandler<Recorded>][]),
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

const runHandler = async (deps: CommandDeps, { name, handlers }: Policy, event: Recorded): Promise<void> => {
  await handlers.get(event.type)?.(event, { deps, context: contextFor(name, event, deps.now()) });
  metrics.policyHandled.inc({ policy: name, outcome: 'done' });
};

export type PolicyRetry = JobDefinition<{ stream: string; revision: string }>;

/** An event whose reaction failed is tried again as a job, out of the way. */
export const policyRetry = (policies: readonly Policy[]): PolicyRetry =>
  defineJob('policy_retry', async ({ id, data }, { deps }) => {
    const [name = ''] = id.split(':');
    const owner = policies.find((each) => each.name === name);
    const stored = await deps.store.read(data.stream, { from: BigInt(data.revision), max: 1 });
    const [event] = await deps.codec.decodeWithoutAddress<Recorded>(stored);
    if (owner && event) await runHandler(deps, owner, event);
    return undefined;
  });

/** Reacts to every event of a batch, in order within a stream. What fails is left to a job; rejects when the store is away. */
export const handleBatch = async (deps: CommandDeps, of: Policy, retry: PolicyRetry, batch: Batch) => {
  const events = await deps.codec.decodeWithoutAddress<Recorded>(batch.events, new Set(of.handlers.keys()));
  const streams = new Map<string, Recorded[]>();
  for (const event of events) streams.set(event.stream, [...(streams.get(event.stream) ?? []), event]);
  const queue = [...streams.values()];

  const handleOrDefer = async (event: Recorded) => {
    try {
      await runHandler(deps, of, event);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error; // the whole batch again, later
      deps.log.warn({ err: error, policy: of.name, type: event.type, stream: event.stream }, 'reaction deferred');
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

const follow = async (deps: CommandDeps, of: Policy, retry: PolicyRetry, lease: Lease, signal: AbortSignal) => {
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

/** Runs until `signal` fires: one process is active for each policy, the others stand by. */
export const runPolicy = async (
  deps: CommandDeps,
  of: Policy,
  retry: PolicyRetry,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    const lease = await acquireLease(deps.pool, { name: `policy:${of.name}`, signal, log: deps.log });
    if (!lease) return;
    try {
      await follow(deps, of, retry, lease, AbortSignal.any([signal, lease.lost]));
    } catch (err) {
      deps.log.error({ err, policy: of.name }, 'a policy stopped, starting over');
    } finally {
      await lease.release();
    }
  }
};
