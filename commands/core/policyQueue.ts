/** What a policy has yet to handle. Each policy has a queue, so that one that is slow does not hold up the others. */
import type { Position, Recorded } from '../../domain/core/decider.ts';
import type { EventRef } from '../../eventstore/checkpoints.ts';
import type { Decoded } from '../../eventstore/codec.ts';
import { isAfter } from '../../eventstore/subscribe.ts';
import { createBackoff, orAborted, sleep } from '../../infra/retry.ts';
import type { CoreDeps } from './deps.ts';
import { JobBatch } from './jobChanges.ts';
import { handleEvents, type Policy, type PolicyRetry } from './policy.ts';

/** How far in the log a policy has got. */
export interface Reached {
  readonly position: Position;
  /** The last event up to there, if it is known. */
  readonly last: EventRef | undefined;
}

/** Events for a policy, and how far it has got when they are handled. */
export interface Portion extends Decoded<Recorded>, Reached {}

export interface PolicyQueue {
  /** After the signal, it is left to whoever follows the log next. */
  add(portion: Portion): void;
  /** Up to where all events were added; undefined before the first. */
  added(): Position | undefined;
  /** Up to where all events are handled; undefined before the first. */
  handled(): Reached | undefined;
  isBusy(): boolean;
  /** Whether so many events wait that no more may be added. */
  isFull(): boolean;
  /** Resolves when more may be added, or `until` has fired. */
  hasRoom(until: AbortSignal): Promise<void>;
  /** Resolves when what has begun has ended. After the signal nothing more is begun. */
  idle(): Promise<void>;
}

/** With more events than this, a policy follows the log alone: it is behind, and the others must not wait for it. */
const MOST_WAITING = 1_000;
/**
 * Under load, when events come together or within this time of each other, the next ones are handled at least this long
 * after them: what their handlers ask and write goes together. What comes alone does not wait.
 */
const PACE_MS = 50;

const countOf = ({ events, unreadable }: Decoded): number => events.length + unreadable.length;

/** Whether PostgreSQL refuses what a handler wrote: repeating all of it would fail for ever. */
const isRefused = (error: unknown): boolean => /^2[23]/.test((error as { code?: string }).code ?? '');

/** Handles events, and sets the jobs of all their handlers in one statement. */
const handleTogether = async <Deps extends CoreDeps>(
  deps: Deps,
  policy: Policy<Deps>,
  retry: PolicyRetry<Deps>,
  decoded: Decoded<Recorded>,
): Promise<void> => {
  const jobs = new JobBatch();
  await handleEvents({ ...deps, jobs }, policy, retry, decoded);
  try {
    await jobs.write(deps.pool);
  } catch (error) {
    if (!isRefused(error)) throw error;
    // One by one, so that only the event whose job is at fault is left to the retry job.
    await handleEvents({ ...deps, jobs: deps.pool }, policy, retry, decoded);
  }
};

/** @param onHandled called each time that events were handled */
export const createPolicyQueue = <Deps extends CoreDeps>(
  deps: Deps,
  policy: Policy<Deps>,
  retry: PolicyRetry<Deps>,
  signal: AbortSignal,
  onHandled: () => void,
): PolicyQueue => {
  let waiting: Portion[] = [];
  let added: Position | undefined;
  let handled: Reached | undefined;
  const reach = ({ position, last }: Reached) => {
    handled = { position, last };
  };
  let running: Promise<void> | undefined;

  /** Again until it succeeds. @returns false when the signal fired first */
  const succeeds = async (decoded: Decoded<Recorded>): Promise<boolean> => {
    for (const backoff = createBackoff(); !signal.aborted; )
      try {
        await handleTogether(deps, policy, retry, decoded);
        return true;
      } catch (err) {
        const waitMs = backoff.next();
        deps.log.warn({ err, policy: policy.name, waitMs }, 'a policy could not handle its events, and repeats them');
        await sleep(waitMs, signal);
      }
    return false;
  };
  let begunAt = Number.NEGATIVE_INFINITY;
  let nextAt = Number.NEGATIVE_INFINITY;
  const run = async (): Promise<void> => {
    while (waiting.length > 0 && !signal.aborted) {
      const waitMs = nextAt - performance.now();
      if (waitMs > 0) {
        await sleep(waitMs, signal);
        continue;
      }
      const portions = waiting;
      waiting = [];
      const events = portions.flatMap((portion) => portion.events);
      const unreadable = portions.flatMap((portion) => portion.unreadable);
      const now = performance.now();
      if (events.length > 1 || now - begunAt < PACE_MS) nextAt = now + PACE_MS;
      begunAt = now;
      if (!(await succeeds({ events, unreadable }))) break;
      reach(portions.at(-1) as Portion);
      onHandled();
    }
    running = undefined; // at once: what is added from here on is run anew
  };
  const idle = async (): Promise<void> => {
    await running;
  };
  const isFull = () => waiting.reduce((sum, portion) => sum + countOf(portion), 0) > MOST_WAITING;

  return {
    add: (portion) => {
      // What was not handled before the signal was let go: nothing after it counts as reached.
      if (signal.aborted || !isAfter(portion.position, added ?? null)) return;
      added = portion.position;
      if (countOf(portion) === 0 && !running) reach(portion);
      else {
        waiting.push(portion);
        running ??= run();
      }
    },
    added: () => added,
    handled: () => handled,
    isBusy: () => running !== undefined,
    isFull,
    hasRoom: async (until) => {
      while (isFull() && !until.aborted) await orAborted(idle(), until);
    },
    idle,
  };
};
