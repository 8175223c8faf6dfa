/**
 * Reads a stream or $all page by page, in either direction, with links resolved, as bytes that are ready to be sent.
 */
import { compileFilter } from './filter.ts';
import type { Log, PositionedRecord, Slice } from './log.ts';
import { LINK_EVENT } from './metadata.ts';
import { encodeResolvedLink, StoredRecord } from './record.ts';
import type { From, ReadRequest } from './requests.ts';
import { readableWindow } from './window.ts';

export interface Page {
  /** Messages to send, in order. */
  readonly responses: readonly Buffer[];
  /** Number of events that were examined, including those that the filter excludes. */
  readonly looked: number;
  /** There was nothing beyond this page when it was read. */
  readonly isLast: boolean;
  /** Position of the last event that was examined; only known in $all. */
  readonly position?: number;
}

/**
 * Examines up to `limit` further events; it may be called again after the last page. A live subscription to a stream
 * also gets the events that metadata hides by now.
 */
export type Cursor = (limit: number, isLive?: boolean) => Page;

/** Whether a reader may see a record already. */
type IsVisible = (bytes: Buffer) => boolean;

/** Reads include the event that they start from, except backwards in $all. Subscriptions start after it. */
export const openCursor = (log: Log, request: ReadRequest, isVisible: IsVisible = () => true): Cursor => {
  const isSubscription = request.count === undefined;
  const toResponse = request.resolveLinks ? (bytes: Buffer) => resolveLink(log, bytes) : (bytes: Buffer) => bytes;
  const { stream, from } = request;
  if (stream === undefined) {
    const select = selection(request, toResponse, isVisible);
    if (request.direction === 'backwards') return allBackwards(log, from, select);
    return allForwards(log, isSubscription ? after(from, log.end) : from, select);
  }
  const pages = ({ records, isLast }: Slice<Buffer>): Page => ({
    responses: records.filter(isVisible).map(toResponse),
    looked: records.length,
    isLast,
  });
  if (request.direction === 'backwards') return streamBackwards(log, stream, from, pages);
  return streamForwards(log, stream, isSubscription ? after(from, log.head(stream).revision + 1) : from, pages);
};

/** `end` as it is now, so that events written from here on are seen. */
const after = (from: From, end: number): From => (from === 'end' ? end : from === 'start' ? 'start' : from + 1);

const startOf = (from: From): number =>
  from === 'start' ? 0 : from === 'end' ? Number.MAX_SAFE_INTEGER : Math.min(from, Number.MAX_SAFE_INTEGER);

type Selection = (slice: Slice<PositionedRecord>) => Page;

const selection = (request: ReadRequest, toResponse: (bytes: Buffer) => Buffer, isVisible: IsVisible): Selection => {
  const matches = request.filter && compileFilter(request.filter);
  return ({ records, isLast }) => ({
    responses: records
      .filter(({ bytes }) => isVisible(bytes) && (!matches || matches(new StoredRecord(bytes))))
      .map(({ bytes }) => toResponse(bytes)),
    looked: records.length,
    isLast,
    position: records.at(-1)?.position,
  });
};

const allForwards = (log: Log, from: From, select: Selection): Cursor => {
  let next = startOf(from);
  return (limit) => {
    const page = select(log.allForwards(next, limit));
    if (page.position !== undefined) next = page.position + 1;
    return page;
  };
};

const allBackwards = (log: Log, from: From, select: Selection): Cursor => {
  let below = startOf(from);
  return (limit) => {
    const page = select(log.allBackwards(below, limit));
    below = page.position ?? 0;
    return page;
  };
};

const NONE: Slice<Buffer> = { records: [], isLast: true };

const streamForwards = (log: Log, stream: string, from: From, pages: (found: Slice<Buffer>) => Page): Cursor => {
  let next = startOf(from);
  return (limit, isLive = false) => {
    const head = log.head(stream);
    const { first, last } = isLive
      ? { first: next, last: head.revision }
      : readableWindow(log, stream, head, Date.now());
    const start = Math.max(next, first);
    if (start > last) return pages(NONE);
    const found = log.streamForwards(stream, start, last, limit);
    next = start + found.records.length;
    return pages(found);
  };
};

const streamBackwards = (log: Log, stream: string, from: From, pages: (found: Slice<Buffer>) => Page): Cursor => {
  let next = startOf(from);
  return (limit) => {
    const { first, last } = readableWindow(log, stream, log.head(stream), Date.now());
    const start = Math.min(next, last);
    if (start < first) return pages(NONE);
    const found = log.streamBackwards(stream, start, first, limit);
    next = start - found.records.length;
    return pages(found);
  };
};

/**
 * A link's data is `<revision>@<stream>`, with -1 for the last revision. If the target no longer exists, only the link
 * itself is sent; a link that names no target is an event like any other.
 */
const resolveLink = (log: Log, bytes: Buffer): Buffer => {
  const link = new StoredRecord(bytes);
  if (link.type !== LINK_EVENT) return bytes;
  const [, revision, stream] = /^(-?\d+)@(.+)$/s.exec(link.data) ?? [];
  if (revision === undefined || stream === undefined) return bytes;
  const target = readable(log, stream, Number(revision));
  return encodeResolvedLink(link, target && new StoredRecord(target));
};

const readable = (log: Log, stream: string, revision: number): Buffer | undefined => {
  const head = log.head(stream);
  const { first, last } = readableWindow(log, stream, head, Date.now());
  const wanted = revision === -1 ? last : revision;
  return head.tombstoned || wanted < first || wanted > last ? undefined : log.record(stream, wanted);
};
