/** Requests on a condition: what the client has seen before. */
import type { RequestFacts } from './route.ts';

/**
 * If-None-Match, compared weakly (RFC 9110, 13.1.2). Koa's own `fresh` also heeds the request's Cache-Control, which is
 * meant for caches on the way: `fetch` sends `no-cache` with every conditional request.
 */
export const hasCurrent = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);

/**
 * An entity tag. With a revision it begins with it: `"12-…"`. The rest changes with anything in the reply; a change is made
 * conditional on the revision only.
 */
export const etagOf = (hash: string, revision?: number): string =>
  revision === undefined ? `"${hash}"` : `"${revision}-${hash}"`;

/** The revisions that `If-Match` allows; undefined: any. A tag without a revision allows none. */
export const revisionsIn = (ifMatch: string | undefined): readonly number[] | undefined => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  return [...ifMatch.matchAll(/(?:^|,)\s*"(\d{1,15})(?:-[^"]*)?"/g)].map(([, revision]) => Number(revision));
};

/** Documents `If-Match` of a change. @param what is changed: `the configuration` */
export const ifMatch = (what: string) => ({ 'If-Match': `The \`ETag\` of ${what}: 412 when it was changed since.` });

/** The revisions on which a change is made; undefined: any. */
export const askedRevisions = ({ header }: Pick<RequestFacts, 'header'>) => revisionsIn(header('if-match'));

/** Tells the revision after a change, for the next one. */
export const tellRevision = ({ setHeader }: Pick<RequestFacts, 'setHeader'>, revision: number): void =>
  setHeader('etag', etagOf('', revision));
