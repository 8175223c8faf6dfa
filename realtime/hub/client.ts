/** A client that loses no change: keeps a cursor per channel, reconnects with backoff and resumes from its cursors. */
import { WebSocket } from 'ws';
import { createBackoff, sleep } from '../../infra/retry.ts';
import { type Cursor, closeCodes, type Envelope, resumable, type ServerFrame } from './protocol.ts';

export interface ClientOptions {
  /** `ws://host:port/ws`. */
  readonly url: string;
  /** Called for each connection, so that an expired token can be replaced. */
  readonly token: () => string | Promise<string>;
  readonly channels: readonly string[];
  readonly onFrame: (frame: ServerFrame | Envelope) => void;
  /** Ends the client. */
  readonly signal: AbortSignal;
}

/** The hub refuses this client for good: because of its token, its account or its behaviour. */
export class Dismissed extends Error {
  override readonly name = 'Dismissed';
}

/** The server pings more often than this. A longer silence means that the connection is dead. */
const SILENCE_MS = 90_000;
/** Statuses of a refused upgrade after which trying again makes sense. */
const RETRYABLE = new Set([429, 502, 503, 504]);

/** Follows the channels until `signal` fires. @throws Dismissed when reconnecting is pointless */
export const follow = async (options: ClientOptions): Promise<void> => {
  const cursors = new Map<string, Cursor>();
  const backoff = createBackoff();
  while (!options.signal.aborted) {
    const code = await connectOnce(options, await options.token(), cursors, backoff.reset);
    if (!resumable(code)) throw new Dismissed(reasonOf(code));
    await sleep(backoff.next(), options.signal);
  }
};

const reasonOf = (code: number): string =>
  Object.values(closeCodes).find((entry) => entry.code === code)?.reason ?? `refused (${code})`;

/** Opens one connection and follows it until it closes. Resolves with the close code. */
const connectOnce = (
  { url, channels, onFrame, signal }: ClientOptions,
  token: string,
  cursors: Map<string, Cursor>,
  onReady: () => void,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` }, handshakeTimeout: 10_000 });
    const silence = setTimeout(() => socket.terminate(), SILENCE_MS);
    const onAbort = () => socket.close(1000);
    signal.addEventListener('abort', onAbort, { once: true });

    socket.on('ping', () => silence.refresh());
    socket.on('message', (data) => {
      silence.refresh();
      const frame = JSON.parse(String(data)) as ServerFrame | Envelope;
      if (frame.type === 'ready') {
        onReady();
        for (const channel of channels)
          socket.send(JSON.stringify({ type: 'subscribe', channel, since: cursors.get(channel) }));
      }
      if ('epoch' in frame) cursors.set(frame.channel, { epoch: frame.epoch, offset: frame.offset });
      onFrame(frame);
    });
    socket.on('unexpected-response', (_request, response) => {
      socket.terminate();
      const status = response.statusCode ?? 0;
      if (!RETRYABLE.has(status)) reject(new Dismissed(`the hub answered ${status}`));
    });
    // A failed connection also emits `close`, which is handled.
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      clearTimeout(silence);
      signal.removeEventListener('abort', onAbort);
      resolve(code);
    });
  });
