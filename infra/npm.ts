/**
 * Ends a process that npm started when npm ends. npm passes SIGINT and SIGTERM on to its child, which is a shell; a shell
 * passes nothing on, and after a SIGHUP or SIGKILL npm cannot. (The scripts `start` and `dev` put Node in the place of the
 * shell, by `exec`. The shell of Windows does not know it, and runs what follows `||`.)
 */
import { readFileSync } from 'node:fs';

const CHECK_MS = 500;

/** Where Linux tells of processes; elsewhere the shell is replaced by what it runs. */
const read = (pid: number, file: 'comm' | 'stat'): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').trim();
  } catch {
    return '';
  }
};

const isShell = (pid: number): boolean => /^(sh|ash|bash|dash|zsh)$/.test(read(pid, 'comm'));

/** 0 for a process that has ended. The name of the program, in brackets, may contain anything. */
const parentOf = (pid: number): number => Number(read(pid, 'stat').split(') ').at(-1)?.split(' ')[1] ?? 0);

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Returns a function that says whether npm, or the shell between, has ended. Parents of orphans change. */
const watchParents = (): (() => boolean) => {
  const parent = process.ppid;
  const npm = isShell(parent) ? parentOf(parent) : undefined;
  // On Windows an orphan keeps the id of its parent.
  if (process.platform === 'win32') return () => !isAlive(parent);
  return () => process.ppid !== parent || (npm !== undefined && parentOf(parent) !== npm);
};

/** Takes the end of npm for a SIGTERM. Does nothing in a process that npm did not start, and in a child of another one of ours. */
export const endWithNpm = (): void => {
  if (process.env.npm_lifecycle_event === undefined || process.send) return;
  const hasEnded = watchParents();
  const timer = setInterval(() => {
    if (!hasEnded()) return;
    clearInterval(timer);
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(143);
  }, CHECK_MS);
  timer.unref();
};
