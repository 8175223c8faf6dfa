/** What signals do to a process that has something to finish. */
import { endProcess } from '../infra/output.ts';

/** Ctrl-C in a terminal reaches a process twice: from the terminal, and passed on by npm. */
const SAME_MS = 1_000;

/**
 * The first SIGINT, SIGTERM or SIGHUP calls `stop`; another one ends the process at once.
 * @param exitCode of that end
 */
export const onStopSignal = (stop: (signal: NodeJS.Signals) => void, exitCode: number): void => {
  let since: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (since === undefined) {
      since = performance.now();
      stop(signal);
    } else if (performance.now() - since > SAME_MS) void endProcess(exitCode);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
};
