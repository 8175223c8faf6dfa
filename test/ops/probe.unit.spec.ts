/** `/health` of a worker, and the clock that it compares with the database's. */
import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { createLogger } from '../../infra/log.ts';
import { collectReports } from '../../ops/childReports.ts';
import { createClockCheck } from '../../ops/clock.ts';
import { freePort } from '../../ops/ports.ts';
import { serveProbe } from '../../ops/probe.ts';

it('says degraded and why, and still answers 200, because a restart would not help', async () => {
  const faults: string[] = [];
  const port = await freePort('127.0.0.1');
  const log = createLogger({ level: 'silent' });
  const probe = await serveProbe({ host: '127.0.0.1', port, role: 'worker', log, faults: () => faults });
  const health = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/health`);
    return [response.status, await response.json()];
  };
  expect(await health()).toEqual([200, { role: 'worker', status: 'ok' }]);
  faults.push('read-models has stopped');
  expect(await health()).toEqual([200, { role: 'worker', status: 'degraded', faults }]);
  await probe.stop();
});

/** A process that answers to its supervisor, or is frozen. */
const aChild = (answer?: readonly string[]): ChildProcess => {
  const child = Object.assign(new EventEmitter(), {
    connected: true,
    send: ({ id }: { id: number }) =>
      answer && child.emit('message', { kind: 'report', id, report: { metrics: [], faults: answer } }),
  });
  return child as unknown as ChildProcess;
};

it('has the faults of all children, of which a frozen one is one', async () => {
  const reports = collectReports();
  const [worker, api, ended] = [aChild(['read-models has stopped']), aChild(), aChild()];
  reports.onFork(worker, 'worker');
  reports.onFork(api, 'api');
  reports.onFork(ended, 'realtime');
  ended.emit('exit');
  expect(await reports.faults()).toEqual(['worker: read-models has stopped', 'api: The process does not answer.']);
});

it('a clock that differs from the database is logged once, and reported until it agrees', async () => {
  const lines: string[] = [];
  const log = createLogger({ destination: { write: (line) => lines.push(line) } });
  let ahead = 0;
  const { check, faults } = createClockCheck(async () => ahead, log);
  await check();
  expect([lines.length, faults()]).toEqual([0, []]);
  ahead = 3_600;
  await check();
  await check();
  expect(lines).toHaveLength(1);
  expect(faults()).toEqual([expect.stringContaining('differs by 3600 s')]);
  ahead = 0;
  await check();
  expect(faults()).toEqual([]);
});
