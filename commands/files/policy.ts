/** What follows from what happens to files. */
import { wasErased } from '../accounts/accounts.ts';
import { policy } from '../core/policy.ts';
import type { FileDeps } from './deps.ts';
import { removeErasedFiles } from './erasure.ts';
import { deleteIfUnused, forgetFile, forgetRows, restoreRow, setUsed } from './unused.ts';

export const filePolicy = policy<FileDeps>('files', {
  FileUploaded: async (event, { deps, context }) => {
    const { ownerId } = event.data;
    const isRestored = await restoreRow(deps, event);
    // Erased meanwhile: the erasure did not find this file.
    if (!isRestored || !(await wasErased(deps, ownerId))) return;
    await removeErasedFiles(deps, context, ownerId);
    await forgetRows(deps.pool, ownerId);
  },
  FileAttached: ({ streamId }, { deps }) => setUsed(deps.pool, streamId, true),
  FileDetached: async ({ streamId, at }, { deps, context: { correlationId } }) => {
    await setUsed(deps.pool, streamId, false);
    await deleteIfUnused(deps.jobs, streamId, { correlationId, at });
  },
  FileRemoved: ({ streamId }, { deps }) => forgetFile(deps, streamId),
});
