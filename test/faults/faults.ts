/** What goes wrong during a soak: each fault lasts until its promise resolves, and is over then. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Forwarder } from '../kit/forwarder.ts';
import { startWorld } from '../kit/world.ts';
import { kill } from './load.ts';
import { type WiredWorld, ways } from './wiredWorld.ts';

export interface Fault {
  readonly name: string;
  readonly cause: (world: WiredWorld) => Promise<void>;
}

const killed = (role: string): Fault => ({ name: `${role} is killed`, cause: (world) => kill(world, role) });

/** The process exists and holds its connections, but answers nobody. */
const stalled = (role: string, ms: number): Fault => ({
  name: `${role} stalls for ${ms / 1000} s`,
  cause: async (world) => {
    const pid = (await world.runtime()).pids[role];
    if (pid === undefined) throw new Error(`${role} does not run`);
    process.kill(pid, 'SIGSTOP');
    try {
      await delay(ms);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  },
});

const MIB = 1024 * 1024;

/** Fills the disk of the data folder to the last byte, and frees it again. */
export const fullDisk = (ms: number): Fault => ({
  name: `the disk is full for ${ms / 1000} s`,
  cause: async ({ dataDir }) => {
    const file = path.join(dataDir, 'ballast');
    const end = performance.now() + ms;
    try {
      while (performance.now() < end) {
        const ballast = await open(file, 'a');
        try {
          const { bavail, bsize } = await statfs(dataDir);
          const free = Number(bavail) * Number(bsize);
          await ballast.writeFile(Buffer.alloc(Math.min(16 * MIB, Math.max(free, 4096))));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          await delay(200); // others free space now and then: keep it full
        } finally {
          await ballast.close();
        }
      }
    } finally {
      await rm(file, { force: true });
    }
  },
});

/** What can happen between one store and the API and the worker behind the forwarders. */
const onTheWays = (ms: number): Fault[] => {
  const until = (begin: (way: Forwarder) => void, again?: (way: Forwarder) => void) => async (way: Forwarder) => {
    begin(way);
    const repeated = again && setInterval(again, 100, way);
    await delay(ms);
    clearInterval(repeated);
    way.on();
  };
  const kinds: Readonly<Record<string, (way: Forwarder) => Promise<void>>> = {
    'does not answer': until((way) => way.hold()),
    'cannot be reached': until((way) => way.off()),
    'answers 300 ms later': until((way) => way.slow(300)),
    'loses ten connections a second': until(
      (way) => way.cut(),
      (way) => way.cut(),
    ),
  };
  return ways.flatMap((to) =>
    Object.entries(kinds).map(([what, befall]) => ({
      name: `the ${to} ${what}, for ${ms / 1000} s`,
      cause: (world: WiredWorld) => befall(world.ways[to]),
    })),
  );
};

/** Statements before and after the time of a fault, in one session. */
const inDatabase = (name: string, ms: number, begin: readonly string[], end: readonly string[]): Fault => ({
  name: `${name} for ${ms / 1000} s`,
  cause: async (world) => {
    const client = new pg.Client((await world.runtime()).databaseUrl);
    await client.connect();
    try {
      for (const statement of begin) await client.query(statement);
      await delay(ms);
      for (const statement of end) await client.query(statement);
    } finally {
      await client.end();
    }
  },
});

/** Faults of connections, and of the database, that end no process. */
export const faultsOfStores = (ms: number): Fault[] => [
  ...onTheWays(ms),
  inDatabase('the bookings are locked', ms, ['begin', 'lock table read.bookings'], ['rollback']),
  inDatabase(
    'the database takes no writes',
    ms,
    ['alter system set default_transaction_read_only = on', 'select pg_reload_conf()'],
    [
      'set default_transaction_read_only = off',
      'alter system reset default_transaction_read_only',
      'select pg_reload_conf()',
    ],
  ),
];

const secondStart: Fault = {
  name: 'a second system is started in the same folder',
  cause: async ({ dataDir }) => {
    const refused = await startWorld({}, dataDir).then(
      () => 'it started',
      (error: Error) => error.message,
    );
    if (!refused.includes('is in use by')) throw new Error(refused);
  },
};

export const kills: readonly Fault[] = ['worker', 'api', 'eventstore', 'realtime', 'postgres', 'sandbox'].map(killed);

export const faults: readonly Fault[] = [
  ...kills,
  stalled('sandbox', 20_000),
  stalled('eventstore', 8_000),
  stalled('postgres', 8_000),
  stalled('worker', 20_000),
  ...faultsOfStores(8_000),
  secondStart,
];

/**
 * A small disk for the data folder, in memory.
 * @returns its path and how to remove it; undefined where this process may not mount one
 */
export const smallDisk = (mebibytes: number): { path: string; remove: () => void } | undefined => {
  const folder = mkdtempSync(path.join(tmpdir(), 'resort-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0755`, 'tmpfs', folder], { stdio: 'ignore' });
    writeFileSync(path.join(folder, 'probe'), '');
    rmSync(path.join(folder, 'probe'));
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
  return {
    path: folder,
    remove: () => {
      execFileSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
