/** What an uploaded file is, by its content: its name and the type that the client claims are not looked at. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Uploaded } from '../../domain/files/file.ts';
import { type FolderName, folderOf, type MediaKind, media } from '../../domain/files/folders.ts';
import { writeAnew } from './reader/pictures.ts';
import { isRecording, packAnew, readRecording } from './reader/recordings.ts';
import { inMiB, tooLarge, unsupported } from './refusals.ts';

/** Types of pictures that can be decoded. */
const PICTURES = ['image/jpeg', 'image/png', 'image/apng', 'image/webp', 'image/gif', 'image/avif'];
/** Of phones by Apple: their compression is patented, and no free decoder comes with the library. */
const HEIF = ['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence'];

/** Where the prepared bytes are, and what is known of them. */
export interface Prepared {
  readonly path: string;
  readonly thumbnail: string | undefined;
  readonly facts: Omit<Uploaded, 'ownerId' | 'folder'>;
}

const allowed = (folder: FolderName): string => folderOf(folder).kinds.join(', ');

const accept = (folder: FolderName, kind: MediaKind, size: number): void => {
  if (!folderOf(folder).kinds.includes(kind))
    throw unsupported(`The folder ${folder} takes no file of the kind ${kind}. It takes: ${allowed(folder)}.`);
  const { maxBytes } = media[kind];
  if (size > maxBytes)
    throw tooLarge(`The file has ${inMiB(size)}. At most ${inMiB(maxBytes)} are accepted (${kind}).`);
};

const sha256Of = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
};

const prepared = async (
  path: string,
  facts: Pick<Prepared['facts'], 'mime' | 'width' | 'height' | 'durationS'>,
  thumbnail?: string,
): Promise<Prepared> => {
  const [{ size }, sha256] = [await stat(path), await sha256Of(path)];
  const thumbnailSize = thumbnail === undefined ? null : (await stat(thumbnail)).size;
  return { path, thumbnail, facts: { ...facts, size, sha256, thumbnailSize } };
};

const picture = async (path: string): Promise<Prepared> => {
  const [to, thumbnail] = [`${path}.anew`, `${path}.thumbnail`];
  const { mime, width, height } = await writeAnew(path, to, thumbnail);
  return prepared(to, { mime, width, height, durationS: null }, thumbnail);
};

const recording = async (path: string, folder: FolderName, found: string, size: number): Promise<Prepared> => {
  const { kind, mime, durationS, width, height } = await readRecording(path, found);
  accept(folder, kind, size);
  const { maxSeconds } = media[kind];
  if (durationS > maxSeconds)
    throw tooLarge(`The ${kind} is ${Math.ceil(durationS)} s long. At most ${maxSeconds} s are accepted.`);
  const to = `${path}.anew`;
  await packAnew(path, to, found);
  return prepared(to, { mime, width, height, durationS });
};

/**
 * Finds out what the file at `path` is, and prepares what is stored of it, in files beside it.
 * @throws UploadRefused, Rejected `invalid`, Overloaded
 */
export const inspect = async (path: string, folder: FolderName): Promise<Prepared> => {
  const { fileTypeFromFile } = await import('file-type');
  const { size } = await stat(path);
  const mime = (await fileTypeFromFile(path))?.mime.split(';')[0] ?? 'unknown';
  if (HEIF.includes(mime))
    throw unsupported('Photos in the format HEIC cannot be read. Send them as JPEG ("Most Compatible" in the camera).');
  if (PICTURES.includes(mime)) {
    accept(folder, 'image', size);
    return picture(path);
  }
  if (mime === 'application/pdf') {
    accept(folder, 'document', size);
    return prepared(path, { mime, width: null, height: null, durationS: null });
  }
  if (isRecording(mime)) return recording(path, folder, mime, size);
  throw unsupported(`A file with this content is not accepted. The folder ${folder} takes: ${allowed(folder)}.`);
};
