/**
 * What a bucket with versioning still keeps of files that are gone. Release 0.1.0 deleted objects without their former
 * versions: all bytes stayed, those of erased people, too. Where it is known whose they were, a correction beside the
 * certificate of the erasure says that they have gone now; of the others only how many there were.
 */
import { certificateOf, correctParts } from '../commands/core/certificateParts.ts';
import type { Aggregates } from '../commands/core/handle.ts';
import { HOLDER_OF_FILES } from '../commands/files/erasure.ts';
import { type FileStore, type FormerVersions, keysOf } from '../commands/files/fileStore.ts';
import { archiveKey } from '../commands/privacy/archives.ts';
import { archiveById } from '../commands/privacy/tables.ts';
import { recordingKey } from '../commands/voice/livekit.ts';
import { file, isThere } from '../domain/files/file.ts';
import { voiceRecording } from '../domain/voice/recording.ts';
import type { Vault } from '../eventstore/vault.ts';
import { concurrentEach } from '../infra/concurrentEach.ts';
import { inTransaction, type Pool } from '../infra/postgres.ts';

interface Deps {
  readonly fileStore: FileStore;
  readonly aggregates: Pick<Aggregates, 'load'>;
  readonly pool: Pool;
  readonly vault: Pick<Vault, 'fingerprint'>;
}

/** `isShown`: the system still leads to it. `owner`: undefined where it is not known any more. */
interface About {
  readonly isShown: boolean;
  readonly owner?: string;
}

interface Kind {
  keysOf(id: string): readonly string[];
  about(deps: Deps, id: string): Promise<About>;
}

/** All that this system stores in a bucket. */
const kinds: readonly Kind[] = [
  {
    keysOf: (id) => Object.values(keysOf(id)),
    about: async ({ aggregates }, id) => {
      const { state } = await aggregates.load(file, id);
      return state.status === 'none' ? { isShown: false } : { isShown: isThere(state), owner: state.ownerId };
    },
  },
  {
    keysOf: (id) => [archiveKey(id)],
    about: async ({ pool }, id) => ({ isShown: (await archiveById(pool, id))?.status === 'ready' }),
  },
  {
    keysOf: (id) => [recordingKey(id)],
    about: async ({ aggregates }, id) => {
      const { state } = await aggregates.load(voiceRecording, id);
      return { isShown: !['none', 'removed', 'failed'].includes(state.status) };
    },
  },
];

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** One file, archive or recording, and what is kept of its objects. */
interface Thing {
  readonly id: string;
  readonly kind: Kind;
  readonly objects: FormerVersions[];
}

/** Objects that this system has not stored are left out. */
async function* formerThings(store: FileStore): AsyncGenerator<Thing> {
  let thing: Thing | undefined;
  for await (const object of store.former()) {
    const id = ID.exec(object.key)?.[0];
    const kind = id && kinds.find((each) => each.keysOf(id).includes(object.key));
    if (!id || !kind) continue;
    // Keys come in their order: those of one file one after the other.
    if (thing?.id === id && thing.kind === kind) thing.objects.push(object);
    else {
      if (thing) yield thing;
      thing = { id, kind, objects: [object] };
    }
  }
  if (thing) yield thing;
}

/** Counts of objects, but for `versions` and `marks`. */
interface FormerFiles {
  /** Of which former versions, or the mark that they were deleted, are there. */
  readonly objects: number;
  readonly versions: number;
  readonly marks: number;
  /** Deleted in the bucket by somebody else, although the system shows them: not touched. */
  readonly still_shown: number;
  /** The bucket does not let us delete what it keeps of them. */
  readonly refused: number;
  /** How many files are said in corrections beside certificates. */
  readonly corrected: number;
}

/** So many files are deleted before it is said whose they were. */
const BATCH = 100;
const AT_ONCE = 8;

/** Whose erasure is done, and does not count its files itself when the bucket has confirmed it. */
const certified = async (pool: Pool, certificates: readonly string[]): Promise<ReadonlySet<string>> => {
  const { rows } = await pool.query<{ id: string }>(
    `select id from ops.erasure_certificates c where id = any($1) and done_at is not null
       and not exists (select from ops.outside_erasures where certificate_id = c.id and holder = $2)`,
    [certificates, HOLDER_OF_FILES],
  );
  return new Set(rows.map(({ id }) => id));
};

/** @returns how many files are said */
const correct = async ({ pool, vault }: Deps, owners: readonly string[]): Promise<number> => {
  const files = new Map<string, number>();
  for (const owner of owners) {
    const certificate = certificateOf(vault, owner);
    files.set(certificate, (files.get(certificate) ?? 0) + 1);
  }
  const erased = await certified(pool, [...files.keys()]);
  const parts = [...files]
    .filter(([certificate]) => erased.has(certificate))
    .map(([certificate, count]) => ({ certificate, holder: HOLDER_OF_FILES, outcome: 'deleted', count }) as const);
  return inTransaction(pool, (client) => correctParts(client, parts));
};

type Counts = { -readonly [Name in keyof FormerFiles]: FormerFiles[Name] };

/**
 * Former bytes first, then the corrections, then the marks: what is killed in between is found by the marks when it is
 * repeated, and said then.
 */
const removeBatch = async (deps: Deps, things: readonly Thing[], counts: Counts, isListing: boolean): Promise<void> => {
  const owners: string[] = [];
  const marked: string[] = [];
  await concurrentEach(things, AT_ONCE, async ({ id, kind, objects }) => {
    const { isShown, owner } = await kind.about(deps, id);
    let hasGone = !isShown;
    for (const { key, versions, marks, isDeleted } of objects) {
      counts.objects += 1;
      counts.versions += versions;
      counts.marks += marks;
      // Only the bucket can bring it back.
      if (isShown && isDeleted) counts.still_shown += 1;
      else if (!isListing) {
        const isLeft = (await deps.fileStore.removeFormer(key)) === 'versions_left';
        if (isLeft) counts.refused += 1;
        else if (isDeleted) marked.push(key);
        hasGone &&= isDeleted && !isLeft;
      }
    }
    if (hasGone && !isListing && owner !== undefined) owners.push(owner);
  });
  if (owners.length > 0) counts.corrected += await correct(deps, owners);
  await concurrentEach(marked, AT_ONCE, async (key) => {
    if ((await deps.fileStore.removeMark(key)) === 'versions_left') counts.refused += 1;
  });
};

/**
 * Counts what the bucket keeps of files that were deleted or replaced, and deletes it. Safe to interrupt, and to repeat.
 * @param options.isListing whether nothing is deleted
 * @throws FileStoreAway
 */
export const removeFormerFiles = async (
  deps: Deps,
  { isListing, signal }: { readonly isListing: boolean; readonly signal: AbortSignal },
): Promise<FormerFiles> => {
  const counts: Counts = { objects: 0, versions: 0, marks: 0, still_shown: 0, refused: 0, corrected: 0 };
  let batch: Thing[] = [];
  for await (const thing of formerThings(deps.fileStore)) {
    batch.push(thing);
    if (batch.length < BATCH) continue;
    await removeBatch(deps, batch, counts, isListing);
    batch = [];
    if (signal.aborted) break;
  }
  await removeBatch(deps, batch, counts, isListing);
  return counts;
};
