/** Bounds on what connections cost, whatever is sent over them. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** Connections in all; further ones are closed at once. */
  readonly total: number;
  /** Connections from one peer address; undefined behind a proxy, whose address all have. */
  readonly perAddress: number | undefined;
  /** A connection on which no byte moves for this long is closed: a client that does not read its answer, too. */
  readonly idleMs: number;
}

export const limitConnections = (server: Server, { total, perAddress, idleMs }: ConnectionLimits): void => {
  server.maxConnections = total;
  server.timeout = idleMs;
  if (perAddress === undefined) return;
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 0) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
    if (count > perAddress) socket.destroy();
  });
};
