/** Runs the policies and jobs of one process. Any number of workers run side by side. */
import { setMaxListeners } from 'node:events';
import type { CoreDeps } from './deps.ts';
import { runJobs } from './jobRunner.ts';
import type { JobDefinition } from './jobs.ts';
import { type Policy, policyRetry, runPolicy } from './policy.ts';

export interface Worker {
  /** Finishes what has begun, then gives up its leases. */
  stop(): Promise<void>;
}

/** Starts all policies and jobs, and the job that retries what a policy failed to handle. */
export const startWorker = <Deps extends CoreDeps>(
  deps: Deps & { readonly databaseUrl: string },
  policies: readonly Policy<Deps>[],
  jobs: readonly JobDefinition<never, Deps>[],
): Worker => {
  const stopping = new AbortController();
  const { signal } = stopping;
  // Every policy waits on it several times at once. Ten, from which on Node warns of a leak, are too few.
  setMaxListeners(10 * (policies.length + 1), signal);
  const retry = policyRetry(policies);
  const running = [
    ...policies.map((each) => runPolicy<Deps>(deps, each, retry, signal)),
    runJobs<Deps>(deps, [...jobs, retry], signal),
  ];
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
};
