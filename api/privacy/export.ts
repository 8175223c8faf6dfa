/** All that is held about the caller, as one JSON document that is sent while it is read. */
import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import { documentText, EXPORT_VERSION } from '../../commands/privacy/document.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { MINUTE_MS } from '../../domain/core/instants.ts';
import { route } from '../http/route.ts';
import { type Sending, Streamed, StreamOf } from '../http/streamed.ts';

/** Each holds a connection to the database until its reader has taken it. */
const AT_ONCE = 2;
let running = 0;
/** So long one may be read, however slowly its pieces are taken. The archive is for whoever needs longer. */
const LONGEST_MS = 15 * MINUTE_MS;

/**
 * It takes its place in the moment in which its stream is made, and gives it back when the stream is closed: read to its
 * end, failed, left by its client, also before the first byte, or read for too long.
 */
class Export extends Streamed {
  readonly #longestMs: number;
  constructor(text: AsyncIterable<string>, longestMs: number) {
    super('my-data.json', text);
    this.#longestMs = longestMs;
  }

  /** @throws Rejected while others have all places */
  override send(ctx: Context, sending: Sending): void {
    if (running >= AT_ONCE)
      throw new Rejected('too_many_attempts', 'Other exports are running. Try again in a minute.', {
        retry_after_s: 60,
      });
    super.send(ctx, sending);
    running += 1;
    const reading = ctx.body as Readable;
    const tooLong = setTimeout(() => reading.destroy(new Error('it was read too slowly')), this.#longestMs);
    reading.once('close', () => {
      clearTimeout(tooLong);
      running -= 1;
    });
  }
}

export const exportRouteWithin = (longestMs: number) =>
  route('GET /api/v1/me/export', {
    id: 'exportMe',
    access: 'user',
    rate: 'money',
    harm: 'account',
    summary: 'Export everything that is held about you',
    description: `One JSON document: \`schema_version\` (${EXPORT_VERSION}), \`exported_at\`, \`account_id\` and \`data\`. \`data\` has a list for each section: one for each read model and durable table that holds something about people, \`messages_received\` with what others sent to you, and \`personal_events\` with what the event log has of yours, also former values. All sections are of one instant. A document that is not read to its end within 15 minutes is cut off: ask for the archive. Each tracking session has the address of its GPX file (\`gpx_url\`). Files are listed with their ids: \`GET /attachments/{id}\` gives a link to each that is not withheld.`,
    reply: StreamOf('application/json'),
    errors: ['too_many_attempts'],
    handle: ({ caller, context }, app) => new Export(documentText(app, caller.id, context.at), longestMs),
  });

export const exportRoute = exportRouteWithin(LONGEST_MS);
