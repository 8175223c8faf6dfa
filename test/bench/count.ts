/**
 * Loaded into the processes of the measured system (`NODE_OPTIONS=--import`): counts its calls to the event store. A call
 * is one request over HTTP/2; each append over the shared call of all appends counts too. The counts are written to a
 * file, because nothing in the product should know of this.
 */
import { renameSync, writeFileSync } from 'node:fs';
import http2 from 'node:http2';
import path from 'node:path';

const EVERY_MS = 500;
/** How the name of a file ends that is being written. */
export const UNFINISHED = '.unfinished';
const directory = process.env.BENCH_COUNTS;

if (directory !== undefined) {
  let calls = 0;
  let written = 0;
  const connect = http2.connect;
  const counting = (...args: Parameters<typeof connect>): http2.ClientHttp2Session => {
    const session = connect(...args);
    const request = session.request.bind(session);
    session.request = (headers, options) => {
      const stream = request(headers, options);
      const isShared = String((headers as http2.OutgoingHttpHeaders)[':path']).endsWith('/BatchAppend');
      if (!isShared) calls += 1;
      else {
        const write = stream.write.bind(stream) as (...parts: unknown[]) => boolean;
        stream.write = ((...parts: unknown[]) => {
          calls += 1;
          return write(...parts);
        }) as typeof stream.write;
      }
      return stream;
    };
    return session;
  };
  http2.connect = counting as typeof connect;
  setInterval(() => {
    if (calls === written) return;
    written = calls;
    // Renamed, so that nobody reads a file that is being written.
    const file = path.join(directory, String(process.pid));
    writeFileSync(`${file}${UNFINISHED}`, String(calls));
    renameSync(`${file}${UNFINISHED}`, file);
  }, EVERY_MS).unref();
}
