/** What the erasure of a person does to their files. */
import { file } from '../../domain/files/file.ts';
import type { ErasureStep } from '../core/erasure.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { defineOutsideErasure } from '../core/outsideErasures.ts';
import type { FileDeps } from './deps.ts';
import { keysOf, type Removed } from './fileStore.ts';
import { filesOf } from './unused.ts';

/** In the words of certificates. */
export const HOLDER_OF_FILES = 'files';

/** Whether something of somebody else shows the file, such as a listing that an admin has illustrated for its seller. */
const isOfOthers = async (deps: FileDeps, fileId: string, person: string, at: string): Promise<boolean> => {
  const { state } = await deps.aggregates.load(file, fileId);
  const usage = state.status === 'stored' ? state.usage : null;
  const use = usage && deps.fileUses[usage.kind];
  if (!use || use.whose === 'uploader') return false;
  const owner = use.whose === 'resort' ? use.whose : await use.whose(deps, usage.id);
  return owner !== undefined && owner !== person && use.isUsed(deps, { ...usage, fileId, attachedAt: at });
};

/** Has the file store delete the bytes of an erased person. Nobody here leads to them any more. */
export const bytesErasure = defineOutsideErasure<{ readonly keys: readonly string[] }, FileDeps>(
  'erased_bytes',
  async ({ fileStore }, _context, { keys }) => {
    const removed: Removed[] = [];
    for (const key of keys) removed.push(await fileStore.remove(key));
    // Somebody may still permit it.
    return removed.includes('versions_left') ? 'waiting' : 'deleted';
  },
);

/** Writes down which bytes of an erased person go. Safe to repeat. @param holder in the words of the certificate */
export const expectBytesGone = (
  { pool, vault }: Pick<FileDeps, 'pool' | 'vault'>,
  context: CommandContext,
  person: string,
  { holder, keys }: { readonly holder: string; readonly keys: readonly [string, ...string[]] },
): Promise<void> =>
  bytesErasure.expect({ pool, vault }, context, person, { holder, subject: keys[0], about: { keys } });

/**
 * Removes all of them, used or not: nobody reads them from now on. Those that show something of others are not about the
 * person: they stay.
 */
export const removeErasedFiles: ErasureStep<FileDeps> = async (deps, context, person) => {
  for (const id of await filesOf(deps.pool, person)) {
    if (await isOfOthers(deps, id, person, context.at)) continue;
    const { file: bytes, thumbnail } = keysOf(id);
    await expectBytesGone(deps, context, person, { holder: HOLDER_OF_FILES, keys: [bytes, thumbnail] });
    await deps.aggregates.handle(file, id, { type: 'RemoveErased' }, followUp(context, `file ${id}`));
  }
};
