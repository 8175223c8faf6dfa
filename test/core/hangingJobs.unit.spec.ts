/** Jobs that do not end are reported. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { reportHanging } from '../../commands/core/hangingJobs.ts';
import { exportArchive } from '../../commands/privacy/archives.ts';
import { HOUR_MS } from '../../domain/core/instants.ts';
import type { Logger } from '../../infra/log.ts';
import { registry } from '../../infra/metrics.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const hanging = async () => registry.getSingleMetricAsString('jobs_hanging');

it('a job that runs for ten minutes is logged each time, and counted until it ends', async () => {
  const logged: object[] = [];
  const log = { error: (facts: object) => logged.push(facts) } as unknown as Logger;
  let end: (outcome: string) => void = () => undefined;
  const running = new Promise<string>((resolve) => {
    end = resolve;
  });
  const outcome = reportHanging({ kind: 'slow', id: '7' }, log, running);
  vi.advanceTimersByTime(599_000);
  expect(logged).toEqual([]);
  expect(await hanging()).not.toContain('kind="slow"');
  vi.advanceTimersByTime(1_000 + 600_000);
  expect(logged).toMatchObject([
    { kind: 'slow', id: '7', minutes: 10 },
    { kind: 'slow', id: '7', minutes: 20 },
  ]);
  expect(await hanging()).toContain('jobs_hanging{kind="slow"} 1');
  end('done');
  expect(await outcome).toBe('done');
  expect(await hanging()).toContain('jobs_hanging{kind="slow"} 0');
  vi.advanceTimersByTime(600_000);
  expect(logged).toHaveLength(2);
});

it('a job of a kind that may take longer is reported after that time', async () => {
  const logged: object[] = [];
  const log = { error: (facts: object) => logged.push(facts) } as unknown as Logger;
  void reportHanging({ kind: 'long', id: '8' }, log, new Promise(() => undefined), 2 * HOUR_MS);
  vi.advanceTimersByTime(2 * HOUR_MS - 1_000);
  expect(logged).toEqual([]);
  vi.advanceTimersByTime(1_000);
  expect(logged).toMatchObject([{ kind: 'long', id: '8', minutes: 120 }]);
});

it('an archive of much data may take longer than an hour, the limit for writing it', () => {
  expect(exportArchive.longestMs).toBeGreaterThan(HOUR_MS);
});
