/** A pool of processes whose jobs spin, fill the memory and the disk, crash and never answer. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JobLimits } from '../../infra/jobProcess.ts';
import { Overloaded } from '../../infra/keyedQueue.ts';
import { createLogger } from '../../infra/log.ts';
import { createProcessPool, JobKilled, type ProcessPoolOptions } from '../../infra/processPool.ts';
import { until } from '../kit/until.ts';

const entry = path.join(import.meta.dirname, 'pooledJobs.mjs');
const log = createLogger({ level: 'silent', role: 'test' });
const LONG = 600_000;
const roomy: JobLimits = { wallMs: LONG, cpuMs: LONG, memoryBytes: 1e9, outputBytes: 1e9 };
const poolWith = (limits: Partial<JobLimits> = {}, options: Partial<ProcessPoolOptions> = {}) =>
  createProcessPool({ entry, places: 2, log, limits: { ...roomy, ...limits }, ...options });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'resort-pool-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const killAll = (pids: readonly number[]) => {
  for (const pid of pids) process.kill(pid, 'SIGKILL');
};

it('does jobs one after the other in the same process, which gets none of our settings', async () => {
  const pool = poolWith();
  expect(await pool.run('anna', { do: 'echo', value: 1 }, [])).toBe(1);
  const pids = pool.pids();
  expect(await pool.run('boris', { do: 'echo', value: 2 }, [])).toBe(2);
  expect(pool.pids()).toEqual(pids);
  await expect(pool.run('anna', { do: 'fail' }, [])).rejects.toThrow('a bug');
  const names = (await pool.run('anna', { do: 'environment' }, [])) as string[];
  expect(names.filter((name) => !/^(NODE_CHANNEL|MALLOC_ARENA_MAX$|VIPS_|__CF)/.test(name))).toEqual([]);
  killAll(pool.pids());
  await until(() => pool.pids().length === 0);
  expect(await pool.run('anna', { do: 'echo', value: 3 }, [])).toBe(3);
});

it.each([
  ['spins', 'spin', { cpuMs: 300 }],
  ['fills the memory', 'fill', { memoryBytes: 300e6 }],
  ['writes without end', 'write', { outputBytes: 1e6 }],
  ['never answers', 'sleep', { wallMs: 3_000 }],
  ['crashes', 'crash', {}],
])('kills a process whose job %s, and goes on in another one', async (_, what, limits) => {
  const pool = poolWith(limits);
  const output = path.join(folder, what);
  await expect(pool.run('anna', { do: what, path: output }, [output])).rejects.toThrow(JobKilled);
  expect(await pool.run('boris', { do: 'echo', value: 1 }, [])).toBe(1);
});

it('shares its places by account, and refuses what would wait too long', async () => {
  const pool = poolWith({}, { waiting: 1, patienceMs: 400 });
  const stuck = Array.from({ length: 4 }, () => pool.run('anna', { do: 'spin' }, []).catch((error: unknown) => error));
  expect(await pool.run('boris', { do: 'echo', value: 1 }, [])).toBe(1);
  expect(pool.pids()).toHaveLength(2);
  // Three of the same account gave up waiting for the first.
  expect(await Promise.all(stuck.slice(1))).toEqual(Array(3).fill(expect.any(Overloaded)));
  stuck.push(pool.run('boris', { do: 'spin' }, []).catch((error: unknown) => error));
  const [waits, refused] = ['vera', 'gleb'].map((account) => pool.run(account, { do: 'echo' }, []));
  await expect(refused).rejects.toThrow(Overloaded);
  await expect(waits).rejects.toThrow(Overloaded);
  killAll(pool.pids());
  expect(await stuck[0]).toBeInstanceOf(JobKilled);
  expect(await pool.run('vera', { do: 'echo', value: 4 }, [])).toBe(4);
});

it('lets an account rest after a long job, and others go first', async () => {
  const pool = poolWith({ cpuMs: 1_500 }, { longMs: 500 });
  const told: string[] = [];
  const run = (account: string, what: string) =>
    pool.run(account, { do: what }, []).then(
      () => told.push(account),
      () => told.push(`${account} was killed`),
    );
  await Promise.all([run('anna', 'spin').then(() => run('boris', 'echo')), run('anna', 'echo')]);
  expect(told).toEqual(['anna was killed', 'boris', 'anna']);
});

it('ends with the process that has it, also while a job spins', async () => {
  const parent = fork(entry, ['parent'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [pids] = (await once(parent, 'message')) as [number[]];
  expect(pids.map(isRunning)).toEqual([true]);
  parent.kill('SIGKILL');
  await until(() => !pids.some(isRunning));
});
