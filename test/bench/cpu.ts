/** CPU time of processes, read from /proc; unknown on other systems than Linux. */
import { readFileSync } from 'node:fs';

/** Process ids by what they are: `api`, `worker`, `eventstore`, `postgres`. */
export type Processes = Readonly<Record<string, number>>;

/** `getconf CLK_TCK`, which is 100 on every common Linux. */
const TICKS_PER_SECOND = 100;

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

/** User and system time of a process and of its children that have ended, in seconds. */
const timesOf = (pid: number): { readonly self: number; readonly ended: number } => {
  const text = read(`/proc/${pid}/stat`) ?? '';
  // The name of the program stands in parentheses, and may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
  return { self: (user + system) / TICKS_PER_SECOND, ended: (endedUser + endedSystem) / TICKS_PER_SECOND };
};
const own = (pid: number): number => {
  const { self, ended } = timesOf(pid);
  return self + ended;
};

/** CPU seconds of all programs that this process started and that have ended; undefined where they cannot be read. */
export const cpuOfEnded = (): number | undefined =>
  process.platform === 'linux' ? timesOf(process.pid).ended : undefined;

const childrenOf = (pid: number): number[] =>
  (read(`/proc/${pid}/task/${pid}/children`) ?? '').split(' ').filter(Boolean).map(Number);

/**
 * CPU seconds of each process and its children; undefined where they cannot be read. A child that has a name of its own
 * counts only there.
 */
export const cpuOf = (processes: Processes): Record<string, number> | undefined => {
  if (process.platform !== 'linux') return undefined;
  const named = new Set(Object.values(processes));
  return Object.fromEntries(
    Object.entries(processes).map(([name, pid]) => [
      name,
      [pid, ...childrenOf(pid).filter((child) => !named.has(child))].reduce((sum, id) => sum + own(id), 0),
    ]),
  );
};

/** Resident memory of a process in bytes; undefined where it cannot be read. */
export const memoryOf = (pid: number): number | undefined => {
  const pages = read(`/proc/${pid}/statm`)?.split(' ')[1];
  return pages === undefined ? undefined : Number(pages) * 4_096;
};

/** Resident memory of a process in KiB; undefined where it cannot be read. */
export const residentKib = (pid: number): number | undefined => {
  const line = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`) ?? '');
  return line ? Number(line[1]) : undefined;
};
