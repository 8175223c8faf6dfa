/** Computes the summary of a finished session again, once no more points come for a while. */
import { defineJob, type JobDefinition } from '../core/jobs.ts';
import type { TrackingDeps } from './deps.ts';
import { correctSummary } from './sessions.ts';

/** The id is that of the session. */
export const trackSummary: JobDefinition<object, TrackingDeps> = defineJob(
  'track_summary',
  async ({ id }, { deps, context }) => {
    await correctSummary(deps, context, id);
    return undefined;
  },
);
