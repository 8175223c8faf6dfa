/** All metrics, declared once. Names and labels are a public interface: dashboards and alerts depend on them. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export const registry = new Registry();

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const COUNTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000];

const counter = <const L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
  new Counter<L>({ name, help, labelNames: [...labelNames], registers: [registry] });
const gauge = <const L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
  new Gauge<L>({ name, help, labelNames: [...labelNames], registers: [registry] });
const histogram = <const L extends string>(
  name: string,
  help: string,
  labelNames: readonly L[] = [],
  buckets: readonly number[] = SECONDS,
) => new Histogram<L>({ name, help, labelNames: [...labelNames], buckets: [...buckets], registers: [registry] });

export const metrics = {
  httpSeconds: histogram('http_request_seconds', 'Time to answer an HTTP request.', ['method', 'route', 'status']),

  commandSeconds: histogram('command_seconds', 'Time from command to appended events.', ['command', 'outcome']),
  commandConflicts: counter('command_conflicts_total', 'Appends refused because the stream had moved.', ['category']),

  eventstoreAppendSeconds: histogram('eventstore_append_seconds', 'Time of one append.', ['outcome']),
  eventstoreReconnects: counter('eventstore_reconnects_total', 'Subscriptions opened anew after a drop.', [
    'subscription',
  ]),

  projectionPosition: gauge('projection_position', 'Commit position of the last handled event.', ['group']),
  projectionLagSeconds: gauge('projection_lag_seconds', 'Age of the last handled event while behind, else 0.', [
    'group',
  ]),
  projectionBatch: histogram('projection_batch_events', 'Events in one batch.', ['group'], COUNTS),
  projectionBatchSeconds: histogram('projection_batch_seconds', 'Time to write one batch.', ['group']),
  projectionParked: gauge('projection_parked', 'Stream keys set aside after a failure.', ['model']),
  projectionActive: gauge('projection_active', '1 while this process holds the lease of the group.', ['group']),
  rebuildEvents: gauge('projection_rebuild_events', 'Events a running rebuild has read.', ['model']),

  jobsParked: gauge('jobs_parked', 'Jobs that have failed too often and wait for a person.'),
  reviewNeeded: counter('review_needed_total', 'Refunds and notifications of providers left to a person.', ['what']),
  policyHandled: counter('policy_events_total', 'Events that policies have acted on.', ['policy', 'outcome']),

  hubSockets: gauge('hub_sockets', 'Open sockets.'),
  hubSubscriptions: gauge('hub_subscriptions', 'Open channel subscriptions.'),
  hubOffset: gauge('hub_offset', 'Number of the last change sent out.'),
  hubDelivered: counter('hub_delivered_total', 'Messages sent to sockets.'),
  hubDropped: counter('hub_dropped_total', 'Sockets closed by us.', ['reason']),
} as const;

/** Collects metrics of the process itself: memory, event loop, CPU. Call it once, in the process that serves them. */
export const collectProcessMetrics = (role: string): void => {
  registry.setDefaultLabels({ role });
  collectDefaultMetrics({ register: registry });
};

let text = (): Promise<string> => registry.metrics();

/** The reply of `/metrics`, in the Prometheus text format. */
export const metricsText = (): Promise<string> => text();

/** Replaces the source of the metrics: in a system of several processes, one that asks them all. */
export const answerMetricsWith = (source: () => Promise<string>): void => {
  text = source;
};
