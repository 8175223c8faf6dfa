/** What a folder takes, in bytes and seconds: asked of what is sent, and again of what is stored. */
import { type FolderName, folderOf, type MediaKind, media } from '../../domain/files/folders.ts';
import { inMiB, tooLarge, unsupported } from './refusals.ts';

export const allowedIn = (folder: FolderName): readonly MediaKind[] => folderOf(folder).kinds;

/** @throws UploadRefused when the folder takes no such kind, or the file is too large or too long */
export const accept = (
  folder: FolderName,
  kind: MediaKind,
  { size, durationS }: { readonly size: number; readonly durationS?: number | null },
): void => {
  if (!allowedIn(folder).includes(kind))
    throw unsupported(
      `The folder ${folder} takes no file of the kind ${kind}. It takes: ${allowedIn(folder).join(', ')}.`,
    );
  const { maxBytes, maxSeconds = Number.POSITIVE_INFINITY } = media[kind];
  if (size > maxBytes)
    throw tooLarge(`The file has ${inMiB(size)}. At most ${inMiB(maxBytes)} are accepted (${kind}).`);
  if (durationS && durationS > maxSeconds)
    throw tooLarge(`The ${kind} is ${Math.ceil(durationS)} s long. At most ${maxSeconds} s are accepted.`);
};
