/** All metrics, declared once. Names and labels are a public interface: dashboards and alerts depend on them. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export const registry = new Registry();

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const COUNTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000];

const counter = <const L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
  new Counter<L>({ name, help, labelNames: [...labelNames], registers: [registry] });
/** The values of each label, where all are known. */
type Values = Readonly<Record<string, readonly string[]>>;
type LabelsOf<V extends Values> = { readonly [Label in keyof V]: V[Label][number] };
interface CounterOf<V extends Values> {
  inc(labels: LabelsOf<V>, by?: number): void;
  get: Counter['get'];
}

const combinationsOf = (values: Values): Record<string, string>[] =>
  Object.entries(values).reduce<Record<string, string>[]>(
    (made, [label, options]) => made.flatMap((labels) => options.map((option) => ({ ...labels, [label]: option }))),
    [{}],
  );

/**
 * A counter that has a sample of every kind from the start: an alarm on growth does not see the first of a kind otherwise.
 * @param values of each label
 */
const counterOf = <const V extends Values>(name: string, help: string, values: V): CounterOf<V> => {
  const made = counter(name, help, Object.keys(values));
  for (const labels of combinationsOf(values)) made.inc(labels, 0);
  return made;
};
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
  commandConflicts: counter(
    'command_conflicts_total',
    'Appends refused because the stream had changed since it was read.',
    ['category'],
  ),
  snapshots: counterOf(
    'snapshots_total',
    'Snapshots of long streams: used, written, skipped, or deleted because they were damaged or did not fit the log.',
    { outcome: ['used', 'written', 'skipped', 'deleted'] },
  ),

  storeFaults: counter(
    'store_faults_total',
    'What failed because a store was away, by the text of its line in the log, which is written once for each outage.',
    ['message'],
  ),

  healthFaults: gauge('health_faults', 'Lines in `/health` of a process: what is wrong with it, by alert.', [
    'alert',
    'about',
  ]),
  checkFailing: gauge('check_failing', 'Parts outside that a check cannot use now: its line in the log says why.', [
    'check',
  ]),
  checkFailures: counter('check_failures_total', 'Attempts of a check that have failed.', ['check']),

  logLinesDropped: counter(
    'log_lines_dropped_total',
    'Lines of the log that were lost because the output could not be written: a full disk, or nobody reads it.',
  ),

  eventstoreAppendSeconds: histogram('eventstore_append_seconds', 'Time of one append.', ['outcome']),
  eventstoreReconnects: counter('eventstore_reconnects_total', 'Subscriptions reopened after a lost connection.', [
    'subscription',
  ]),
  eventstoreFellBehind: counter(
    'eventstore_fell_behind_total',
    'Subscriptions resumed after the server ended them because they fell behind a burst of events.',
    ['subscription'],
  ),

  personalKeysMissing: counter(
    'personal_keys_missing_total',
    'Personal data keys that were looked up and are missing: restore ops.vault_keys from a newer backup.',
  ),
  personalKeysDamaged: counter(
    'personal_keys_damaged_total',
    'Personal data keys whose row was altered: restore it from a backup.',
  ),
  orphanClaims: counter(
    'orphan_claims_released_total',
    'Claims of e-mail addresses, phone numbers and identities that their account did not show: they are free again.',
  ),
  eventsUnreadable: counter(
    'events_unreadable_total',
    'Events that a consumer could not read: they are parked or left to a job.',
    ['consumer'],
  ),

  clockSkewSeconds: gauge(
    'clock_skew_seconds',
    'Seconds by which the clock of this process is ahead of that of the database.',
  ),

  projectionPosition: gauge('projection_position', 'Commit position of the last handled event.', ['group']),
  projectionLagSeconds: gauge(
    'projection_lag_seconds',
    'Seconds behind the log: age of the oldest event that the group has not handled, or 0 when up to date.',
    ['group'],
  ),
  projectionBatch: histogram('projection_batch_events', 'Events in one batch.', ['group'], COUNTS),
  projectionBatchSeconds: histogram('projection_batch_seconds', 'Time to write one batch.', ['group']),
  projectionParked: gauge('projection_parked', 'Streams parked because an event could not be applied.', ['model']),
  projectionActive: gauge('projection_active', '1 while this process holds the lease of the group.', ['group']),
  rebuildEvents: gauge('projection_rebuild_events', 'Events a running rebuild has read.', ['model']),

  backupTaken: gauge('backup_taken_seconds', 'When the newest scheduled backup was taken, in seconds since 1970.'),
  backupFailures: gauge('backup_failures', 'Attempts of the scheduled backup that failed since one succeeded.'),

  retentionOldest: gauge(
    'retention_oldest_seconds',
    'Age of the oldest row of a table whose rows are kept for a period, counted as the period is.',
    ['table'],
  ),
  retentionPeriod: gauge('retention_period_seconds', 'The period for which rows of a table are kept.', ['table']),

  jobsParked: gauge('jobs_parked', 'Jobs parked after too many failures: an operator must retry them.'),
  jobsHanging: gauge(
    'jobs_hanging',
    'Jobs that have run for ten minutes, or archives of exports for two hours: this worker does not run them again before a restart.',
    ['kind'],
  ),
  jobsFailing: gauge('jobs_failing', 'Urgent jobs that keep failing: they are repeated until they succeed.', ['kind']),
  sellerNotices: counterOf('seller_notices_total', 'Text messages to sellers about bookings that could not be sent.', {
    outcome: ['failed'],
  }),
  sosNotices: counterOf('sos_notices_total', 'Text messages to rescuers about SOS requests.', {
    outcome: ['sent', 'failed', 'no_phone'],
  }),
  pushDeliveries: counterOf(
    'push_deliveries_total',
    'Push messages to devices; `later` are attempts that failed for now.',
    {
      service: ['fcm', 'apns', 'web'],
      outcome: ['delivered', 'later', 'dead', 'refused', 'expired', 'gone', 'unwanted'],
    },
  ),
  mails: counterOf('mails_total', 'E-mails that were sent or given up, and attempts that were put off.', {
    outcome: [
      'sent',
      'delayed',
      'unanswered',
      'kept',
      'refused',
      'bounced',
      'complained',
      'expired',
      'no_address',
      'undeliverable',
      'no_consent',
    ],
  }),
  reviewNeeded: counterOf('review_needed_total', 'What a person must review.', {
    what: [
      'refund',
      'payment_mismatch',
      'duplicate_charge',
      'notification',
      'receipt',
      'pass_chargeback',
      'voice event',
      'reconciliation',
    ],
  }),
  policyHandled: counter('policy_events_total', 'Events that policies have handled.', ['policy', 'outcome']),

  securityEvents: counter('security_events_total', 'What looks like an attack: see the log lines with `security`.', [
    'event',
  ]),

  hubSockets: gauge('hub_sockets', 'Open WebSocket connections.'),
  hubSubscriptions: gauge('hub_subscriptions', 'Open channel subscriptions.'),
  hubOffset: gauge('hub_offset', 'Number of the last change sent out.'),
  hubDelivered: counter('hub_delivered_total', 'Messages sent to sockets.'),
  ephemeralDropped: counter('ephemeral_dropped_total', 'Ephemeral messages that could not be sent to the hubs.'),
  hubDropped: counter('hub_dropped_total', 'Sockets closed by the hub.', ['reason']),
} as const;

/** Collects metrics of the process itself: memory, event loop, CPU. Call it once, in the process that serves them. */
export const collectProcessMetrics = (role: string): void => {
  registry.setDefaultLabels({ role });
  collectDefaultMetrics({ register: registry });
};
