/**
 * The metrics of a system whose roles are processes of one machine: the supervisor asks every child. Each series has a
 * `role` label.
 */
import type { ChildProcess } from 'node:child_process';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import type { Logger } from '../infra/log.ts';
import { registry } from '../infra/metrics.ts';
import { withTimeout } from '../infra/retry.ts';

type Snapshot = MetricObjectWithValues<MetricValue<string>>[];
type Message =
  | { readonly kind: 'snapshot request'; readonly id: number }
  | { readonly kind: 'snapshot'; readonly id: number; readonly snapshot: Snapshot };

/** A child that takes longer is left out of the reply. */
const SNAPSHOT_MS = 1_000;
let questions = 0;

const snapshotOf = (child: ChildProcess): Promise<Snapshot> => {
  questions += 1;
  const id = questions;
  let onMessage: (message: Message) => void = () => undefined;
  const answered = new Promise<Snapshot>((resolve) => {
    onMessage = (message) => {
      if (message.kind === 'snapshot' && message.id === id) resolve(message.snapshot);
    };
  });
  child.on('message', onMessage);
  if (child.connected) child.send({ kind: 'snapshot request', id }, () => undefined);
  return withTimeout(answered, SNAPSHOT_MS, 'no snapshot in time').finally(() => child.off('message', onMessage));
};

export interface WholeMetrics {
  /** To be called with every forked child. */
  readonly onFork: (child: ChildProcess) => void;
  /** The metrics of all children that answer, in the Prometheus text format. */
  readonly text: () => Promise<string>;
}

/** For the supervisor. */
export const collectMetrics = (): WholeMetrics => {
  const children = new Set<ChildProcess>();
  return {
    onFork: (child) => {
      children.add(child);
      child.once('exit', () => children.delete(child));
    },
    text: async () => {
      const asked = await Promise.allSettled([...children].map(snapshotOf));
      const snapshots = asked.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      return AggregatorRegistry.aggregate(snapshots).metrics();
    },
  };
};

/** For a child: sends its metrics to the supervisor when asked. */
export const shareMetrics = (log: Logger): void => {
  process.on('message', (message: Message) => {
    if (message.kind !== 'snapshot request') return;
    registry.getMetricsAsJSON().then(
      (snapshot) => {
        if (process.connected) process.send?.({ kind: 'snapshot', id: message.id, snapshot });
      },
      (err: unknown) => log.warn({ err }, 'cannot read metrics'),
    );
  });
};
