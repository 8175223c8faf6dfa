/**
 * Watches the consumers of the log from outside: measures their lag, and reports those that have stopped. A consumer has
 * stopped when events wait for it and its checkpoint does not move.
 */
import { formatPosition } from '../eventstore/checkpoints.ts';
import type { EventStore } from '../eventstore/client/index.ts';
import { type ConsumerLag, consumerLags } from '../eventstore/lag.ts';
import type { Logger } from '../infra/log.ts';
import { metrics } from '../infra/metrics.ts';
import type { Pool } from '../infra/postgres.ts';
import { sleep } from '../infra/retry.ts';

export interface WatchOptions {
  readonly everyMs?: number;
  /** How long events may wait while the checkpoint does not move. */
  readonly patienceMs?: number;
  /** More to measure at the same times. */
  readonly measure?: () => Promise<void>;
}

export interface ConsumerWatch {
  /** One line for each consumer that has stopped. */
  faults(): readonly string[];
  stop(): Promise<void>;
}

/** When a consumer was last seen at another position, or with nothing to do. */
interface Seen {
  readonly position: string;
  readonly movedAt: number;
}

const EVERY_MS = 5_000;
const PATIENCE_MS = 30_000;

/** Measures the consumers with these names until it is stopped. */
export const watchConsumers = (
  deps: { readonly pool: Pool; readonly store: EventStore; readonly log: Logger },
  names: readonly string[],
  { everyMs = EVERY_MS, patienceMs = PATIENCE_MS, measure }: WatchOptions = {},
): ConsumerWatch => {
  const stopping = new AbortController();
  const seen = new Map<string, Seen>();
  let measuredAt = performance.now();

  const note = ({ name, position, events, seconds }: ConsumerLag): void => {
    metrics.projectionLagSeconds.set({ group: name }, seconds);
    const at = position === null ? '' : formatPosition(position);
    const before = seen.get(name);
    if (events === 0 || before?.position !== at) seen.set(name, { position: at, movedAt: measuredAt });
  };
  const stopped = (): string[] =>
    [...seen].filter(([, { movedAt }]) => measuredAt - movedAt > patienceMs).map(([name]) => name);

  const watching = (async () => {
    let known = '';
    while (!stopping.signal.aborted) {
      try {
        const lags = await consumerLags(deps, names, 1);
        measuredAt = performance.now();
        lags.forEach(note);
        await measure?.();
      } catch (err) {
        deps.log.warn({ err }, 'the lag cannot be measured');
      }
      const now = stopped().join(', ');
      if (now !== known && now !== '') deps.log.error({ consumers: now }, 'consumers of the log have stopped');
      known = now;
      await sleep(everyMs, stopping.signal);
    }
  })();

  return {
    faults: () =>
      performance.now() - measuredAt > patienceMs + everyMs
        ? ['The stores do not answer: the lag cannot be measured.']
        : stopped().map((name) => `${name} has stopped: events wait for it, and its checkpoint does not move.`),
    stop: async () => {
      stopping.abort();
      await watching;
    },
  };
};
