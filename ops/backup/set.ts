/**
 * A backup set: a folder with a manifest and compressed files of lines. The manifest has the length and the SHA-256 of
 * every file and of its contents, so that a set can be checked without anything else.
 */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { MINUTE_MS } from '../../domain/core/instants.ts';
import { fileFault } from '../../infra/fileFaults.ts';
import { flush, putFile } from '../../infra/wholeFiles.ts';
import { CommandFailed } from '../cli/failed.ts';
import { openText } from '../cli/logFile.ts';

/** Only the operator reads a backup: it contains hashes of passwords and wrapped keys. */
const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

export interface StoredFile {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}
export interface LinesFile extends StoredFile {
  readonly lines: number;
  /** SHA-256 of the uncompressed lines. */
  readonly content: string;
}

export interface Manifest {
  /** Of this folder's layout. */
  readonly format: 1;
  /** The release that took it. */
  readonly release: string;
  readonly created_at: string;
  /** Of the log that it contains; absent in sets of release 0.1.0. */
  readonly log_id?: string;
  /** Steps of the schema `ops`, in order. */
  readonly migrations: readonly string[];
  /** `hash`: of the chained events, as `events export --hash` prints it. */
  readonly log: LinesFile & { readonly hash: string };
  readonly tables: readonly (LinesFile & { readonly table: string })[];
  /** Copied from the data folder. */
  readonly files: readonly StoredFile[];
}

const MANIFEST = 'manifest.json';
const FORMAT = 1;

/** Passes bytes on and hashes them. */
const hashing = (hash: Hash, count: (bytes: number) => void) =>
  new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      count(chunk.length);
      done(null, chunk);
    },
  });

/** Writes lines, each without its line break, compressed. One line is in memory at a time. */
export const writeLines = async (
  folder: string,
  file: string,
  lines: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<LinesFile> => {
  const [content, sha256] = [createHash('sha256'), createHash('sha256')];
  let [count, bytes] = [0, 0];
  const text = async function* () {
    for await (const line of lines) {
      count += 1;
      const whole = `${line}\n`;
      content.update(whole);
      yield whole;
    }
  };
  const target = path.join(folder, file);
  const counted = hashing(sha256, (more) => {
    bytes += more;
  });
  await pipeline(text, createGzip(), counted, createWriteStream(target, { mode: PRIVATE_FILE, flags: 'wx' }), {
    signal,
  });
  await flush(target);
  return { file, lines: count, content: content.digest('hex'), bytes, sha256: sha256.digest('hex') };
};

/** The lines of a file of the set. It is opened at the first one: a reader that was begun before loses its lines. */
export async function* readLines(folder: string, { file }: Pick<LinesFile, 'file'>): AsyncGenerator<string> {
  yield* createInterface({ input: openText(path.join(folder, file)), crlfDelay: Number.POSITIVE_INFINITY });
}

/** Copies one file and returns what was copied. It has its name when it is whole: a copy that fails can be repeated. */
export const copyFile = async (from: string, folder: string, file: string): Promise<StoredFile> => {
  const sha256 = createHash('sha256');
  let bytes = 0;
  const counted = hashing(sha256, (more) => {
    bytes += more;
  });
  const source = await open(from, 'r'); // first, so that nothing is written for a file that is not there
  await putFile(path.join(folder, file), (next) =>
    pipeline(source.createReadStream(), counted, createWriteStream(next, { mode: PRIVATE_FILE })),
  );
  return { file, bytes, sha256: sha256.digest('hex') };
};

export const writeManifest = async (folder: string, manifest: Omit<Manifest, 'format'>): Promise<Manifest> => {
  const whole: Manifest = { format: FORMAT, ...manifest };
  const file = path.join(folder, MANIFEST);
  await writeFile(file, `${JSON.stringify(whole, null, 2)}\n`, { mode: PRIVATE_FILE, flag: 'wx' });
  await flush(file);
  return whole;
};

const isManifest = (value: unknown): value is Manifest =>
  typeof value === 'object' && value !== null && 'format' in value && 'log' in value && 'tables' in value;

/** @throws CommandFailed for a folder that is no set, or one of a newer release */
export const readManifest = async (folder: string): Promise<Manifest> => {
  const text = await readFile(path.join(folder, MANIFEST), 'utf8').catch((cause: unknown) => {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '');
    const reason = (!isMissing && fileFault(cause)) || `${folder} is no backup: it has no ${MANIFEST}`;
    throw new CommandFailed(reason, { cause });
  });
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch (cause) {
    throw new CommandFailed(`${MANIFEST} in ${folder} is damaged`, { cause });
  }
  if (!isManifest(manifest)) throw new CommandFailed(`${MANIFEST} in ${folder} is damaged`);
  if (manifest.format !== FORMAT)
    throw new CommandFailed(`the backup in ${folder} has format ${manifest.format}: restore it with a newer release`);
  return manifest;
};

