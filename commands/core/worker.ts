/** Runs the policies and jobs of one process. Any number of workers run side by side. */
import type { CoreDeps } from './deps.ts';
import { runJobs } from './jobRunner.ts';
import type { JobDefinition } from './jobs.ts';
import { type Policy, policyRetry } from './policy.ts';
import { runPolicies } from './policyRunner.ts';

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
  const retry = policyRetry(policies);
  const running = [runPolicies<Deps>(deps, policies, retry, signal), runJobs<Deps>(deps, [...jobs, retry], signal)];
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
};
