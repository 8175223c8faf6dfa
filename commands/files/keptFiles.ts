/**
 * Files of what its author deleted while a report of it was open. Admins still judge by them; for everybody else they are
 * gone at once. A job deletes them, and so does the erasure of their owner, like all others.
 */
import { evidenceUntil } from '../../domain/files/evidence.ts';
import { type FileFacts, file, type Usage } from '../../domain/files/file.ts';
import { followUp } from '../core/handle.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { removeFiles, type Using } from './attachFiles.ts';

/** The job's id is that of what used the files. */
export const keptFiles = defineJob<Using>('kept_files', async ({ data }, { deps, context }) => {
  await removeFiles(deps, context, data);
  return undefined;
});

/** Keeps files for admins, and plans their deletion. Safe to repeat. @param deletedAt when what used them was deleted */
const keepFiles = async ({ deps, context }: PolicyContext, { ids, usage }: Using, deletedAt: string): Promise<void> => {
  if (ids.length === 0) return;
  // First, so that a crash in between keeps nothing for ever.
  await keptFiles.scheduleOnce(deps.jobs, context, {
    id: usage.id,
    dueAt: evidenceUntil(deletedAt),
    data: { ids, usage },
  });
  for (const id of ids)
    await deps.aggregates.handle(file, id, { type: 'Withhold', usage }, followUp(context, `withhold ${id}`));
};

/** What used files was deleted: which of them are deleted, and which are kept for admins. */
interface Gone {
  readonly usage: Usage;
  readonly fileIds: readonly string[];
  readonly keptFiles?: readonly FileFacts[];
}

/** Safe to repeat. @param deletedAt when what used them was deleted, RFC 3339 */
export const removeOrKeep = async (
  ctx: PolicyContext,
  { usage, fileIds, keptFiles: kept = [] }: Gone,
  deletedAt: string,
): Promise<void> => {
  await removeFiles(ctx.deps, ctx.context, { ids: fileIds, usage });
  await keepFiles(ctx, { ids: kept.map(({ fileId }) => fileId), usage }, deletedAt);
};
