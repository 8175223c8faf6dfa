/** What the erasure of a person does to their files. */
import { file } from '../../domain/files/file.ts';
import type { CountedErasureStep } from '../core/erasure.ts';
import { followUp } from '../core/handle.ts';
import type { FileDeps } from './deps.ts';
import { removeBytes } from './fileStore.ts';
import { filesOf } from './unused.ts';

/** Removes all of them, used or not, and deletes their bytes. @throws FileStoreAway to be repeated */
export const removeErasedFiles: CountedErasureStep<FileDeps> = async (deps, context, person) => {
  const ids = await filesOf(deps.pool, person);
  for (const id of ids) {
    await deps.aggregates.handle(file, id, { type: 'RemoveErased' }, followUp(context, `file ${id}`));
    await removeBytes(deps.fileStore, id);
  }
  return { holder: 'files', outcome: 'deleted', count: ids.length };
};
