/** What is logged while a store is away. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLogger } from '../../infra/log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('an outage is one line without a stack when it begins, and one with their number when it is over', () => {
  const lines: { msg: string; times?: number; seconds?: number; err?: { stack?: string } }[] = [];
  const log = createLogger({ destination: { write: (line) => void lines.push(JSON.parse(line)) } });
  const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  for (let n = 0; n < 5; n += 1) {
    log.error({ err: away(), request_id: n }, 'request failed');
    vi.advanceTimersByTime(2_000);
  }
  expect(lines.map(({ msg }) => msg)).toEqual(['request failed']);
  expect(lines[0]?.err?.stack).toBeUndefined();
  log.error({ err: new Error('a bug') }, 'request failed');
  expect(lines[1]?.err?.stack).toContain('outages.unit.spec');
  vi.advanceTimersByTime(10_000);
  expect(lines[2]).toMatchObject({ msg: 'over: request failed', times: 5, seconds: 8, error_code: 'ECONNREFUSED' });
  log.error({ err: away() }, 'request failed');
  expect(lines).toHaveLength(4);
});