const hashOfFile = async (file: string): Promise<{ bytes: number; sha256: string }> => {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { bytes, sha256: hash.digest('hex') };
};

/** @throws CommandFailed when the file is missing or another */
export const verifyFile = async (folder: string, { file, bytes, sha256 }: StoredFile): Promise<void> => {
  const found = await hashOfFile(path.join(folder, file)).catch((cause: unknown) => {
    throw new CommandFailed(`the backup is incomplete: ${fileFault(cause) ?? `${file} cannot be read`}`, { cause });
  });
  if (found.bytes !== bytes || found.sha256 !== sha256)
    throw new CommandFailed(`the backup is damaged: ${file} is not what was written`);
};

/** Count and hash of lines, as the manifest has them. */
export const contentOf = async (lines: AsyncIterable<string>): Promise<Pick<LinesFile, 'lines' | 'content'>> => {
  const content = createHash('sha256');
  let count = 0;
  for await (const line of lines) {
    content.update(`${line}\n`);
    count += 1;
  }
  return { lines: count, content: content.digest('hex') };
};

/** Reads the whole set again. @throws CommandFailed when a file is missing or differs from the manifest */
export const verifySet = async (folder: string, manifest: Manifest): Promise<void> => {
  for (const stored of manifest.files) await verifyFile(folder, stored);
  for (const stored of [manifest.log, ...manifest.tables]) {
    await verifyFile(folder, stored);
    const { lines, content } = await contentOf(readLines(folder, stored));
    if (lines !== stored.lines || content !== stored.content)
      throw new CommandFailed(`the backup is damaged: the lines of ${stored.file} are not what was written`);
  }
};

/** `2026-11-21T02-00-00Z`: the time of a set, in the order of time. */
export const nameOf = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/;
/** When a set of this name was taken. */
export const timeOf = (name: string): string => name.replace(NAME, '$1T$2:$3:$4.000Z');

/** A set among others. */
interface Placed {
  readonly name: string;
  readonly log: string;
  /** Undefined: its manifest cannot be read. */
  readonly events: number | undefined;
}

const placed = async (folder: string, name: string): Promise<Placed> => {
  const manifest = await readManifest(path.join(folder, name)).catch(() => undefined);
  return { name, log: manifest?.log_id ?? '', events: manifest?.log.lines };
};

/** Between the clocks of two machines. */
const SKEW_MS = 5 * MINUTE_MS;
/** Whether a set of this name was taken with a clock that was ahead. */
export const isOfFuture = (name: string, now: number): boolean => Date.parse(timeOf(name)) > now + SKEW_MS;

/**
 * The complete sets in a folder, oldest first by what they contain: a log only grows, so that no clock matters. Where there
 * are sets of several logs, that comes last of which the newest set is of, those of the future apart. Sets whose manifest
 * cannot be read come first.
 */
const setsByContents = async (folder: string, now: number): Promise<Placed[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const named = entries.filter((entry) => entry.isDirectory() && NAME.test(entry.name));
  const sets = await Promise.all(named.map(({ name }) => placed(folder, name)));
  const newest = new Map<string, string>();
  for (const { name, log } of sets) if (!isOfFuture(name, now) && name > (newest.get(log) ?? '')) newest.set(log, name);
  const keyOf = ({ name, log, events = -1 }: Placed) =>
    [events < 0 ? '' : (newest.get(log) ?? ' '), events, name] as const;
  return sets.toSorted((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)];
    const n = [0, 1, 2].find((index) => a[index] !== b[index]) ?? 2;
    return (a[n] as string | number) < (b[n] as string | number) ? -1 : 1;
  });
};

/** The names of the complete sets in a folder, oldest first by what they contain. */
export const setsIn = async (folder: string, now = Date.now()): Promise<string[]> =>
  (await setsByContents(folder, now)).map(({ name }) => name);

/**
 * The names of the sets that are not among the newest `keep`.
 * @param taken the set that was just taken: it is the newest, and those of its log are newer than those of others
 */
export const oldSetsIn = async (folder: string, keep: number, taken?: string): Promise<string[]> => {
  const sets = (await setsByContents(folder, Date.now())).filter(({ events }) => events !== undefined);
  const latest = sets.find(({ name }) => name === taken);
  const isOfLog = ({ log }: Placed) => latest !== undefined && log === latest.log;
  const ordered = [...sets.filter((set) => !isOfLog(set)), ...sets.filter(isOfLog)].filter((set) => set !== latest);
  const all = latest ? [...ordered, latest] : ordered;
  return all.slice(0, Math.max(0, all.length - keep)).map(({ name }) => name);
};

/** What a set does not have where files are in a bucket. */
export const filesLeftOut = (bucket: string): string =>
  `The files in the bucket ${bucket} are not in the set: copy the bucket, too, with the tools of its provider.`;
