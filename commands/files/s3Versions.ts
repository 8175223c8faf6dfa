/** What a bucket with versioning keeps of an object that was deleted or replaced. */
import type { DeleteMarkerEntry, ListObjectVersionsCommandOutput, ObjectVersion, S3Client } from '@aws-sdk/client-s3';
import type { FormerVersions } from './fileStore.ts';

export type Sdk = typeof import('@aws-sdk/client-s3');

export interface Bucket {
  readonly sdk: Sdk;
  readonly client: Pick<S3Client, 'send'>;
  readonly bucket: string;
}

/**
 * It does not permit it, as with an object lock or a key without the right, or does not know the request. A server that is
 * busy, or has no such bucket, says nothing about versions.
 */
export const isRefused = (error: unknown): boolean => {
  const { httpStatusCode = 0 } = (error as { $metadata?: { httpStatusCode?: number } }).$metadata ?? {};
  if (httpStatusCode === 404 || httpStatusCode === 429) return false;
  return (httpStatusCode >= 400 && httpStatusCode < 500) || httpStatusCode === 501;
};

interface Version {
  readonly key: string;
  readonly id: string;
  /** That the object was deleted: it has no bytes. */
  readonly isMark: boolean;
  /** Undefined: the server does not say. */
  readonly isLatest: boolean | undefined;
}

const versionsIn =
  (isMark: boolean) =>
  ({ Key, VersionId, IsLatest }: ObjectVersion | DeleteMarkerEntry): Version[] =>
    // A deletion without the id of a version would be one of the object.
    Key && VersionId ? [{ key: Key, id: VersionId, isMark, isLatest: IsLatest }] : [];

/**
 * All versions of the objects whose keys begin with `prefix`, by pages. Keys come in their order. Keys in folders of the
 * bucket are left out: ours have none.
 */
async function* pagesOf({ sdk, client, bucket }: Bucket, prefix: string): AsyncGenerator<readonly Version[]> {
  let from: { KeyMarker?: string; VersionIdMarker?: string } | undefined = {};
  while (from) {
    const page: ListObjectVersionsCommandOutput = await client.send(
      new sdk.ListObjectVersionsCommand({ Bucket: bucket, Prefix: prefix, Delimiter: '/', ...from }),
    );
    yield [
      ...(page.Versions ?? []).flatMap(versionsIn(false)),
      ...(page.DeleteMarkers ?? []).flatMap(versionsIn(true)),
    ];
    const { IsTruncated, NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page;
    from = IsTruncated && KeyMarker ? { KeyMarker, ...(VersionIdMarker && { VersionIdMarker }) } : undefined;
  }
}

/** All versions of one object. */
async function* versionsOf(bucket: Bucket, key: string): AsyncGenerator<Version> {
  for await (const page of pagesOf(bucket, key)) {
    for (const version of page) if (version.key === key) yield version;
    // Other keys begin with this one, such as that of the thumbnail. After another one, this one does not come again.
    if (page.some((version) => version.key !== key)) return;
  }
}

/** One that somebody else has just deleted is gone, too. */
const deleteVersion = async ({ sdk, client, bucket }: Bucket, { key, id }: Version): Promise<void> => {
  try {
    await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key, VersionId: id }));
  } catch (error) {
    if (!['NoSuchVersion', 'NoSuchKey'].includes((error as Error).name)) throw error;
  }
};

/** Deletes all that the bucket keeps of an object that was deleted. */
export const removeVersions = async (bucket: Bucket, key: string): Promise<void> => {
  for await (const version of versionsOf(bucket, key)) await deleteVersion(bucket, version);
};

/** Deletes all versions of an object but the latest one, be it its bytes or the mark that it was deleted. */
export const removeFormerVersions = async (bucket: Bucket, key: string): Promise<void> => {
  for await (const version of versionsOf(bucket, key))
    if (version.isLatest === false) await deleteVersion(bucket, version);
};

/** Deletes the mark that an object was deleted, where nothing else of it is left: without it, former bytes were back. */
export const removeLastMark = async (bucket: Bucket, key: string): Promise<void> => {
  const left: Version[] = [];
  for await (const version of versionsOf(bucket, key)) if (left.push(version) > 1) return;
  const [last] = left;
  if (last?.isMark) await deleteVersion(bucket, last);
};

/** What is kept of objects beside their latest bytes, object by object. */
export async function* formerVersions(bucket: Bucket): AsyncGenerator<FormerVersions> {
  let kept = new Map<string, FormerVersions>();
  for await (const page of pagesOf(bucket, '')) {
    for (const { key, isMark, isLatest } of page) {
      if (!isMark && isLatest !== false) continue;
      const { versions, marks, isDeleted } = kept.get(key) ?? { versions: 0, marks: 0, isDeleted: false };
      kept.set(key, {
        key,
        versions: versions + Number(!isMark),
        marks: marks + Number(isMark),
        isDeleted: isDeleted || (isMark && isLatest === true),
      });
    }
    // The last one may go on on the next page.
    const all = [...kept.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
    const last = all.pop();
    yield* all;
    kept = new Map(last && [[last.key, last]]);
  }
  yield* kept.values();
}
