/**
 * `/metrics` of a system whose roles are processes of one machine: any role answers for all of them. The role asks the
 * supervisor, which collects the metrics of every child; each series has a `role` label.
 */
import type { ChildProcess } from 'node:child_process';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import type { Logger } from '../infra/log.ts';
import { answerMetricsWith, registry } from '../infra/metrics.ts';
import { withTimeout } from '../infra/retry.ts';

type Snapshot = MetricObjectWithValues<MetricValue<string>>[];
type Message =
  | { readonly kind: 'metrics request'; readonly id: number }
  | { readonly kind: 'snapshot request'; readonly id: number }
  | { readonly kind: 'snapshot'; readonly id: number; readonly snapshot: Snapshot }
  | { readonly kind: 'metrics'; readonly id: number; readonly snapshots: Snapshot[] };
type Answer<K extends Message['kind']> = Extract<Message, { kind: K }>;

/** The interface that both ends share: a child process in its parent, and the child's own `process`. */
interface Peer {
  readonly connected?: boolean;
  send?(message: Message, done: () => void): unknown;
  on(event: 'message', listener: (message: Message) => void): unknown;
  off(event: 'message', listener: (message: Message) => void): unknown;
}

/** A child that takes longer is left out of the reply. */
const SNAPSHOT_MS = 1_000;
const METRICS_MS = 2_000;
let questions = 0;

/** The other end may have ended: every wait for an answer has a time limit. */
const send = (peer: Peer, message: Message): void => {
  if (peer.connected) peer.send?.(message, () => undefined);
};

/** Sends `kind` and waits for the answer with the same id. */
const ask = <K extends Message['kind']>(
  peer: Peer,
  kind: 'metrics request' | 'snapshot request',
  answer: K,
  ms: number,
) => {
  questions += 1;
  const id = questions;
  let onMessage: (message: Message) => void = () => undefined;
  const answered = new Promise<Answer<K>>((resolve) => {
    onMessage = (message) => {
      if (message.kind === answer && message.id === id) resolve(message as Answer<K>);
    };
  });
  peer.on('message', onMessage);
  send(peer, { kind, id });
  return withTimeout(answered, ms, `no ${answer} in time`).finally(() => peer.off('message', onMessage));
};

/** For the supervisor: call the returned function with every forked child. */
export const collectMetrics = (log: Logger): ((child: ChildProcess) => void) => {
  const children = new Set<ChildProcess>();
  const collect = async (): Promise<Snapshot[]> => {
    const asked = await Promise.allSettled(
      [...children].map((child) => ask(child, 'snapshot request', 'snapshot', SNAPSHOT_MS)),
    );
    return asked.flatMap((result) => (result.status === 'fulfilled' ? [result.value.snapshot] : []));
  };
  return (child) => {
    children.add(child);
    child.once('exit', () => children.delete(child));
    child.on('message', (message: Message) => {
      if (message.kind !== 'metrics request') return;
      collect().then(
        (snapshots) => send(child, { kind: 'metrics', id: message.id, snapshots }),
        (err: unknown) => log.warn({ err }, 'cannot collect metrics'),
      );
    });
  };
};

/** For a child: sends its own metrics to the supervisor, and reports those of the whole system. */
export const shareMetrics = (log: Logger): void => {
  const parent: Peer = process;
  parent.on('message', (message: Message) => {
    if (message.kind !== 'snapshot request') return;
    registry.getMetricsAsJSON().then(
      (snapshot) => send(parent, { kind: 'snapshot', id: message.id, snapshot }),
      (err: unknown) => log.warn({ err }, 'cannot read metrics'),
    );
  });
  answerMetricsWith(async () => {
    try {
      const { snapshots } = await ask(parent, 'metrics request', 'metrics', METRICS_MS);
      return await AggregatorRegistry.aggregate(snapshots).metrics();
    } catch (err) {
      log.warn({ err }, 'cannot collect the metrics of the system: only those of this process are reported');
      return registry.metrics();
    }
  });
};
