/** How a process sees alerts in its own metrics, as Prometheus would. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../domain/core/instants.ts';
import { registry } from '../../infra/metrics.ts';
import { createAlertWatch } from '../../ops/alerts/seen.ts';

/** Metrics of the same names as those of the product, which other specs have counted up. */
const own = new Registry();
interface Options {
  name: string;
  help: string;
  labelNames: string[];
  registers: Registry[];
  buckets: number[];
}
const like = <M>(make: new (options: Options) => M, name: string, ...labelNames: string[]): M => {
  expect(registry.getSingleMetric(name)).toBeDefined();
  return new make({ name, help: name, labelNames, registers: [own], buckets: [0.5, 1, 5] });
};
const metrics = {
  reviewNeeded: like(Counter, 'review_needed_total', 'what'),
  eventsUnreadable: like(Counter, 'events_unreadable_total', 'consumer'),
  projectionLagSeconds: like(Gauge, 'projection_lag_seconds', 'group'),
  clockSkewSeconds: like(Gauge, 'clock_skew_seconds'),
  healthFaults: like(Gauge, 'health_faults', 'alert', 'about'),
  httpSeconds: like(Histogram, 'http_request_seconds', 'method', 'route', 'status'),
  backupTaken: like(Gauge, 'backup_taken_seconds'),
  backupFailures: like(Gauge, 'backup_failures'),
  retentionPeriod: like(Gauge, 'retention_period_seconds', 'table'),
  retentionOldest: like(Gauge, 'retention_oldest_seconds', 'table'),
  mails: like(Counter, 'mails_total', 'outcome'),
};

let now = 0;
const look = createAlertWatch({ from: own, now: () => now });
const names = async () => (await look()).map(({ alert, about }) => (about === '' ? alert : `${alert} ${about}`));

test('all is well at the start', async () => {
  expect(await names()).toEqual([]);
});

test('a counter that grows is seen for its period, the first of a kind included', async () => {
  metrics.reviewNeeded.inc({ what: 'refund' });
  metrics.eventsUnreadable.inc({ consumer: 'bookings' });
  expect(await names()).toEqual(['ReviewNeeded refund', 'EventsUnreadable bookings']);
  now += 9 * MINUTE_MS;
  expect(await names()).toEqual(['ReviewNeeded refund', 'EventsUnreadable bookings']);
  now += 2 * MINUTE_MS;
  await look();
  now += 9 * MINUTE_MS;
  expect(await names()).toEqual([]);
});

test('a gauge is seen as long as it is too high', async () => {
  metrics.projectionLagSeconds.set({ group: 'read-models:chat' }, 20);
  metrics.projectionLagSeconds.set({ group: 'policy:mail' }, 20);
  metrics.clockSkewSeconds.set(-9);
  expect(await look()).toEqual([
    { alert: 'ReadModelsBehind', about: 'read-models:chat', value: 20 },
    { alert: 'ClockWrong', about: '', value: 9 },
  ]);
  metrics.projectionLagSeconds.set({ group: 'read-models:chat' }, 0);
  metrics.clockSkewSeconds.set(0);
  expect(await names()).toEqual([]);
});

test('lines of /health are seen under what they name', async () => {
  metrics.healthFaults.set({ alert: 'StoreAway', about: 'PostgreSQL' }, 1);
  metrics.healthFaults.set({ alert: 'MailKept', about: 'e-mails' }, 1);
  expect(await names()).toEqual(['StoreAway PostgreSQL', 'MailKept e-mails']);
  metrics.healthFaults.reset();
  expect(await names()).toEqual([]);
});

test('slow and refused requests are seen as a share of all of them', async () => {
  const answer = (status: string, seconds: number, times: number) => {
    for (let i = 0; i < times; i += 1)
      metrics.httpSeconds.observe({ method: 'GET', route: '/api/v1/hotels', status }, seconds);
  };
  answer('200', 0.01, 1_000);
  answer('503', 0.01, 10);
  answer('200', 3, 40);
  expect(await names()).toEqual([]);
  answer('503', 0.01, 20);
  answer('200', 3, 40);
  expect(await names()).toEqual(['RequestsRefused', 'RequestsSlow']);
  now += 6 * MINUTE_MS;
  await look();
  now += 6 * MINUTE_MS;
  expect(await names()).toEqual([]);
});

test('an old backup, rows that are kept too long, and a mail server that takes nothing are seen', async () => {
  metrics.backupTaken.set(Date.now() / 1_000 - 40 * 3_600);
  metrics.backupFailures.set(3);
  metrics.retentionPeriod.set({ table: 'ops.sessions' }, 86_400);
  metrics.retentionOldest.set({ table: 'ops.sessions' }, 3 * 86_400);
  metrics.mails.inc({ outcome: 'delayed' });
  expect(await names()).toEqual(['BackupOld', 'BackupFails', 'RetentionLate ops.sessions', 'MailWaits']);
  metrics.backupTaken.set(Date.now() / 1_000);
  metrics.backupFailures.set(0);
  metrics.retentionOldest.set({ table: 'ops.sessions' }, 0);
  metrics.mails.inc({ outcome: 'sent' });
  expect(await names()).toEqual([]);
});
