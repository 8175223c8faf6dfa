/**
 * What uses a file. A module that shows files attaches them first, then records its own event with their facts; the
 * usage's id derives from the command, so that a repeated request finds its own files. When the event is refused, it
 * detaches them. After a crash in between, `unusedFile` asks the module a day later whether the event was recorded
 * (`FileUse`), and removes the file when it was not.
 */
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
import type { AttachedFile } from './uses.ts';

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
 * Attaches files to what will use them: all, or none. Files that it uses already stay.
 * @returns their facts, in the same order
 * @throws Rejected `not_found` also for files of somebody else, `invalid` for another folder, `conflict` for used ones
 */
export const attachFiles = async (
  deps: Deps,
  context: CommandContext,
  { ids, ...rest }: Attaching,
): Promise<FileFacts[]> => {
  const command = { type: 'Attach', ...rest } as const;
  for (const id of ids) file.decide(command, (await deps.aggregates.load(file, id)).state);
  const attached: FileFacts[] = [];
  const added: string[] = [];
  try {
    for (const id of ids) {
      const { state, before } = await tell(deps, context, id, command);
      if (before.status === 'stored' && before.usage === null) added.push(id);
      attached.push(factsOf(id, state as StoredFile));
    }
  } catch (error) {
    await detachFiles(deps, context, { ids: added, usage: rest.usage });
    throw error;
  }
  return attached;
};

type Ending = 'Detach' | 'RemoveUsed';
type Using = Pick<Attaching, 'ids' | 'usage'>;

const end =
  (type: Ending) =>
  async (deps: Deps, context: CommandContext, { ids, usage }: Using): Promise<void> => {
    for (const id of ids) await tell(deps, context, id, { type, usage });
  };

/** Only those that are not used. One that somebody attaches again after it was looked at is about to be used. */
const endUnused =
  (type: Ending) =>
  async (
    deps: Deps,
    context: CommandContext,
    { ids, usage }: Using,
    isUsed: (attached: AttachedFile) => Promise<boolean>,
  ): Promise<void> => {
    for (const fileId of ids) {
      const { state } = await deps.aggregates.load(file, fileId);
      if (state.status !== 'stored' || (await isUsed({ ...usage, fileId, attachedAt: context.at }))) continue;
      await tell(deps, context, fileId, { type, usage, attached: state.attached });
    }
  };

/** What was to use the files did not come about: they can be used elsewhere, or are deleted after a day. */
export const detachFiles = end('Detach');

/** A request was refused, or found that another one was faster: those of its files that are not used are free again. */
export const detachUnused = endUnused('Detach');

/** What used the files was deleted, or uses them no more: they are deleted. Files that it does not use stay. */
export const removeFiles = end('RemoveUsed');

/**
 * What used the files was changed: those that it does not show any more are deleted. One that it shows again, because it
 * was changed once more meanwhile, stays.
 */
export const removeUnused = endUnused('RemoveUsed');

/** Deletes an unused file of the actor. @throws Rejected `not_found`, `invalid_transition` while it is used */
export const removeOwnFile = async (
  deps: Deps,
  context: CommandContext,
  id: string,
  ownerId: string,
): Promise<void> => {
  await deps.aggregates.handle(file, id, { type: 'RemoveOwn', ownerId }, context);
};
