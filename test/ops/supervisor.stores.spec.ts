import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../../infra/log.ts';
import { roleService } from '../../ops/roleProcess.ts';
import { createSupervisor, type Service, type Supervisor } from '../../ops/supervisor.ts';
import { until, WAIT_MS } from '../kit/until.ts';

const alive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('the supervisor', () => {
  let directory: string;
  let supervisor: Supervisor;
  let lines: { msg: string; service: string; why: string; wait_ms: number }[];
  let changes: number;
  let isDiskFull: boolean;

  const create = (minBackoffMs = 20) => {
    lines = [];
    changes = 0;
    isDiskFull = false;
    const log = createLogger({ destination: { write: (line) => lines.push(JSON.parse(line)) } });
    supervisor = createSupervisor({
      log,
      minBackoffMs,
      maxBackoffMs: minBackoffMs * 10,
      onChange: () => {
        changes += 1;
        if (isDiskFull) throw new Error('no space left on device');
      },
    });
    return supervisor;
  };
  /** A role that is one small script. */
  const script = async (name: string, body: string): Promise<Service> => {
    const file = join(directory, `${name}.mjs`);
    await writeFile(file, `setInterval(() => {}, 1000);\n${body}`);
    return roleService(name, file, { PATH: process.env.PATH }, { limits: { start: WAIT_MS, stop: 300 } });
  };
  const READY = `process.send({ kind: 'ready', address: 'at ' + process.env.ROLE });`;
  const pidOf = (name: string) => supervisor.running().get(name)?.pid ?? 0;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'resort-supervisor-'));
  });
  afterEach(() => supervisor.stop());
  afterAll(() => rm(directory, { recursive: true, force: true }));

  test('restarts a killed service without disturbing the others', async () => {
    create();
    const one = await supervisor.start(await script('one', READY));
    const other = await supervisor.start(await script('other', READY));
    expect(one.address).toBe('at one');
    process.kill(one.pid, 'SIGKILL');
    await until(() => pidOf('one') !== 0 && pidOf('one') !== one.pid);
    expect(pidOf('other')).toBe(other.pid);
    expect(changes).toBe(3);
    expect(lines.map(({ service, why }) => ({ service, why }))).toEqual([
      { service: 'one', why: 'ended with SIGKILL' },
    ]);
  });

  test('keeps a restarted service whose process id cannot be recorded', async () => {
    create();
    const one = await supervisor.start(await script('one', READY));
    isDiskFull = true;
    process.kill(one.pid, 'SIGKILL');
    await until(() => lines.some(({ msg }) => msg === 'the running services were not recorded'));
    const again = pidOf('one');
    expect(alive(again)).toBe(true);
    isDiskFull = false;
    await supervisor.start(await script('other', READY));
    expect(pidOf('one')).toBe(again);
    expect(lines.filter(({ why }) => why !== undefined)).toHaveLength(1);
  });

  test('restarts a service on request at once, without a warning and without touching the others', async () => {
    create();
    const one = await supervisor.start(await script('one', READY));
    const other = await supervisor.start(await script('other', READY));
    await supervisor.restart('one');
    await until(() => pidOf('one') !== 0 && pidOf('one') !== one.pid);
    expect(alive(one.pid)).toBe(false);
    expect(pidOf('other')).toBe(other.pid);
    expect(lines).toEqual([]);
  });

  test('restarts on request while the service waits for its next attempt', async () => {
    create(60_000); // longer than `until` waits
    let starts = 0;
    let exit: (why: string) => void = () => undefined;
    await supervisor.start({
      name: 'sick',
      start: async (onExit) => {
        starts += 1;
        exit = onExit;
        return { pid: starts, stop: async () => undefined };
      },
    });
    exit('ended with 1');
    await until(() => lines.length === 1);
    await supervisor.restart('sick');
    await until(() => pidOf('sick') === 2);
  });

  test('ignores a restart of a service that it does not have', async () => {
    create();
    await supervisor.restart('nobody');
    expect(supervisor.running().size).toBe(0);
  });

  test('waits longer after each failure, up to a maximum', async () => {
    create();
    let starts = 0;
    await supervisor.start({
      name: 'sick',
      start: async (onExit) => {
        starts += 1;
        if (starts % 2 === 0) throw new Error('cannot even start');
        setImmediate(onExit, 'ended with 1');
        return { pid: 0, stop: async () => undefined };
      },
    });
    await until(() => lines.length >= 6);
    const waits = lines.slice(0, 6).map((line) => line.wait_ms);
    expect(waits.slice(0, 4)).toEqual(waits.slice(0, 4).toSorted((a, b) => a - b));
    expect(Math.max(...waits)).toBeLessThanOrEqual(200);
    expect(Math.min(...waits.slice(4))).toBeGreaterThanOrEqual(100);
  });

  test('reports the message of a child whose first start fails, and does not repeat it', async () => {
    create();
    const failing = await script(
      'failing',
      `process.send({ kind: 'failed', why: 'PORT 1 is taken' }, () => process.exit(1));`,
    );
    await expect(supervisor.start(failing)).rejects.toThrow('PORT 1 is taken');
    await expect(supervisor.start(await script('silent', 'process.exit(7)'))).rejects.toThrow('ended with 7');
    expect(supervisor.running().size).toBe(0);
    expect(lines).toEqual([]);
  });

  test('stops in reverse order, and kills services that do not stop', async () => {
    create();
    const ended: string[] = [];
    const fake = (name: string): Service => ({
      name,
      start: async () => ({
        pid: 0,
        stop: async () => {
          ended.push(name);
        },
      }),
    });
    await supervisor.start(fake('first'));
    const deaf = await supervisor.start(await script('deaf', `process.on('SIGTERM', () => {}); ${READY}`));
    await supervisor.start(fake('last'));
    await supervisor.stop();
    expect(ended).toEqual(['last', 'first']);
    expect(alive(deaf.pid)).toBe(false);
    expect(lines).toEqual([]);
  });

  test('ends a service that is starting when it is stopped', async () => {
    create();
    const starting = supervisor.start(await script('slow', '/* never says that it is ready */'));
    const settled = expect(starting).rejects.toThrow('before it was ready');
    await supervisor.stop();
    await settled;
  });
});
