/** What an uploaded file is, by its content: its name and the type that the client claims are not looked at. */
import { stat } from 'node:fs/promises';
import type { Static } from '@sinclair/typebox';
import { Rejected } from '../../../domain/core/decider.ts';
import { beginningOf } from '../../../domain/core/storable.ts';
import { kindsOfType, type PictureType, pictureTypes, refusalOf } from '../formats.ts';
import { accept, allowedIn } from '../limits.ts';
import { UploadRefused, unsupported } from '../refusals.ts';
import { orDamaged } from './damaged.ts';
import type { ReadAnswer, ReadJob } from './job.ts';
import { writeAnew } from './pictures.ts';
import { isRecording, packAnew, readRecording } from './recordings.ts';
import { typeOf } from './typeOf.ts';

type Answer = Static<typeof ReadAnswer>;
type Found = Extract<Answer, { found: unknown }>['found'];

const isPicture = (mime: string): mime is PictureType => Object.hasOwn(pictureTypes, mime);

const readFound = async ({ path, folder, anew, thumbnail }: ReadJob): Promise<Found> => {
  const { size } = await stat(path);
  const mime = await typeOf(path);
  const kinds = kindsOfType(mime);
  // First, so that nobody converts a file for a folder that does not take its kind.
  if (kinds[0] && !kinds.some((kind) => allowedIn(folder).includes(kind))) accept(folder, kinds[0], { size });
  if (isPicture(mime)) {
    accept(folder, 'image', { size });
    return { ...(await writeAnew(path, mime, { anew, thumbnail })), durationS: null };
  }
  if (mime === 'application/pdf') {
    accept(folder, 'document', { size });
    return { mime, width: null, height: null, durationS: null };
  }
  if (isRecording(mime)) {
    const { kind, ...found } = await readRecording(path, mime);
    accept(folder, kind, { size, durationS: found.durationS });
    await packAnew(path, anew, mime);
    return found;
  }
  throw unsupported(
    refusalOf(mime) ??
      `A file with this content is not accepted. The folder ${folder} takes: ${allowedIn(folder).join(', ')}.`,
  );
};

/** Finds out what the file is, and writes what is stored of it. */
export const read = async (job: ReadJob): Promise<Answer> => {
  try {
    return { found: await orDamaged('file', () => readFound(job)) };
  } catch (error) {
    if (error instanceof UploadRefused) return { refusal: { code: error.code, detail: error.message } };
    if (error instanceof Rejected) return { refusal: { code: 'invalid', detail: error.message } };
    return { away: beginningOf(String(error), 500) };
  }
};
