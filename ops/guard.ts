/** Ends programs of others together with this process, whatever ends it. Our own children notice it themselves. */
import { spawn } from 'node:child_process';

/** Asks to end, then more and more firmly. Looks every second, so that no other process that got the id is meant. */
const SCRIPT = `read _
for ending in $1; do
  kill -$ending "$0" 2>/dev/null || exit
  for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    sleep 1
    kill -0 "$0" 2>/dev/null || exit
  done
done`;

export interface GuardOptions {
  /** Names of signals, from the mildest on. */
  readonly signals: readonly string[];
  /** Who may send them; by default the user of this process. */
  readonly user?: { readonly uid?: number; readonly gid?: number };
  /** Called when there is no guard. */
  readonly onError: (error: Error) => void;
}

/**
 * Ends a process when this one ends, also by `kill -9`: the pipe to a small shell closes, and the shell sends the signals.
 * Returns the function that releases the guard. Windows has no such shell.
 * @param target id of the process; negative: of its group
 */
export const guardProcess = (target: number, { signals, user, onError }: GuardOptions): (() => void) => {
  if (process.platform === 'win32') return () => undefined;
  const guard = spawn('/bin/sh', ['-c', SCRIPT, String(target), signals.join(' ')], {
    ...user,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.on('error', onError);
  guard.unref();
  return () => guard.kill();
};
