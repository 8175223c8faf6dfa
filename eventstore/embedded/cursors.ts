/**
 * Reads a stream or $all page by page, in either direction, with links resolved, as bytes that are ready to be sent.
 */
import { compileFilter } from './filter.ts';
import type { Log, PositionedRecord } from './log.ts';
import { LINK_EVENT } from './metadata.ts';
import { encodeResolvedLink, StoredRecord } from './record.ts';
import type { From, ReadRequest } from './requests.ts';
import { readableWindow } from './window.ts';

export interface Page {
  /** Messages to send, in order. */
  readonly responses: readonly Buffer[];
  /** Number of events that were examined, including those that the filter excludes. */
  readonly looked: number;
  /** Position of the last event that was examined; only known in $all. */
  readonly position?: number;
}

/** Examines up to `limit` further events. Fewer means that there are no more for now; it may be called again. */
export type Cursor = (limit: number) => Page;

/** Reads include the event that they start from, except backwards in $all. Subscriptions start after it. */
export const openCursor = (log: Log, request: ReadRequest): Cursor => {
  const isSubscription = request.count === undefined;
  const toResponse = request.resolveLinks ? (bytes: Buffer) => resolveLink(log, bytes) : (bytes: Buffer) => bytes;
  const { stream, from } = request;
  if (stream === undefined) {
    const select = selection(request, toResponse);
    if (request.direction === 'backwards') return allBackwards(log, from, select);
    return allForwards(log, isSubscription ? after(from, log.end) : from, select);
  }
  const pages = (responses: Buffer[]): Page => ({ responses: responses.map(toResponse), looked: responses.length });
  if (request.direction === 'backwards') return streamBackwards(log, stream, from, pages);
  return streamForwards(log, stream, isSubscription ? after(from, log.head(stream).revision + 1) : from, pages);
};

/** `end` as it is now, so that events written from here on are seen. */
const after = (from: From, end: number): From => (from === 'end' ? end : from === 'start' ? 'start' : from + 1);

const startOf = (from: From): number =>
  from === 'start' ? 0 : from === 'end' ? Number.MAX_SAFE_INTEGER : Math.min(from, Number.MAX_SAFE_INTEGER);

type Selection = (records: readonly PositionedRecord[]) => Page;

const selection = (request: ReadRequest, toResponse: (bytes: Buffer) => Buffer): Selection => {
  const matches = request.filter && compileFilter(request.filter);
  return (records) => ({
    responses: records
      .filter(({ bytes }) => !matches || matches(new StoredRecord(bytes)))
      .map(({ bytes }) => toResponse(bytes)),
    looked: records.length,
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

const streamForwards = (log: Log, stream: string, from: From, pages: (found: Buffer[]) => Page): Cursor => {
  let next = startOf(from);
  return (limit) => {
    const { first, last } = readableWindow(log, stream, log.head(stream), Date.now());
    const start = Math.max(next, first);
    if (start > last) return pages([]);
    const found = log.streamForwards(stream, start, last, limit);
    next = start + found.length;
    return pages(found);
  };
};

const streamBackwards = (log: Log, stream: string, from: From, pages: (found: Buffer[]) => Page): Cursor => {
  let next = startOf(from);
  return (limit) => {
    const { first, last } = readableWindow(log, stream, log.head(stream), Date.now());
    const start = Math.min(next, last);
    if (start < first) return pages([]);
    const found = log.streamBackwards(stream, start, first, limit);
    next = start - found.length;
    return pages(found);
  };
};

/** A link's data is `<revision>@<stream>`. If the target no longer exists, only the link itself is sent. */
const resolveLink = (log: Log, bytes: Buffer): Buffer => {
  const link = new StoredRecord(bytes);
  if (link.type !== LINK_EVENT) return bytes;
  const [, revision, stream] = /^(\d+)@(.+)$/s.exec(link.data) ?? [];
  const target = revision !== undefined && stream !== undefined ? readable(log, stream, Number(revision)) : undefined;
  return encodeResolvedLink(link, target && new StoredRecord(target));
};

const readable = (log: Log, stream: string, revision: number): Buffer | undefined => {
  const head = log.head(stream);
  const { first, last } = readableWindow(log, stream, head, Date.now());
  return head.tombstoned || revision < first || revision > last ? undefined : log.record(stream, revision);
};
