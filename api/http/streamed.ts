/** Replies that are no JSON and send themselves: files, and what is long and sent while it is made. */
import { Readable } from 'node:stream';
import { type TSchema, type TUnsafe, Type } from '@sinclair/typebox';
import type { Context } from 'koa';

export interface Sending {
  /** As the route declares it. */
  readonly mediaType: string;
  /** Called when making the reply fails. The connection is cut, so that nobody takes a part for all. */
  readonly onFailure: (error: Error) => void;
}

/** What a handler returns for a reply with the schema `StreamOf`. */
export abstract class StreamReply {
  abstract send(ctx: Context, sending: Sending): void | Promise<void>;
}

/** The schema of a reply that sends itself. */
export const StreamOf = (mediaType: string): TUnsafe<StreamReply> =>
  Type.Unsafe<StreamReply>({ type: 'string', contentMediaType: mediaType });

/** Undefined when the reply says none. */
export const mediaTypeOfStream = ({ contentMediaType }: TSchema): string | undefined =>
  typeof contentMediaType === 'string' ? contentMediaType : undefined;

/** A text that a client downloads, read as fast as the client takes it. */
export class Streamed extends StreamReply {
  readonly #fileName: string;
  readonly #chunks: AsyncIterable<string>;
  constructor(fileName: string, chunks: AsyncIterable<string>) {
    super();
    this.#fileName = fileName;
    this.#chunks = chunks;
  }

  override send(ctx: Context, { mediaType, onFailure }: Sending): void {
    ctx.status = 200;
    ctx.type = mediaType;
    ctx.set('cache-control', 'no-store');
    ctx.attachment(this.#fileName);
    ctx.body = Readable.from(this.#chunks).on('error', onFailure);
  }
}
