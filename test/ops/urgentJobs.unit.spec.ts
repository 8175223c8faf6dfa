/** That operators hear of urgent jobs that keep failing. */
import { expect, it } from 'vitest';
import type { FailingJobs } from '../../commands/core/jobs.ts';
import type { Logger } from '../../infra/log.ts';
import { registry } from '../../infra/metrics.ts';
import { createUrgentJobCheck } from '../../ops/urgentJobs.ts';

it('they are a fault, a metric, and a line in the log when they begin to fail', async () => {
  let failing: FailingJobs[] = [];
  const logged: unknown[] = [];
  const log = { error: (facts: object) => logged.push(facts) } as unknown as Logger;
  const { check, faults } = createUrgentJobCheck(async () => failing, log);
  await check();
  expect(faults()).toEqual([]);

  failing = [{ kind: 'sos_inbox', count: 2, last_error: 'no log' }];
  for (let repeated = 0; repeated < 2; repeated += 1) await check();
  expect(faults()).toEqual(['2 urgent jobs (sos_inbox) keep failing: no log']);
  expect(logged).toEqual([{ kind: 'sos_inbox', count: 2, lastError: 'no log' }]);
  expect(await registry.getSingleMetricAsString('jobs_failing')).toContain('jobs_failing{kind="sos_inbox"} 2');

  failing = [];
  await check();
  expect(faults()).toEqual([]);
  expect(await registry.getSingleMetricAsString('jobs_failing')).not.toContain('sos_inbox');
});
