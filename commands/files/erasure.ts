/** What the erasure of a person does to their files. */
import { file } from '../../domain/files/file.ts';
import type { CountedErasureStep } from '../core/erasure.ts';
import { followUp } from '../core/handle.ts';
import type { FileDeps } from './deps.ts';
import { removeBytes } from './fileStore.ts';
import { filesOf } from './unused.ts';

/** Whether something of somebody else shows the file, such as a listing that an admin has illustrated for its seller. */
const isOfOthers = async (deps: FileDeps, fileId: string, person: string, at: string): Promise<boolean> => {
  const { state } = await deps.aggregates.load(file, fileId);
  const usage = state.status === 'stored' ? state.usage : null;
  const use = usage && deps.fileUses[usage.kind];
  if (!use || use.whose === 'uploader') return false;
  const owner = use.whose === 'resort' ? use.whose : await use.whose(deps, usage.id);
  return owner !== undefined && owner !== person && use.isUsed(deps, { ...usage, fileId, attachedAt: at });
};

/**
 * Removes all of them, used or not, and deletes their bytes. Those that show something of others are not about the person:
 * they stay.
 * @throws FileStoreAway to be repeated
 */
export const removeErasedFiles: CountedErasureStep<FileDeps> = async (deps, context, person) => {
  let count = 0;
  for (const id of await filesOf(deps.pool, person)) {
    if (await isOfOthers(deps, id, person, context.at)) continue;
    await deps.aggregates.handle(file, id, { type: 'RemoveErased' }, followUp(context, `file ${id}`));
    await removeBytes(deps.fileStore, id);
    count += 1;
  }
  return { holder: 'files', outcome: 'deleted', count };
};
