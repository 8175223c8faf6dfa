/** What the erasure of a person does to their files. */
import { file } from '../../domain/files/file.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { FileDeps } from './deps.ts';
import { removeBytes } from './fileStore.ts';
import { filesOf } from './unused.ts';

/** Removes all of them, used or not, and deletes their bytes. @throws FileStoreAway to be repeated */
export const removeErasedFiles = async (deps: FileDeps, context: CommandContext, person: string): Promise<void> => {
  for (const id of await filesOf(deps.pool, person)) {
    await deps.aggregates.handle(file, id, { type: 'RemoveErased' }, followUp(context, `file ${id}`));
    await removeBytes(deps.fileStore, id);
  }
};
