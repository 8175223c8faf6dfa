/**
 * The export with the person's files beside it, as a ZIP that a job makes and a link leads to. It is made in a file on the
 * worker's disk, entry by entry, and then kept in the file store for two days. Safe to repeat at every step: an archive
 * that was interrupted is made anew.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { notFound } from '../../domain/core/decider.ts';
import { addMs, DAY_MS, HOUR_MS } from '../../domain/core/instants.ts';
import { file, isThere, type StoredFile } from '../../domain/files/file.ts';
import { derivedId } from '../../infra/ids.ts';
import type { ExternalPersonalData } from '../../infra/personalData.ts';
import type { ErasureStep } from '../core/erasure.ts';
import type { CommandContext } from '../core/handle.ts';
import { defineJob } from '../core/jobs.ts';
import type { FileDeps } from '../files/deps.ts';
import { expectBytesGone } from '../files/erasure.ts';
import { FileMissing } from '../files/fileStore.ts';
import { filesOf } from '../files/unused.ts';
import { documentText } from './document.ts';
import { tellReady } from './notifications.ts';
import {
  archiveById,
  archiveReady,
  deleteArchiveRow,
  endArchivesOf,
  isMadeByFormerRelease,
  privacyPurpose,
  reportProgress,
  requestArchive,
} from './tables.ts';

export const exportArchives: ExternalPersonalData = {
  what: 'archives of exports: the file store, and the disk of the worker that makes one',
  where: 'files',
  why: privacyPurpose,
  retention: { until: 'two days after it is ready, when a job deletes it' },
  exported: 'it is the export itself',
  erased: 'nobody can download it at once; the bytes are deleted as soon as the file store answers',
};

/** So long an archive can be downloaded. */
const KEPT_MS = 2 * DAY_MS;
/** So long making one may take: nothing may hang for ever. */
const LONGEST_MS = HOUR_MS;
/** How often the progress is told. */
const REPORT_MS = 10_000;
/** When to look again after a process of the former release that makes it, or has died. */
const FORMER_MS = 90_000;
/** Each reads a person's whole data. */
const AT_ONCE = 2;

/** Of the bytes in the file store. */
export const archiveKey = (id: string): string => `${id}.export`;

const nameOf = (id: string, { mime }: StoredFile): string => `files/${id}.${mime.split('/')[1]}`;

interface Entry {
  readonly name: string;
  readonly compress: boolean;
  open(): Promise<Readable>;
}

const entriesOf = async (deps: FileDeps, person: string, at: string): Promise<Entry[]> => {
  const entries: Entry[] = [
    { name: 'my-data.json', compress: true, open: async () => Readable.from(documentText(deps, person, at)) },
  ];
  for (const id of await filesOf(deps.pool, person)) {
    const { state } = await deps.aggregates.load(file, id);
    if (isThere(state))
      // Pictures and videos are compressed already.
      entries.push({ name: nameOf(id, state), compress: false, open: () => deps.fileStore.get(id) });
  }
  return entries;
};

/** A file that was deleted since is left out by being empty. */
const opened = (entry: Entry): Promise<Readable> =>
  entry.open().catch((error: unknown) => {
    if (error instanceof FileMissing) return Readable.from([]);
    throw error;
  });

/** Writes the entries one after the other, as fast as the disk takes them. @param onEntry is told how many have begun */
const writeZip = async (
  to: string,
  entries: readonly Entry[],
  signal: AbortSignal,
  onEntry: (begun: number) => void,
) => {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error) => output.destroy(error as Error));
  // Whatever ends the archive early ends what is being read for it: the document holds a connection to the database.
  let reading: Readable | undefined;
  for (const [n, entry] of entries.entries())
    zip.addReadStreamLazy(entry.name, { compress: entry.compress }, (add) => {
      onEntry(n);
      opened(entry).then(
        (stream) => {
          reading = stream;
          if (output.destroyed) stream.destroy();
          else add(null, stream);
        },
        (error: unknown) => add(error, Readable.from([])),
      );
    });
  zip.end();
  try {
    await pipeline(output, createWriteStream(to, { mode: 0o600 }), { signal });
  } finally {
    reading?.destroy();
  }
};

