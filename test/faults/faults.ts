/** What goes wrong during a soak: each fault lasts until its promise resolves, and is over then. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { World } from '../kit/world.ts';
import { kill } from './load.ts';

export interface Fault {
  readonly name: string;
  readonly cause: (world: World) => Promise<void>;
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

export const faults: readonly Fault[] = [
  ...['worker', 'api', 'eventstore', 'realtime', 'postgres', 'sandbox'].map(killed),
  stalled('sandbox', 20_000),
  stalled('eventstore', 8_000),
  stalled('postgres', 8_000),
  stalled('worker', 20_000),
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
