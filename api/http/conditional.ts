/** Requests on a condition: what the client has seen before. */
import type { CommandContext } from '../../commands/core/handle.ts';
import { streamName } from '../../domain/core/decider.ts';
import type { RequestFacts, Route } from './route.ts';

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

/** The revisions on which a change is made; undefined: any. */
export const askedRevisions = ({ header }: Pick<RequestFacts, 'header'>) => revisionsIn(header('if-match'));

/** Tells the revision of what is shown, or after a change: the ETag begins with it. */
export const tellRevision = ({ setHeader }: Pick<RequestFacts, 'setHeader'>, revision: number): void =>
  setHeader('etag', etagOf('', revision));

/** The stream that an operation changes on a condition; undefined: none, or its handler compares by itself. */
export const changedStream = ({ spec: { ifMatch } }: Pick<Route, 'spec'>, params: unknown): string | undefined =>
  ifMatch?.category === undefined ? undefined : streamName(ifMatch.category, (params as { readonly id: string }).id);

/** What the command of such an operation is told. */
export const onlyAt = (stream: string | undefined, ifMatch: string | undefined): Pick<CommandContext, 'onlyAt'> => {
  const revisions = stream === undefined ? undefined : revisionsIn(ifMatch);
  return stream === undefined || revisions === undefined ? {} : { onlyAt: { stream, revisions } };
};
