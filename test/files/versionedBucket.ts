/**
 * A bucket with versioning, as Amazon S3 answers for it: a deletion without a version leaves a mark, former versions are
 * listed by pages, and one is deleted by its id, unless the bucket holds them.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FileStore } from '../../commands/files/fileStore.ts';
import { createS3Store } from '../../commands/files/s3Store.ts';

interface Version {
  readonly key: string;
  readonly id: string;
  readonly isMark: boolean;
}

export interface VersionedBucket {
  readonly store: FileStore;
  /** Newest first. */
  readonly versions: Version[];
  /** What it refuses, with 403. */
  refuses: 'nothing' | 'listing' | 'deleting versions';
  /** As release 0.1.0 deleted an object: what it was stays as a former version. */
  deleteOnlyTheObject(key: string): void;
  close(): void;
}

/** What every answer of an S3 server has, errors too. https://docs.aws.amazon.com/AmazonS3/latest/API/RESTCommonResponseHeaders.html */
export const OF_S3 = { 'x-amz-request-id': 'TX000000000000000000001' };
export const OF_S3_XML = { ...OF_S3, 'content-type': 'application/xml' };

/** So many versions are on a page of the list. */
const PAGE = 2;

const entry = ({ key, id, isMark }: Version, isLatest: boolean): string => {
  const tag = isMark ? 'DeleteMarker' : 'Version';
  return `<${tag}><Key>${key}</Key><VersionId>${id}</VersionId><IsLatest>${isLatest}</IsLatest></${tag}>`;
};

export const startVersionedBucket = async (): Promise<VersionedBucket> => {
  const versions: Version[] = [];
  let made = 0;
  const add = (key: string, isMark: boolean): Version => {
    made += 1;
    const version = { key, id: `v${made}`, isMark };
    versions.unshift(version);
    return version;
  };
  const listed = (query: URLSearchParams): string => {
    const all = versions
      .filter(({ key }) => key.startsWith(query.get('prefix') ?? ''))
      .filter(({ key }) => !query.has('delimiter') || !key.includes('/'))
      .toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
    const [afterKey, afterId] = [query.get('key-marker'), query.get('version-id-marker')];
    // As in the real one, what was deleted meanwhile does not shift the pages.
    const rest = afterKey
      ? all.filter(
          ({ key, id }) => key > afterKey || (key === afterKey && Number(id.slice(1)) < Number(afterId?.slice(1))),
        )
      : all;
    const page = rest.slice(0, PAGE);
    const last = page.at(-1);
    const next =
      rest.length > PAGE && last
        ? `<IsTruncated>true</IsTruncated><NextKeyMarker>${last.key}</NextKeyMarker><NextVersionIdMarker>${last.id}</NextVersionIdMarker>`
        : '<IsTruncated>false</IsTruncated>';
    const entries = page.map((each) => entry(each, versions.find(({ key }) => key === each.key) === each));
    return `<?xml version="1.0"?><ListVersionsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${next}${entries.join('')}</ListVersionsResult>`;
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://bucket');
    const key = decodeURIComponent(pathname.split('/').slice(2).join('/'));
    const versionId = searchParams.get('versionId');
    const answer = (status: number, text = '', headers: Record<string, string> = {}) => {
      response.writeHead(status, { ...(text === '' ? OF_S3 : OF_S3_XML), ...headers });
      response.end(text);
    };
    const refused = () => answer(403, '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>');
    request.resume().on('end', () => {
      if (request.method === 'PUT') return answer(200, '', { 'x-amz-version-id': add(key, false).id });
      if (request.method === 'GET' && searchParams.has('versions'))
        return bucket.refuses === 'listing' ? refused() : answer(200, listed(searchParams));
      if (request.method !== 'DELETE') return answer(501);
      if (versionId === null)
        return answer(204, '', { 'x-amz-delete-marker': 'true', 'x-amz-version-id': add(key, true).id });
      if (bucket.refuses === 'deleting versions') return refused();
      const at = versions.findIndex((each) => each.key === key && each.id === versionId);
      if (at >= 0) versions.splice(at, 1);
      return answer(204, '', { 'x-amz-version-id': versionId });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bucket: VersionedBucket = {
    store: createS3Store({
      bucket: 'uploads',
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: 'us-east-1',
      credentials: { accessKeyId: 'a key', secretAccessKey: 'its secret' },
      pathStyle: true,
    }),
    versions,
    refuses: 'nothing',
    deleteOnlyTheObject: (key) => void add(key, true),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return bucket;
};
