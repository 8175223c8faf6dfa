/** WebSockets whose other end is the test. */
import type { SocketConstructor } from '../../client/index.ts';

type Sent = Readonly<Record<string, unknown>> & { readonly type: string };
type Listener = (event: never) => void;

/** The client's end, as the test sees it. */
export interface FakeSocket {
  readonly url: string;
  /** What the client has sent. */
  readonly sent: readonly Sent[];
  /** The code with which the client has closed it. */
  readonly closedWith: number | undefined;
  open(): void;
  /** A frame of the hub. */
  frame(frame: object): void;
  /** Opens it, and accepts the token. */
  ready(expiresAt?: string): void;
  /** The last frame of this type that the client has sent. */
  last(type: string): Sent;
  /** Answers the newest `subscribe`. */
  subscribed(epoch: string, offset: number, recovered?: boolean): void;
  /** A change of the channel. */
  change(epoch: string, offset: number, more?: object): void;
  end(code: number): void;
}

export const CHANNEL = 'realtime:user_1';

export const fakeHub = () => {
  const sockets: FakeSocket[] = [];
  const WebSocket = class {
    constructor(url: string) {
      const listeners = new Map<string, Listener>();
      const sent: Sent[] = [];
      let closedWith: number | undefined;
      let isConnecting = true;
      const emit = (type: string, event: object = {}) => listeners.get(type)?.(event as never);
      const socket: FakeSocket = {
        url,
        sent,
        get closedWith() {
          return closedWith;
        },
        open: () => {
          isConnecting = false;
          emit('open');
        },
        frame: (frame) => emit('message', { data: JSON.stringify(frame) }),
        ready: (expires_at = new Date(Date.now() + 3_600_000).toISOString()) => {
          socket.open();
          socket.frame({ type: 'ready', user_id: '1', role: 'tourist', expires_at });
        },
        last: (type) => sent.findLast((frame) => frame.type === type) ?? { type: 'none' },
        subscribed: (epoch, offset, recovered = false) => {
          const { channel, id } = socket.last('subscribe');
          socket.frame({ type: 'subscribed', channel, epoch, offset, recovered, id });
        },
        change: (epoch, offset, more = {}) =>
          socket.frame({
            channel: CHANNEL,
            type: 'booking.updated',
            epoch,
            offset,
            ts: '',
            data: { id: offset },
            ...more,
          }),
        end: (code) => emit('close', { code }),
      };
      sockets.push(socket);
      Object.assign(this, {
        /** Throws before the socket is open, as those of browsers and of Node do. */
        send: (text: string) => {
          if (isConnecting) throw new DOMException('Still in CONNECTING state.', 'InvalidStateError');
          sent.push(JSON.parse(text));
        },
        close: (code = 1005) => {
          closedWith = code;
        },
        addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
      });
    }
  } as unknown as SocketConstructor;
  const newest = (): FakeSocket => {
    const socket = sockets.at(-1);
    if (!socket) throw new Error('no socket was opened');
    return socket;
  };
  return { WebSocket, sockets, newest };
};
