/**
 * Uploads. In this order: room is reserved and the deletion of what is not used is planned; the bytes arrive, are
 * inspected and stored; then the event is recorded, from which on the file exists. A crash leaves bytes that nobody can
 * reach, and the planned deletion finds them.
 */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Rejected } from '../../domain/core/decider.ts';
import { DAY_S, HOUR_S } from '../../domain/core/instants.ts';
import { file, type Uploaded } from '../../domain/files/file.ts';
import { type FolderName, folderOf, maxBytesOf } from '../../domain/files/folders.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { leftOf, uncounted, withDeadline } from '../../infra/deadline.ts';
import { derivedId } from '../../infra/ids.ts';
import { withTimeout } from '../../infra/retry.ts';
import { scaled } from '../../infra/scaled.ts';
import { countOrRefuse } from '../accounts/counters.ts';
import type { CommandContext } from '../core/handle.ts';
import type { FileDeps } from './deps.ts';
import { keysOf } from './fileStore.ts';
import { inspect, madeBeside } from './inspect.ts';
import { inMiB } from './refusals.ts';
import { deleteIfUnused, deleteSoon, forgetFile, type Reservation, reserve, setSize } from './unused.ts';

/** Uploads of one account, multiplied by `RATE_LIMITS`. */
const PER_HOUR = 120;
const PER_DAY = 500;
/** From the arrival of an upload until it is stored. Its sender waits without a byte, and is cut off after 60 s. */
const STORED_WITHIN_MS = 45_000;
/** Bytes of one account that nothing uses. */
const MOST_UNUSED = 500 * 1024 * 1024;

export interface NewUpload {
  readonly ownerId: string;
  /** Whether the role of the owner may offer things in the catalog. */
  readonly sells: boolean;
  readonly folder: FolderName;
  /** What the client says it sends, in bytes; undefined: it does not say. */
  readonly announced: number | undefined;
}

/** Receives the bytes into a new file at `path`. @throws what refuses more than `maxBytes` */
export type Receive = (path: string, maxBytes: number) => Promise<void>;

type Deps = Pick<FileDeps, 'aggregates' | 'fileStore' | 'fileReader' | 'pool' | 'jobs' | 'vault' | 'settings' | 'log'>;

const countUpload = async ({ pool, vault, settings }: Deps, ownerId: string, at: string): Promise<void> => {
  const counter = (name: string, max: number, seconds: number) => ({
    key: vault.fingerprint('uploads', `${name} ${ownerId}`),
    max: scaled(max, settings.rateLimits),
    seconds,
  });
  const counters = [counter('hour', PER_HOUR, HOUR_S), counter('day', PER_DAY, DAY_S)];
  const tooMany = (seconds: number) => `You have uploaded too many files. Try again in ${seconds} s.`;
  await countOrRefuse(pool, counters, at, tooMany, 'upload_limit');
};

const mayUpload = ({ folder, sells }: NewUpload): void => {
  if (folderOf(folder).by === 'sellers' && !sells)
    throw new Rejected('insufficient_rights', `Only sellers may upload to the folder ${folder}.`);
};

const makeRoom = async (deps: Deps, reservation: Reservation): Promise<void> => {
  if (await reserve(deps, reservation, MOST_UNUSED)) return;
  throw new Rejected(
    'upload_limit',
    `Your files that nothing uses have ${inMiB(MOST_UNUSED)}, which is the most. Delete some: they are deleted after a day.`,
    { retry_after_s: HOUR_S },
  );
};

/** Stores what has arrived at `incoming`. @returns what it is */
const store = async (deps: Deps, incoming: string, id: string, { folder, ownerId }: NewUpload): Promise<Uploaded> => {
  const inspected = { path: incoming, folder, ownerId };
  const inspecting = inspect(deps.fileReader, inspected);
  const {
    path: prepared,
    thumbnail,
    facts,
  } = await withTimeout(inspecting, leftOf(STORED_WITHIN_MS), 'reading a file');
  const keys = keysOf(id);
  if (thumbnail !== undefined) await deps.fileStore.put(keys.thumbnail, thumbnail, 'image/webp');
  await deps.fileStore.put(keys.file, prepared, facts.mime);
  await setSize(deps.pool, id, facts.size);
  return { ownerId, folder, ...facts };
};

/**
 * Takes an upload.
 * @param assertWanted throws when its sender is gone: nobody would be told of the file, and a repetition makes another one
 * @returns its id, and what was recorded
 * @throws Rejected `insufficient_rights`, `upload_limit` with `retry_after_s`, `invalid` for a damaged file
 * @throws UploadRefused, Overloaded, FileStoreAway, StoreUnavailable, TimedOut, and what the last two throw
 */
export const uploadFile = async (
  deps: Deps,
  context: CommandContext,
  upload: NewUpload,
  receive: Receive,
  assertWanted: () => void = () => undefined,
): Promise<{ readonly id: string; readonly upload: Uploaded }> => {
  mayUpload(upload);
  const { ownerId, folder, announced = Number.POSITIVE_INFINITY } = upload;
  const { at } = context;
  await countUpload(deps, ownerId, at);
  const id = derivedId(context.commandId, 'file');
  const bytes = Math.min(announced, maxBytesOf(folder));
  const { incomingDir } = deps.settings;
  const incoming = path.join(incomingDir, id);
  await deleteIfUnused(deps.jobs, id, context);
  try {
    await makeRoom(deps, { id, ownerId, bytes, at });
    await mkdir(incomingDir, { recursive: true, mode: 0o700 });
    await uncounted(() => receive(incoming, maxBytesOf(folder)));
    const recorded = await uncounted(() => withDeadline(STORED_WITHIN_MS, () => store(deps, incoming, id, upload)));
    assertWanted();
    await deps.aggregates.handle(file, id, { type: 'RecordUpload', upload: recorded }, context);
    return { id, upload: recorded };
  } catch (error) {
    // Otherwise the event may have been recorded: the planned deletion finds out.
    if (!(error instanceof StoreUnavailable)) await giveUp(deps, id, context);
    throw error;
  } finally {
    const left = [incoming, ...Object.values(madeBeside(incoming))];
    await Promise.all(left.map((path) => rm(path, { force: true })));
  }
};

/** Frees the room at once. What does not succeed now is soon done by the planned deletion. */
const giveUp = async (deps: Deps, id: string, context: CommandContext): Promise<void> => {
  try {
    await forgetFile(deps, id);
  } catch (err) {
    deps.log.warn({ err, file: id }, 'an upload was not cleared away');
    await deleteSoon(deps.jobs, id, context).catch((error: unknown) =>
      deps.log.warn({ err: error, file: id }, 'an upload is cleared away a day later'),
    );
  }
};
