/** `/health` and `/ready` of a worker and of the supervisor. */
import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { createLogger } from '../../infra/log.ts';
import { collectReports } from '../../ops/childReports.ts';
import type { HealthLine } from '../../ops/healthLine.ts';
import { freePort } from '../../ops/ports.ts';
import { type Condition, conditionOf, serveProbe } from '../../ops/probe.ts';

const clock: HealthLine = { alert: 'ClockWrong', about: 'clock', text: 'The clock differs' };
const stopped: HealthLine = { alert: 'ReadModelsBehind', about: 'read models', text: 'read-models has stopped' };

it('says degraded and why with 200, because a restart would not help; faults alone make it not ready', async () => {
  const faults: HealthLine[] = [];
  const remarks: HealthLine[] = [];
  const port = await freePort('127.0.0.1');
  const log = createLogger({ level: 'silent' });
  const probe = await serveProbe({
    host: '127.0.0.1',
    port,
    role: 'worker',
    log,
    condition: () => ({ faults, remarks }),
  });
  const ask = async (path: 'health' | 'ready') => {
    const response = await fetch(`http://127.0.0.1:${port}/${path}`);
    return [response.status, await response.json()];
  };
  for (const path of ['health', 'ready'] as const)
    expect(await ask(path)).toEqual([200, { role: 'worker', status: 'ok' }]);
  remarks.push(clock);
  const remarked = {
    role: 'worker',
    status: 'degraded',
    faults: [clock.text],
    runbook: ['docs/runbook.md#clockwrong'],
  };
  expect([await ask('health'), await ask('ready')]).toEqual([
    [200, remarked],
    [200, remarked],
  ]);
  faults.push(stopped);
  const degraded = {
    ...remarked,
    faults: [stopped.text, clock.text],
    runbook: ['docs/runbook.md#readmodelsbehind', 'docs/runbook.md#clockwrong'],
  };
  expect([await ask('health'), await ask('ready')]).toEqual([
    [200, degraded],
    [503, degraded],
  ]);
  await probe.stop();
});

/** A process that answers to its supervisor, or is frozen. */
const aChild = (condition?: Condition): ChildProcess => {
  const child = Object.assign(new EventEmitter(), {
    connected: true,
    send: ({ id }: { id: number }) =>
      condition && child.emit('message', { kind: 'report', id, report: { metrics: [], condition } }),
  });
  return child as unknown as ChildProcess;
};

it('the supervisor has what is wrong with all children, of which a frozen one is a fault', async () => {
  const reports = collectReports();
  const worker = aChild({ faults: [stopped], remarks: [clock] });
  const [api, ended] = [aChild(), aChild()];
  reports.onFork(worker, 'worker');
  reports.onFork(api, 'api');
  reports.onFork(ended, 'realtime');
  ended.emit('exit');
  expect(await reports.condition()).toEqual({
    faults: [
      { ...stopped, text: 'worker: read-models has stopped' },
      { alert: 'ProcessDown', about: 'a process', text: 'api: The process does not answer.' },
    ],
    remarks: [{ ...clock, text: 'worker: The clock differs' }],
  });
});

it('a fault that two roles of a process have is said once', () => {
  const role = { faults: () => [stopped], stop: async () => undefined };
  expect(conditionOf([role, role])).toEqual({ faults: [stopped], remarks: [] });
});
