/**
 * Runs policies and jobs step by step, with a clock that the test sets. Each can be interrupted before any of its
 * commands, as if its process had died there.
 */
import type { Aggregates } from '../../commands/core/handle.ts';
import { claim, runJob } from '../../commands/core/jobRunner.ts';
import type { JobDefinition } from '../../commands/core/jobs.ts';
import { handleBatch, type Policy, policyRetry } from '../../commands/core/policy.ts';
import { type CommandDeps, jobs, policies } from '../../commands/modules.ts';
import type { Position, Recorded } from '../../domain/core/decider.ts';
import { type StoredEvent, StoreUnavailable } from '../../eventstore/client/index.ts';
import { changed, type Node } from '../kit/deps.ts';

const PAGE = 1_000;
const retry = policyRetry(policies);
const byKind = new Map<string, JobDefinition<never, CommandDeps>>([...jobs, retry].map((each) => [each.kind, each]));

/** A process that dies before its n-th command: none of its later commands has an effect. */
export const dyingBefore = (node: Node, commands: number | null): Node => {
  if (commands === null) return node;
  let left = commands;
  const alive = <T>(work: () => Promise<T>): Promise<T> =>
    left < 0 ? Promise.reject(new StoreUnavailable('this process is dead')) : work();
  const aggregates: Aggregates = {
    load: (decider, id) => alive(() => node.aggregates.load(decider, id)),
    handle: (decider, id, command, context) => {
      left -= 1;
      return alive(() => node.aggregates.handle(decider, id, command, context));
    },
  };
  return changed(node, { aggregates });
};

interface Due {
  readonly kind: string;
  readonly id: string;
  readonly due_at: Date | string;
}
const dueMs = ({ due_at }: Due): number => new Date(due_at).getTime();

/** @param startNode makes a process with its own cache, on the clock of `time` */
export const createMachine = (startNode: () => Node, time: { ms: number }) => {
  let worker = startNode();
  let after: Position | undefined;
  const log: StoredEvent[] = [];
  /** The checkpoint of each policy: how many events it has handled. */
  const cursors = new Map<Policy<CommandDeps>, number>();

  /** Reads new events once for all policies. */
  const readOn = async (): Promise<readonly StoredEvent[]> => {
    for (let more = true; more; ) {
      const page = await worker.store.readAll({ ...(after && { after }), max: PAGE });
      log.push(...page.events);
      after = page.last ?? after;
      more = page.events.length === PAGE;
    }
    return log;
  };

  /** A policy continues from its checkpoint, which is all that survives a dead worker. */
  const follow = async (policy: Policy<CommandDeps>, most: number, dies: number | null): Promise<void> => {
    const from = cursors.get(policy) ?? 0;
    const events = log.slice(from, from + most);
    const position = events.at(-1)?.position;
    if (!position) return;
    try {
      await handleBatch(dyingBefore(worker, dies), policy, retry, { events, position, caughtUp: true });
      cursors.set(policy, from + events.length);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      worker = startNode();
    }
  };
  const catchUp = async (): Promise<void> => {
    for (let seen = -1; seen < log.length; ) {
      seen = (await readOn()).length;
      for (const policy of policies) await follow(policy, seen, null);
      await readOn();
    }
  };

  const waiting = async (): Promise<Due[]> =>
    (await worker.pool.query<Due>('select kind, id, due_at from ops.jobs order by due_at, kind, id')).rows;
  const due = async (): Promise<Due[]> => (await waiting()).filter((each) => dueMs(each) <= time.ms);
  const runDue = async ({ kind, id }: Due, dies: number | null): Promise<void> => {
    await worker.pool.query(`update ops.jobs set run_at = '-infinity' where kind = $1 and id = $2`, [kind, id]);
    const [job] = await claim(worker.pool, [kind], 1);
    if (job) await runJob(dyingBefore(worker, dies), byKind, job);
    if (dies !== null) worker = startNode();
  };

  return {
    /** Skips the events that were recorded before now. */
    begin: async (): Promise<void> => {
      after = (await worker.store.head()) ?? undefined;
    },
    readOn,
    /** One policy handles a few events. */
    follow: async (n: number, most: number, dies: number | null): Promise<void> => {
      await readOn();
      await follow(policies[n % policies.length] as Policy<CommandDeps>, most, dies);
    },
    /** Runs one of the jobs that are due. */
    runJob: async (n: number, dies: number | null): Promise<void> => {
      const dueJobs = await due();
      const job = dueJobs[n % dueJobs.length];
      if (job) await runDue(job, dies);
    },
    /** Runs policies and due jobs until nothing is left to do now. */
    work: async (): Promise<void> => {
      await catchUp();
      for (const job of await due()) await runDue(job, null);
      await catchUp();
    },
    /** Advances the clock until no job is left. */
    settle: async (): Promise<void> => {
      for (let rounds = 0; ; rounds += 1) {
        if (rounds > 500) throw new Error(`it never ends: ${JSON.stringify(await waiting())}`);
        await catchUp();
        // The daily reconciliation always schedules the next one.
        const next = (await waiting()).find(({ kind }) => kind !== 'reconciliation_daily');
        if (!next) break;
        time.ms = Math.max(time.ms, dueMs(next));
        await runDue(next, null);
      }
    },
    /** All recorded events. */
    history: async (): Promise<readonly Recorded[]> => worker.codec.decode<Recorded>(await readOn()),
  };
};
