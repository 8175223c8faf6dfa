/** One WebSocket, from its opening to its end: authentication, heartbeat, frames. */
import type { ClientFrame } from '../generated/types.ts';
import type { Frame } from './types.ts';

/** What is needed of a WebSocket: browsers, Node 22 and `ws` have it. */
export interface SocketLike {
  send(data: string): void;
  close(code?: number): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { readonly code: number }) => void): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
}
export type SocketConstructor = new (url: string) => SocketLike;

export interface ConnectionOptions {
  readonly WebSocket: SocketConstructor;
  readonly url: string;
  /** Asked when the connection is open: it may have been renewed by then. */
  readonly token: () => string;
  readonly onFrame: (frame: Frame) => void;
  /** The connection is gone; called once. */
  readonly onClosed: (code: number) => void;
}

export interface Connection {
  /** Dropped until the connection is open, and after its end. */
  send(frame: ClientFrame): void;
  /** The network may be another one: ends it, unless it is open and the hub answers soon. */
  check(): void;
  /** Ends it without `onClosed`. */
  close(): void;
}

/** How long it may take until the hub says `ready`. */
const READY_MS = 15_000;
/** Pings of the protocol cannot be seen in browsers: after this silence, a frame asks whether the hub is still there. */
const SILENCE_MS = 25_000;
const ANSWER_MS = 10_000;
/** The same, when there is a reason to doubt it. */
const SOON_MS = 4_000;

/** Close code of a connection that ended without one. */
export const LOST = 1006;

/** Undefined for what is no frame: something between the client and the hub damages the connection. */
const frameOf = (data: unknown): Frame | undefined => {
  try {
    return JSON.parse(String(data)) as Frame;
  } catch {
    return undefined;
  }
};

/** Opens a connection. The first frame that comes is `ready`, unless it is closed before. */
export const openConnection = ({ WebSocket, url, token, onFrame, onClosed }: ConnectionOptions): Connection => {
  const socket = new WebSocket(url);
  let state: 'connecting' | 'open' | 'ended' = 'connecting';
  let timer: ReturnType<typeof setTimeout>;

  /** Whether it had not ended before. */
  const end = (): boolean => {
    if (state === 'ended') return false;
    state = 'ended';
    clearTimeout(timer);
    return true;
  };
  /** The handshake of a close may hang with the connection: nobody waits for it. */
  const giveUp = (): void => {
    if (!end()) return;
    socket.close();
    onClosed(LOST);
  };
  const within = (ms: number, act: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(act, ms);
  };
  const send = (frame: ClientFrame): void => {
    if (state === 'open') socket.send(JSON.stringify(frame));
  };
  const ask = (ms: number): void => {
    send({ type: 'ping' });
    within(ms, giveUp);
  };
  const listen = (): void => within(SILENCE_MS, () => ask(ANSWER_MS));

  within(READY_MS, giveUp);
  socket.addEventListener('open', () => {
    if (state === 'connecting') state = 'open';
    send({ type: 'auth', token: token() });
  });
  socket.addEventListener('message', ({ data }) => {
    if (state === 'ended') return;
    listen();
    const frame = frameOf(data);
    if (frame) onFrame(frame);
    else giveUp();
  });
  socket.addEventListener('close', ({ code }) => {
    if (end()) onClosed(code);
  });
  socket.addEventListener('error', () => undefined); // `close` follows

  return {
    send,
    check: () => {
      if (state === 'connecting') giveUp();
      else if (state === 'open') ask(SOON_MS);
    },
    close: () => {
      if (end()) socket.close(1000);
    },
  };
};
