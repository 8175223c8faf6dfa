/** Replies that are the bytes of a file: whole, or the part that the client asks for (RFC 9110, 13 and 14). */
import type { Readable } from 'node:stream';
import { type TSchema, Type } from '@sinclair/typebox';
import type { Context } from 'koa';
import { hasCurrent } from './conditional.ts';
import { HttpError } from './errors.ts';
import { ById } from './route.ts';
import { mediaTypeOfStream, type Sending, StreamOf, StreamReply } from './streamed.ts';

/** The first and the last byte, counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface BytesFacts {
  /** Media type. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** Names these bytes: `"…"`, with the quotes. */
  readonly etag: string;
  /** For how many seconds everybody may cache it. `private`: nobody, because the next person at a computer must not find it. */
  readonly cache: 'private' | number;
  /** `attachment`: browsers save it and do not show it. */
  readonly disposition: 'inline' | 'attachment';
  /** Called only when bytes are sent. */
  readonly open: (range: ByteRange | undefined) => Promise<Readable>;
}

const PRIVATE = 'private, no-store';

/** A page that was uploaded must not act in our name: it gets an origin of its own, and loads nothing. */
const OF_FILES = "default-src 'none'; sandbox";

/**
 * The part that a `Range` header asks for; undefined: all of it, also for several parts and for what is no range.
 * @throws HttpError 416 when the file has no such part
 */
export const rangeOf = (header: string, size: number): ByteRange | undefined => {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header.trim()) ?? [];
  if (first === undefined || last === undefined || first + last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  if (start >= size || (first === '' && Number(last) === 0))
    throw new HttpError('range_not_satisfiable', `The file has ${size} bytes.`, {
      headers: { 'content-range': `bytes */${size}`, 'accept-ranges': 'bytes' },
    });
  return { start, end };
};

/** `If-Range`: a part is sent only of the version that the client has begun with. */
const wantedRange = (ctx: Context, { etag, size }: BytesFacts): ByteRange | undefined => {
  const header = ctx.get('range');
  const condition = ctx.get('if-range');
  return header === '' || (condition !== '' && condition !== etag) ? undefined : rangeOf(header, size);
};

/** A file, or the part of it that the client asks for. */
export class Bytes extends StreamReply {
  readonly #facts: BytesFacts;
  constructor(facts: BytesFacts) {
    super();
    this.#facts = facts;
  }

  override async send(ctx: Context, { onFailure }: Sending): Promise<void> {
    const { type, size, etag, cache, disposition, open } = this.#facts;
    ctx.set('etag', etag);
    ctx.set('cache-control', cache === 'private' ? PRIVATE : `public, max-age=${cache}`);
    ctx.set('content-security-policy', OF_FILES);
    ctx.set('cross-origin-resource-policy', 'cross-origin');
    if (hasCurrent(ctx.get('if-none-match'), etag)) {
      ctx.status = 304;
      return;
    }
    const range = wantedRange(ctx, this.#facts);
    const stream = ctx.method === 'HEAD' ? null : await open(range);
    ctx.status = range ? 206 : 200;
    ctx.set('content-type', type);
    ctx.set('content-disposition', disposition);
    ctx.set('accept-ranges', 'bytes');
    if (range) ctx.set('content-range', `bytes ${range.start}-${range.end}/${size}`);
    if (stream) ctx.body = stream.on('error', onFailure);
    ctx.length = range ? range.end - range.start + 1 : size;
    if (stream) return;
    ctx.respond = false;
    ctx.res.end();
  }
}

/** The schema of a reply of bytes. */
export const BytesReply = StreamOf('*/*');
export const isBytesReply = (schema: TSchema): boolean => mediaTypeOfStream(schema) === '*/*';

/** What operations share that answer bytes to whoever has a signed link (`infra/signedLinks.ts`). */
export const byLink = {
  access: 'public',
  rate: 'file',
  params: ById,
  query: Type.Object({
    expires: Type.Optional(Type.Integer({ minimum: 0, description: 'Of the link, seconds since 1970.' })),
    signature: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  reply: BytesReply,
  headers: { Range: 'One part of the file: `bytes=0-1023`.' },
  errors: ['not_found', 'link_expired'],
} as const;
