/**
 * A bucket with versioning, as Amazon S3 answers for it: a deletion without a version leaves a mark, former versions are
 * listed by pages, and one is deleted by its id, unless the bucket holds them.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Version {
  readonly key: string;
  readonly id: string;
  readonly isMark: boolean;
}

export interface VersionedBucket {
  readonly endpoint: string;
  /** Newest first. */
  readonly versions: Version[];
  /** What it refuses, with 403. */
  refuses: 'nothing' | 'listing' | 'deleting versions';
  close(): void;
}

/** So many versions are on a page of the list. */
const PAGE = 2;

const entry = ({ key, id, isMark }: Version): string => {
  const tag = isMark ? 'DeleteMarker' : 'Version';
  return `<${tag}><Key>${key}</Key><VersionId>${id}</VersionId><IsLatest>false</IsLatest></${tag}>`;
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
    return `<?xml version="1.0"?><ListVersionsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${next}${page.map(entry).join('')}</ListVersionsResult>`;
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://bucket');
    const key = decodeURIComponent(pathname.split('/').slice(2).join('/'));
    const versionId = searchParams.get('versionId');
    const answer = (status: number, text = '', headers: Record<string, string> = {}) => {
      response.writeHead(status, headers);
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
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    versions,
    refuses: 'nothing',
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return bucket;
};
