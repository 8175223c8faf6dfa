/**
 * What the supervisor of a system whose roles are processes of one machine asks them: their metrics, of which each series has
 * a `role` label, and what is wrong with them.
 */
import type { ChildProcess } from 'node:child_process';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import type { Logger } from '../infra/log.ts';
import { registry } from '../infra/metrics.ts';
import { withTimeout } from '../infra/retry.ts';
import type { HealthLine } from './healthLine.ts';
import type { Condition } from './probe.ts';

interface Report {
  readonly metrics: MetricObjectWithValues<MetricValue<string>>[];
  readonly condition: Condition;
}
type Message =
  | { readonly kind: 'report request'; readonly id: number }
  | { readonly kind: 'report'; readonly id: number; readonly report: Report };

/** A child that takes longer does not answer. */
const ANSWER_MS = 1_000;
const SILENT: Condition = {
  faults: [{ alert: 'ProcessDown', about: 'a process', text: 'The process does not answer.' }],
  remarks: [],
};
let questions = 0;

const reportOf = (child: ChildProcess): Promise<Report> => {
  questions += 1;
  const id = questions;
  let onMessage: (message: Message) => void = () => undefined;
  const answered = new Promise<Report>((resolve) => {
    onMessage = (message) => {
      if (message.kind === 'report' && message.id === id) resolve(message.report);
    };
  });
  child.on('message', onMessage);
  if (child.connected) child.send({ kind: 'report request', id }, () => undefined);
  return withTimeout(answered, ANSWER_MS, 'no report in time').finally(() => child.off('message', onMessage));
};

export interface ChildReports {
  /** To be called with every forked child. */
  readonly onFork: (child: ChildProcess, role: string) => void;
  /** The metrics of all children that answer, in the Prometheus text format. */
  readonly metrics: () => Promise<string>;
  /** What is wrong with all children, each line with its role; that one does not answer is a fault. */
  readonly condition: () => Promise<Condition>;
}

/** For the supervisor. */
export const collectReports = (): ChildReports => {
  const children = new Map<ChildProcess, string>();
  return {
    onFork: (child, role) => {
      children.set(child, role);
      child.once('exit', () => children.delete(child));
    },
    metrics: async () => {
      const asked = await Promise.allSettled([...children.keys()].map(reportOf));
      const reports = asked.flatMap((result) => (result.status === 'fulfilled' ? [result.value.metrics] : []));
      return AggregatorRegistry.aggregate(reports).metrics();
    },
    condition: async () => {
      const asked = [...children].map(async ([child, role]) => {
        const { faults, remarks } = await reportOf(child).then(
          ({ condition }) => condition,
          () => SILENT,
        );
        const named = (lines: readonly HealthLine[]) =>
          lines.map((line) => ({ ...line, text: `${role}: ${line.text}` }));
        return { faults: named(faults), remarks: named(remarks) };
      });
      const found = await Promise.all(asked);
      return { faults: found.flatMap(({ faults }) => faults), remarks: found.flatMap(({ remarks }) => remarks) };
    },
  };
};

/** For a child: sends its report to the supervisor when asked. */
export const sendReports = (log: Logger, condition: () => Condition): void => {
  process.on('message', (message: Message) => {
    if (message.kind !== 'report request') return;
    registry.getMetricsAsJSON().then(
      (metrics) => {
        const report = { metrics, condition: condition() };
        if (process.connected) process.send?.({ kind: 'report', id: message.id, report });
      },
      (err: unknown) => log.warn({ err }, 'cannot read metrics'),
    );
  });
};
