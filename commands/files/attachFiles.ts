/**
 * What uses a file. A module that shows files attaches them first, then records its own event with their facts; the
 * usage's id derives from the command, so that a repeated request finds its own files. When the event is refused, it
 * detaches them. After a crash in between, `unusedFile` asks the module a day later whether the event was recorded
 * (`FileUse`), and removes the file when it was not.
 */
import { changedNothing } from '../../domain/core/decider.ts';
import {
  type FileCommand,
  type FileFacts,
  factsOf,
  file,
  type StoredFile,
  type Usage,
} from '../../domain/files/file.ts';
import type { FolderName } from '../../domain/files/folders.ts';
import type { Aggregates, CommandContext } from '../core/handle.ts';
import { followUp } from '../core/handle.ts';
import type { AttachedFile } from './fileUses.ts';

interface Deps {
  readonly aggregates: Aggregates;
}

const tell = (deps: Deps, context: CommandContext, id: string, command: FileCommand) =>
  deps.aggregates.handle(file, id, command, followUp(context, `${command.type} ${id}`));

export interface Attaching {
  /** In the order in which they are shown. */
  readonly ids: readonly string[];
  readonly ownerId: string;
  /** The folder that they must have been uploaded to. */
  readonly folder: FolderName;
  readonly usage: Usage;
}

/**
 * Attaches files to what will use them, all or none, then does `work`. When `work` is refused, they are detached: they can
 * be used elsewhere, or are deleted after a day. Files that the usage had before, or that another request for it has
 * attached meanwhile, stay attached: that request may be about to record it. If it does not, they are deleted after a day.
 * @param work gets the facts of the files in the same order, and a function that detaches them in the same way, for when
 * it finds that another request was faster
 * @throws Rejected `not_found` also for files of somebody else, `invalid` for another folder, `conflict` for used ones;
 * and what `work` throws
 */
export const withFiles = async <T>(
  deps: Deps,
  context: CommandContext,
  { ids, ...rest }: Attaching,
  work: (files: FileFacts[], detach: () => Promise<void>) => Promise<T>,
): Promise<T> => {
  const command = { type: 'Attach', ...rest } as const;
  for (const id of ids) file.decide(command, (await deps.aggregates.load(file, id)).state);
  const files: FileFacts[] = [];
  /** Those that were free → how often each was attached then. */
  const added = new Map<string, number>();
  const detach = async () => {
    for (const [id, attached] of added) await tell(deps, context, id, { type: 'Detach', usage: rest.usage, attached });
  };
  try {
    for (const id of ids) {
      const { state, before } = (await tell(deps, context, id, command)) as Record<'state' | 'before', StoredFile>;
      // The same one may be named twice.
      if (before.usage === null || added.get(id) === before.attached) added.set(id, state.attached);
      files.push(factsOf(id, state));
    }
    return await work(files, detach);
  } catch (error) {
    if (changedNothing(error)) await detach();
    throw error;
  }
};

export type Using = Pick<Attaching, 'ids' | 'usage'>;

/** What used the files was deleted, or uses them no more: they are deleted. Files that it does not use stay. */
export const removeFiles = async (deps: Deps, context: CommandContext, { ids, usage }: Using): Promise<void> => {
  for (const id of ids) await tell(deps, context, id, { type: 'RemoveUsed', usage });
};

/**
 * What used the files was changed: those that it does not show any more are deleted. One that it shows again, because it
 * was changed once more meanwhile, stays, and so does one that is attached again after it was looked at.
 */
export const removeUnused = async (
  deps: Deps,
  context: CommandContext,
  { ids, usage }: Using,
  isUsed: (attached: AttachedFile) => Promise<boolean>,
): Promise<void> => {
  for (const fileId of ids) {
    const { state } = await deps.aggregates.load(file, fileId);
    if (state.status !== 'stored' || (await isUsed({ ...usage, fileId, attachedAt: context.at }))) continue;
    await tell(deps, context, fileId, { type: 'RemoveUsed', usage, attached: state.attached });
  }
};

/** Deletes an unused file of the actor. @throws Rejected `not_found`, `invalid_transition` while it is used */
export const removeOwnFile = async (
  deps: Deps,
  context: CommandContext,
  id: string,
  ownerId: string,
): Promise<void> => {
  await deps.aggregates.handle(file, id, { type: 'RemoveOwn', ownerId }, context);
};
