/** Work that a worker does beside policies and jobs, all the time: for queues that are too busy to be jobs. */
import type { CoreDeps } from './deps.ts';

/** Runs until `signal` fires, then finishes what has begun. Any number of workers run side by side. It never throws. */
export type Background<Deps = CoreDeps> = (
  deps: Deps & { readonly databaseUrl: string },
  signal: AbortSignal,
) => Promise<void>;
