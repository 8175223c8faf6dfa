/** Files as they are known to the log, without their bytes. */
import { randomUUID } from 'node:crypto';
import type { Aggregates, CommandContext } from '../../commands/core/handle.ts';
import { type Attaching, withFiles } from '../../commands/files/attachFiles.ts';
import { file } from '../../domain/files/file.ts';
import type { FolderName } from '../../domain/files/folders.ts';
import { contextOf } from './context.ts';
import type { Node } from './deps.ts';

/** Records that a picture was uploaded. @returns its id */
export const uploaded = async (node: Node, ownerId: string, folder: FolderName): Promise<string> => {
  const id = randomUUID();
  const media = { width: 1, height: 1, durationS: null, thumbnailSize: null };
  const upload = { ownerId, folder, mime: 'image/webp', size: 1, sha256: '', ...media } as const;
  await node.aggregates.handle(file, id, { type: 'RecordUpload', upload }, contextOf(ownerId));
  return id;
};

/** What uses a file; null: nothing does, undefined: there is no such file. */
export const usageOfFile = async (node: Node, id: string) => {
  const { state } = await node.aggregates.load(file, id);
  return state.status === 'none' ? undefined : state.usage;
};

/** Attaches files, as a command does that is about to record what uses them. @returns their facts */
export const attachFiles = (deps: { readonly aggregates: Aggregates }, context: CommandContext, attaching: Attaching) =>
  withFiles(deps, context, attaching, async (files) => files);
