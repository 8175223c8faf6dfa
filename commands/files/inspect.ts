/** What an uploaded file is: a process of its own reads it, and this one holds the answer against the limits. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { Rejected } from '../../domain/core/decider.ts';
import type { Uploaded } from '../../domain/files/file.ts';
import { type FolderName, kindOf, media } from '../../domain/files/folders.ts';
import type { JobLimits } from '../../infra/jobProcess.ts';
import type { Logger } from '../../infra/log.ts';
import { createProcessPool, JobKilled, type ProcessPool } from '../../infra/processPool.ts';
import { validator } from '../../infra/validation.ts';
import { FileStoreAway } from './fileStore.ts';
import { accept } from './limits.ts';
import { ReadAnswer, type ReadJob } from './reader/job.ts';
import { UploadRefused } from './refusals.ts';

/** The process runs compiled JavaScript, also when the caller is a test. */
const READER = fileURLToPath(
  import.meta.url.endsWith('.ts')
    ? new URL('../../dist/commands/files/reader/main.js', import.meta.url)
    : new URL('./reader/main.js', import.meta.url),
);

/** The slowest files that are accepted took 7 s of CPU. Memory is several copies of the pixels of the largest pictures. */
const LIMITS: JobLimits = {
  wallMs: 60_000,
  cpuMs: 10_000,
  memoryBytes: 1024 * 1024 * 1024,
  outputBytes: Math.max(...Object.values(media).map(({ maxBytes }) => maxBytes)) + 1024 * 1024,
};
/** Processes of one API process that read at the same time. */
const PLACES = 2;

/** The processes that read uploads; none runs before the first upload. */
export const createFileReader = (log: Logger): ProcessPool =>
  createProcessPool({ entry: READER, places: PLACES, limits: LIMITS, log });

/** Where the bytes are that are stored, and what is known of them. */
export interface Prepared {
  readonly path: string;
  readonly thumbnail: string | undefined;
  readonly facts: Omit<Uploaded, 'ownerId' | 'folder'>;
}

export interface Inspected {
  readonly path: string;
  readonly folder: FolderName;
  readonly ownerId: string;
}

/** The files that may be made beside the upload at `path`. */
export const madeBeside = (path: string) => ({ anew: `${path}.anew`, thumbnail: `${path}.thumbnail` });

const isAnswer = validator(ReadAnswer);

const sha256Of = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
};

/** @throws Rejected `invalid` when reading it went beyond the limits */
const answerOf = async (reader: ProcessPool, ownerId: string, job: ReadJob): Promise<unknown> => {
  try {
    return await reader.run(ownerId, job, [job.anew, job.thumbnail]);
  } catch (error) {
    if (!(error instanceof JobKilled)) throw error;
    throw new Rejected(
      'invalid',
      'The file takes too much time or memory to read. Save it in another way or smaller.',
      { fields: ['file'] },
    );
  }
};

/**
 * Finds out what the file at `path` is, and prepares what is stored of it, in files beside it.
 * @throws UploadRefused, Rejected `invalid`, Overloaded, FileStoreAway
 */
export const inspect = async (reader: ProcessPool, { path, folder, ownerId }: Inspected): Promise<Prepared> => {
  const made = madeBeside(path);
  const answer = await answerOf(reader, ownerId, { path, folder, ...made });
  if (!isAnswer(answer))
    throw new Rejected('invalid', 'The file is damaged or is not complete. Choose another one.', { fields: ['file'] });
  if ('away' in answer) throw new FileStoreAway('the prepared file cannot be written', { cause: answer.away });
  if ('refusal' in answer) {
    const { code, detail } = answer.refusal;
    throw code === 'invalid' ? new Rejected(code, detail, { fields: ['file'] }) : new UploadRefused(code, detail);
  }
  const { found } = answer;
  const kind = kindOf(found.mime);
  const stored = kind === 'document' ? path : made.anew;
  const thumbnail = kind === 'image' ? made.thumbnail : undefined;
  const { size } = await stat(stored);
  accept(folder, kind, { size, durationS: found.durationS });
  const thumbnailSize = thumbnail === undefined ? null : (await stat(thumbnail)).size;
  return { path: stored, thumbnail, facts: { ...found, size, sha256: await sha256Of(stored), thumbnailSize } };
};