/** Where a worker makes it. */
const pathOf = ({ settings }: FileDeps, id: string): string => path.join(settings.incomingDir, `${id}.zip`);

/** @param lost fires when another process may make it @returns false when it is not wanted any more */
const make = async (
  deps: FileDeps,
  id: string,
  person: string,
  at: string,
  lost: AbortSignal | undefined,
): Promise<boolean> => {
  const to = pathOf(deps, id);
  const entries = await entriesOf(deps, person, at);
  const unwanted = new AbortController();
  let begun = 0;
  const report = async () => {
    if (!(await reportProgress(deps.pool, id, begun, entries.length))) unwanted.abort();
  };
  await report();
  const reporting = setInterval(
    () => void report().catch((err: unknown) => deps.log.warn({ err }, 'no progress is told')),
    REPORT_MS,
  );
  try {
    await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
    const signal = AbortSignal.any([unwanted.signal, AbortSignal.timeout(LONGEST_MS), ...(lost ? [lost] : [])]);
    await writeZip(to, entries, signal, (n) => {
      begun = n;
    });
    await deps.fileStore.put(archiveKey(id), to, 'application/zip');
    const { size } = await stat(to);
    return await archiveReady(deps.pool, id, { size, expiresAt: addMs(at, KEPT_MS) });
  } catch (error) {
    if (unwanted.signal.aborted) return false;
    throw error;
  } finally {
    clearInterval(reporting);
    await rm(to, { force: true });
  }
};

const remove = async (deps: FileDeps, id: string): Promise<void> => {
  await rm(pathOf(deps, id), { force: true }); // of a process that died while it made it
  await deps.fileStore.remove(archiveKey(id));
  await deleteArchiveRow(deps.pool, id);
};

/** Makes the archive, and removes it when its time is over or it is not wanted any more. */
export const exportArchive = defineJob<object, FileDeps>(
  'export_archive',
  async ({ id, lost }, { deps, context }) => {
    const archive = await archiveById(deps.pool, id);
    if (archive?.status === 'ready' && archive.expires_at !== null && context.at < archive.expires_at) {
      // The process may have died before it was told.
      await tellReady(deps, context, id);
      return { againAt: archive.expires_at };
    }
    if (archive?.status !== 'waiting') {
      await remove(deps, id);
      return undefined;
    }
    if (await isMadeByFormerRelease(deps.pool, id)) return { againAt: addMs(context.at, FORMER_MS) };
    if (await make(deps, id, archive.person_id, context.at, lost)) {
      await tellReady(deps, context, id);
      return { againAt: addMs(context.at, KEPT_MS) };
    }
    await remove(deps, id);
    return undefined;
  },
  { longestMs: 2 * LONGEST_MS, atOnce: AT_ONCE }, // it is stored after it was made
);

/**
 * Asks for an archive; one that is being made is taken instead of a second one.
 * @returns its id
 * @throws Rejected `not_found` when the erasure of the account has begun
 */
export const requestExport = async (
  deps: Pick<FileDeps, 'pool' | 'jobs' | 'vault'>,
  context: CommandContext,
  person: string,
): Promise<string> => {
  const fresh = derivedId(context.commandId, 'export archive');
  await deps.vault.keyToWrite(person); // so that there is a row to decide on
  const asked = await requestArchive(deps.pool, { id: fresh, person, at: context.at });
  if (!asked) throw notFound('account');
  const { id, former } = asked;
  // Also for one that waits already: the process may have died before it set the job.
  await exportArchive.scheduleOnce(deps.jobs, context, { id, dueAt: context.at, data: {} });
  for (const each of former) await exportArchive.runNow(deps.jobs, each);
  return id;
};

/** Ends the archives of somebody who is erased: nobody downloads them any more, and what is being made is thrown away. */
export const removeArchives: ErasureStep<FileDeps> = async (deps, context, person) => {
  for (const id of await endArchivesOf(deps.pool, person))
    await expectBytesGone(deps, context, person, { holder: 'archives of exports', keys: [archiveKey(id)] });
};
