/** How the checks of what is outside are repeated and told. */
import { expect, test } from 'vitest';
import type { Logger } from '../../infra/log.ts';
import { registry } from '../../infra/metrics.ts';
import { OutsideFault } from '../../infra/outsideFault.ts';
import type { PartCheck } from '../../ops/checks/parts.ts';
import { watchParts } from '../../ops/checks/watch.ts';
import { readConfig } from '../../ops/config.ts';
import { until } from '../kit/until.ts';

const check = (run: () => Promise<unknown>): PartCheck => ({
  name: 'stub',
  asks: 'Is it there?',
  mayHappen: 'nothing works',
  roles: ['api'],
  toDo: 'Look at STUB_URL',
  attempts: () => [{ part: 'the stub', run }],
});

test('a fault is told once, counted each time, shown without its reason to everybody, and over when it is over', async () => {
  const lines: [level: string, message: string][] = [];
  const write = (level: string) => (_: object, message: string) => void lines.push([level, message]);
  const log = { info: write('info'), error: write('error'), warn: write('warn') } as unknown as Logger;
  let isWrong = true;
  let tries = 0;
  const stub = check(async () => {
    tries += 1;
    if (isWrong) throw new OutsideFault('it is at 10.0.0.7 and says no');
  });
  const watch = watchParts(readConfig({}), 'api', log, [stub], { everyMs: 5, againMs: 5 });
  try {
    await until(() => tries > 3);
    expect(watch.remarks()).toEqual([
      'the stub cannot be used: it is at 10.0.0.7 and says no: nothing works. Look at STUB_URL.',
    ]);
    expect(watch.brief()).toEqual(['The check "stub" fails: the log of the process has the reason.']);
    expect(lines).toEqual([['error', 'a check has failed']]);
    expect(await registry.metrics()).toMatch(/check_failing\{check="stub"\S*\} 1\n/);
    expect(await registry.metrics()).toMatch(/check_failures_total\{check="stub"\S*\} [3-9]/);
    isWrong = false;
    await until(() => watch.remarks().length === 0);
    expect(watch.brief()).toEqual([]);
    expect(lines.slice(1)).toEqual([['info', 'over: a check has failed']]);
  } finally {
    await watch.stop();
  }
});

test('only the roles that use a part repeat its check', async () => {
  let tries = 0;
  const watch = watchParts(readConfig({}), 'policies', {} as Logger, [check(async () => (tries += 1))]);
  await watch.stop();
  expect(tries).toBe(0);
});
