import { expect, it } from 'vitest';
import { metrics, registry } from '../../infra/metrics.ts';
import '../../infra/securityLog.ts';
import '../../realtime/hub/connection.ts';

it.each([
  'sos_notices_total{outcome="failed"}',
  'review_needed_total{what="refund"}',
  'push_deliveries_total{service="fcm",outcome="refused"}',
  'security_events_total{event="locked"}',
  'hub_dropped_total{reason="slow_consumer"}',
])('%s is 0 before anything has happened, so that an alarm sees the first', async (sample) => {
  expect((await registry.metrics()).split('\n')).toContain(`${sample} 0`);
});

it('a kind that is not declared is refused where it is counted', () => {
  // @ts-expect-error
  metrics.sosNotices.inc({ outcome: 'lost' }, 0);
});
