/** A client that loses nothing: remembers its place in each channel, reconnects with backoff and resumes from there. */
import { WebSocket } from 'ws';
import { createBackoff, sleep } from '../../infra/retry.ts';
import { closeCodes, type Envelope, type Place, resumable, type ServerFrame } from './protocol.ts';

export interface ClientOptions {
  /** `ws://host:port/ws`. */
  readonly url: string;
  /** Asked for at each connection, so that an expired token can be replaced. */
  readonly token: () => string | Promise<string>;
  readonly channels: readonly string[];
  readonly onFrame: (frame: ServerFrame | Envelope) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** The hub will not have us back: the token, the account or our behaviour is the reason. */
export class Dismissed extends Error {
  override readonly name = 'Dismissed';
}

/** The server pings well within this; longer silence means that the connection is dead without having said so. */
const SILENCE_MS = 90_000;
/** Statuses of a refused upgrade that pass with time. */
const PASSING = new Set([429, 502, 503, 504]);

/** Follows the channels until `signal` fires. @throws Dismissed when reconnecting would be of no use */
export const follow = async (options: ClientOptions): Promise<void> => {
  const places = new Map<string, Place>();
  const backoff = createBackoff();
  while (!options.signal.aborted) {
    const code = await connectOnce(options, await options.token(), places, backoff.reset);
    if (!resumable(code)) throw new Dismissed(reasonOf(code));
    await sleep(backoff.next(), options.signal);
  }
};

const reasonOf = (code: number): string =>
  Object.values(closeCodes).find((entry) => entry.code === code)?.reason ?? `refused (${code})`;

/** One connection from its opening to its end. Resolves with the close code. */
const connectOnce = (
  { url, channels, onFrame, signal }: ClientOptions,
  token: string,
  places: Map<string, Place>,
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
          socket.send(JSON.stringify({ type: 'subscribe', channel, since: places.get(channel) }));
      }
      if ('epoch' in frame) places.set(frame.channel, { epoch: frame.epoch, offset: frame.offset });
      onFrame(frame);
    });
    socket.on('unexpected-response', (_request, response) => {
      socket.terminate();
      const status = response.statusCode ?? 0;
      if (!PASSING.has(status)) reject(new Dismissed(`the hub answered ${status}`));
    });
    // A connection that fails is closed as well, and that is what decides.
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      clearTimeout(silence);
      signal.removeEventListener('abort', onAbort);
      resolve(code);
    });
  });
