/** A TCP forwarder between clients and servers, whose connections a test can cut, hold and slow down. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { anyOf, randomFrom } from './random.ts';

export interface Forwarder {
  readonly port: number;
  /** How many connections were cut. */
  readonly cuts: number;
  /** How many connections are open. */
  readonly connections: number;
  /** Cuts any one connection. */
  cut(): void;
  /** Cuts every connection and refuses new ones, until it is on again. */
  off(): void;
  /** Passes nothing on any more, in either direction, and accepts new connections, until it is on again. */
  hold(): void;
  /** Passes everything on later, by so many milliseconds, until it is on again. */
  slow(ms: number): void;
  /** Connections that were held are cut. */
  on(): void;
  stop(): Promise<void>;
}

/** Forwards each connection to any of the ports. */
export const startForwarder = async (ports: () => readonly number[]): Promise<Forwarder> => {
  const open = new Set<Socket>();
  let isOff = false;
  let isHolding = false;
  let laterMs = 0;
  let cuts = 0;
  const random = randomFrom();
  const cut = (socket: Socket): void => {
    cuts += 1;
    if (cuts % 2) socket.resetAndDestroy();
    else socket.destroy();
  };

  const delayed = () =>
    new Transform({
      transform: (chunk, _, done) => void (laterMs > 0 ? setTimeout(done, laterMs, null, chunk) : done(null, chunk)),
    });

  const server = createServer((near) => {
    near.on('error', () => undefined); // being cut is the point
    if (isOff) {
      near.destroy();
      return;
    }
    if (isHolding) {
      open.add(near.pause());
      return;
    }
    const far = connect(anyOf(random, ports()), '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.pipe(delayed()).pipe(other);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get cuts() {
      return cuts;
    },
    get connections() {
      return open.size / 2;
    },
    cut: () => {
      if (open.size > 0) cut(anyOf(random, [...open]));
    },
    off: () => {
      isOff = true;
      for (const socket of open) cut(socket);
    },
    hold: () => {
      isHolding = true;
      for (const socket of open) socket.unpipe().pause();
    },
    slow: (ms) => {
      laterMs = ms;
    },
    on: () => {
      isOff = false;
      laterMs = 0;
      if (isHolding) for (const socket of open) socket.destroy();
      isHolding = false;
    },
    stop: async () => {
      for (const socket of open) socket.destroy();
      await once(server.close(), 'close');
    },
  };
};
