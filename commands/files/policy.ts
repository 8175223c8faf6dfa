/** What follows from what happens to files. */
import { policy } from '../core/policy.ts';
import type { FileDeps } from './deps.ts';
import { deleteIfUnused, forgetFile, setUsed } from './unused.ts';

export const filePolicy = policy<FileDeps>('files', {
  FileAttached: ({ streamId }, { deps }) => setUsed(deps.pool, streamId, true),
  FileDetached: async ({ streamId, at }, { deps, context: { correlationId } }) => {
    await setUsed(deps.pool, streamId, false);
    await deleteIfUnused(deps.jobs, streamId, { correlationId, at });
  },
  FileRemoved: ({ streamId }, { deps }) => forgetFile(deps, streamId),
});
