/** Takes the one file of a multipart form, as it arrives, into a file on disk. Memory use does not depend on its size. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { type Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy, { type Busboy } from 'busboy';
import { FileStoreAway } from '../../commands/files/fileStore.ts';
import { inMiB } from '../../commands/files/refusals.ts';
import { HttpError } from '../http/errors.ts';
import { LEAST_RATE, type LeastRate, watchRate } from '../http/leastRate.ts';

const FIELD = 'file';
/** What the form has around the file. */
const AROUND_BYTES = 16 * 1024;

/** The length of the request, which the file cannot exceed; undefined when the client does not say. */
export const announcedBytes = (req: IncomingMessage): number | undefined => {
  const length = Number(req.headers['content-length']);
  return Number.isSafeInteger(length) && length > 0 ? length : undefined;
};

const wrongForm = (detail: string) =>
  new HttpError('validation_failed', detail, { errors: [{ pointer: `/body/${FIELD}`, detail, code: 'form' }] });
const notOneFile = () => wrongForm(`Send one file in the field "${FIELD}", and nothing else.`);
const tooLarge = (maxBytes: number) => new HttpError('too_large', `At most ${inMiB(maxBytes)} are accepted.`);
const tooSlow = () =>
  new HttpError('too_slow', 'The upload arrives too slowly. Try again with a better connection.', {
    headers: { connection: 'close' },
  });
/** The sender is gone. */
export const interrupted = () => new HttpError('bad_request', 'The upload was interrupted.');

const parserOf = (req: IncomingMessage, maxBytes: number): Busboy => {
  try {
    return busboy({
      headers: req.headers,
      // A file that has reached its limit counts as too large.
      limits: { files: 1, fields: 0, parts: 2, headerPairs: 20, fileSize: maxBytes + 1 },
    });
  } catch {
    throw wrongForm('The form has no boundary.');
  }
};

const intoFile = (path: string): Writable => createWriteStream(path, { flags: 'wx', mode: 0o600 });
/** For bytes that are only read. */
const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/** Writes what arrives. An error with a code is the disk's, others are of the form. */
const write = async (file: Readable, ...to: [Writable] | [Transform, Writable]): Promise<void> => {
  try {
    await pipeline([file, ...to]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw wrongForm('The form is not complete.');
    throw new FileStoreAway('the upload cannot be written', { cause: error });
  }
};

/**
 * Receives the field `file` of the form with `write`.
 * @throws HttpError 413 as soon as it is larger than `maxBytes`, 422 for another form, 400 when the client goes
 * away, 408 when it arrives too slowly
 * @throws FileStoreAway when the disk is full
 */
const receive = async (
  req: IncomingMessage,
  maxBytes: number,
  write: (file: Readable) => Promise<void>,
  leastRate: LeastRate = LEAST_RATE,
): Promise<void> => {
  if ((announcedBytes(req) ?? 0) > maxBytes + AROUND_BYTES) throw tooLarge(maxBytes);
  const parser = parserOf(req, maxBytes);
  let file: Readable | undefined;
  let writing: Promise<void> | undefined;
  let endWatch: (() => void) | undefined;
  const parsed = new Promise<void>((resolve, reject) => {
    parser.on('file', (name, arriving) => {
      arriving.on('error', () => undefined); // also once nobody reads it any more
      file = arriving;
      if (name !== FIELD) return reject(notOneFile());
      arriving.on('limit', () => reject(tooLarge(maxBytes)));
      writing = write(arriving);
      writing.catch(reject);
    });
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
      parser.on(limit, () => reject(notOneFile()));
    parser.on('error', () => reject(wrongForm('The form is not complete.')));
    parser.on('close', resolve);
    req.on('close', () => (req.complete ? undefined : reject(interrupted())));
    endWatch = watchRate(req, () => reject(tooSlow()), leastRate);
    req.pipe(parser);
  });
  try {
    await parsed;
    await writing;
  } catch (error) {
    req.unpipe(parser);
    file?.destroy(new Error('refused')); // without an error, a pipeline that has seen its end would wait for ever
    await writing?.catch(() => undefined);
    throw error;
  } finally {
    endWatch?.();
  }
  if (!file) throw wrongForm(`The form has no file in the field "${FIELD}".`);
};

/** Receives the field `file` of the form into a new file at `path`. @throws as `receive` */
export const receiveFile = (
  req: IncomingMessage,
  path: string,
  maxBytes: number,
  leastRate?: LeastRate,
): Promise<void> => receive(req, maxBytes, (file) => write(file, intoFile(path)), leastRate);

/**
 * The same, for a request with a key. Without a path, the bytes are only read.
 * @returns the SHA-256 of the file, in hex
 */
export const receiveHashed = async (
  req: IncomingMessage,
  path: string | undefined,
  maxBytes: number,
): Promise<string> => {
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await receive(req, maxBytes, (file) => write(file, hashing, path === undefined ? nowhere() : intoFile(path)));
  return hash.digest('hex');
};
