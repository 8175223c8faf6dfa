/**
 * Runs policies and jobs step by step, with a clock that the test sets. Each can be interrupted before any of its
 * commands, as if its process had died there.
 */
import type { Aggregates } from '../../commands/core/handle.ts';
import { JobBatch } from '../../commands/core/jobChanges.ts';
import { claim } from '../../commands/core/jobClaims.ts';
import { runJob } from '../../commands/core/jobRunner.ts';
import type { JobDefinition } from '../../commands/core/jobs.ts';
import { handleEvents, type Policy, policyRetry } from '../../commands/core/policy.ts';
import { type CommandDeps, jobs, policies } from '../../commands/modules.ts';
import { laneJob } from '../../commands/push/laneJob.ts';
import type { Position, Recorded } from '../../domain/core/decider.ts';
import { type StoredEvent, StoreUnavailable } from '../../eventstore/client/index.ts';
import { changed, type Node } from '../kit/deps.ts';

const PAGE = 1_000;
const retry = policyRetry(policies);
/** Without the lanes of pushes, which run again for ever: what is queued for devices stays there, to be looked at. */
const run = [...jobs, retry].filter(({ kind }) => kind !== laneJob.kind);
const byKind = new Map<string, JobDefinition<never, CommandDeps>>(run.map((each) => [each.kind, each]));

/** A policy handles a batch of events, as a worker has it do. */
const react = async (node: Node, policy: Policy<CommandDeps>, batch: readonly StoredEvent[]): Promise<void> => {
  const only = new Set(policy.handlers.keys());
  const jobs = new JobBatch();
  await handleEvents(
    { ...node, jobs },
    policy,
    retry,
    await node.codec.decodeEach<Recorded>(batch, { only, address: false }),
  );
  await jobs.write(node.pool);
};

/** A process that dies before its n-th command: none of its later commands has an effect. */
export const dyingBefore = (node: Node, commands: number | null): Node => {
  if (commands === null) return node;
  let left = commands;
  const alive = <T>(work: () => Promise<T>): Promise<T> =>
    left < 0 ? Promise.reject(new StoreUnavailable('this process is dead')) : work();
  const aggregates: Aggregates = {
    load: (decider, id, options) => alive(() => node.aggregates.load(decider, id, options)),
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

/** Whose turn it is: `main`, those who act in the middle of a step of `main`, or a third party in the middle of that. */
export type Turn = 'main' | 'meanwhile' | 'deeper';

/** @param start makes a process with its own cache, on the clock of `time` */
export const createMachine = (start: (turn: Turn) => Node, time: { ms: number }) => {
  const workers = { main: start('main'), meanwhile: start('meanwhile'), deeper: start('deeper') };
  const { store, pool, codec } = workers.meanwhile;
  /** Policies and jobs that are interrupted. Leases and claims keep others from running them. */
  const interrupted = new Set<string>();
  let after: Position | undefined;
  const log: StoredEvent[] = [];
  /** The checkpoint of each policy: how many events it has handled. */
  const cursors = new Map<Policy<CommandDeps>, number>();

  /** Reads new events once for all policies. */
  const readOn = async (): Promise<readonly StoredEvent[]> => {
    for (let more = true; more; ) {
      const page = await store.readAll({ ...(after && { after }), max: PAGE });
      log.push(...page.events);
      after = page.last ?? after;
      more = page.events.length === PAGE;
    }
    return log;
  };

  /** A policy continues from its checkpoint, which is all that survives a dead worker. */
  const follow = async (
    turn: Turn,
    policy: Policy<CommandDeps>,
    most: number,
    dies: number | null = null,
  ): Promise<void> => {
    const from = cursors.get(policy) ?? 0;
    const events = log.slice(from, from + most);
    if (events.length === 0 || interrupted.has(policy.name)) return;
    interrupted.add(policy.name);
    try {
      await react(dyingBefore(workers[turn], dies), policy, events);
      cursors.set(policy, from + events.length);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      workers[turn] = start(turn);
    } finally {
      interrupted.delete(policy.name);
    }
  };
  const catchUp = async (turn: Turn): Promise<void> => {
    for (let seen = -1; seen < log.length; ) {
      seen = (await readOn()).length;
      for (const policy of policies) await follow(turn, policy, seen);
      await readOn();
    }
  };

  const waiting = async (): Promise<Due[]> =>
    (
      await pool.query<Due>('select kind, id, due_at from ops.jobs where kind = any ($1) order by due_at, kind, id', [
        [...byKind.keys()],
      ])
    ).rows;
  const due = async (): Promise<Due[]> => (await waiting()).filter((each) => dueMs(each) <= time.ms);
  const runDue = async (turn: Turn, { kind, id }: Due, dies: number | null = null): Promise<void> => {
    if (interrupted.has(`${kind} ${id}`)) return;
    interrupted.add(`${kind} ${id}`);
    await pool.query(`update ops.jobs set run_at = '-infinity', claimed_until = null where kind = $1 and id = $2`, [
      kind,
      id,
    ]);
    const [job] = await claim(pool, [kind], 1);
    if (job) await runJob(dyingBefore(workers[turn], dies), byKind, job);
    interrupted.delete(`${kind} ${id}`);
    if (dies !== null) workers[turn] = start(turn);
  };

  return {
    /** Skips the events that were recorded before now. */
    begin: async (): Promise<void> => {
      after = (await store.head()) ?? undefined;
    },
    readOn,
    /** One policy handles a few events. */
    follow: async (turn: Turn, n: number, most: number, dies: number | null): Promise<void> => {
      await readOn();
      await follow(turn, policies[n % policies.length] as Policy<CommandDeps>, most, dies);
    },
    /** Runs one of the jobs that are due. */
    runJob: async (turn: Turn, n: number, dies: number | null): Promise<void> => {
      const dueJobs = await due();
      const job = dueJobs[n % dueJobs.length];
      if (job) await runDue(turn, job, dies);
    },
    /** Runs policies and due jobs until nothing is left to do now. */
    work: async (turn: Turn): Promise<void> => {
      await catchUp(turn);
      for (const job of await due()) await runDue(turn, job);
      await catchUp(turn);
    },
    /** Advances the clock until no job is left. */
    settle: async (): Promise<void> => {
      for (let rounds = 0; ; rounds += 1) {
        if (rounds > 500) throw new Error(`it never ends: ${JSON.stringify(await waiting())}`);
        await catchUp('main');
        // The daily reconciliation always schedules the next one.
        const next = (await waiting()).find(({ kind }) => kind !== 'reconciliation_daily');
        if (!next) break;
        time.ms = Math.max(time.ms, dueMs(next));
        await runDue('main', next);
      }
    },
    /** All recorded events. */
    history: async (): Promise<readonly Recorded[]> => codec.decode<Recorded>(await readOn()),
  };
};
