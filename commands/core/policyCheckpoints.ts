/** Saves the checkpoints of policies: all that have moved in one statement, and no two statements at once. */
import { saveCheckpoints } from '../../eventstore/checkpoints.ts';
import { isAfter } from '../../eventstore/subscribe.ts';
import type { Lease } from '../../infra/leases.ts';
import { createBackoff, sleep } from '../../infra/retry.ts';
import type { CoreDeps } from './deps.ts';
import type { PolicyQueue, Reached } from './policyQueue.ts';

export interface Saver {
  /** Saves soon what has moved. */
  request(): void;
  /** Saves what has moved, and ends. */
  end(): Promise<void>;
}

/** How long a policy that is done waits for others that are busy, so that they are saved together. */
const SETTLE_MS = 50;
/** Under load, one statement saves what was handled within this time. A crash has it handled again. */
const EVERY_MS = 100;

export const createSaver = (
  { pool, log }: Pick<CoreDeps, 'pool' | 'log'>,
  queues: ReadonlyMap<Lease, PolicyQueue>,
): Saver => {
  const saved = new Map<Lease, Reached>();
  let savedAt = Number.NEGATIVE_INFINITY;
  const ended = new AbortController();
  let running: Promise<void> | undefined;

  const moved = () =>
    [...queues].flatMap(([lease, queue]) => {
      const reached = queue.handled();
      return reached && isAfter(reached.position, saved.get(lease)?.position ?? null) ? [{ lease, ...reached }] : [];
    });
  const save = async (): Promise<void> => {
    const reached = moved();
    if (reached.length === 0) return;
    await saveCheckpoints(pool, reached);
    for (const { lease, ...one } of reached) saved.set(lease, one);
  };
  const run = async (): Promise<void> => {
    for (const backoff = createBackoff(); moved().length > 0 && !ended.signal.aborted; )
      try {
        const isBusy = [...queues.values()].some((queue) => queue.isBusy());
        const waitMs = Math.max(isBusy ? SETTLE_MS : 0, savedAt + EVERY_MS - performance.now());
        if (waitMs > 0) await sleep(waitMs, ended.signal);
        await save();
        savedAt = performance.now();
        backoff.reset();
      } catch (err) {
        log.warn({ err }, 'the checkpoints of policies were not saved');
        await sleep(backoff.next(), ended.signal);
      }
    running = undefined; // at once: what moves from here on is requested anew
  };

  return {
    request: () => {
      if (!running && !ended.signal.aborted && moved().length > 0) running = run();
    },
    end: async () => {
      ended.abort();
      await running;
      await save().catch((err: unknown) =>
        log.warn({ err }, 'checkpoints were not saved: the events after them are handled again'),
      );
    },
  };
};
