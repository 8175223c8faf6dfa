/** One port for HTTP/1.1 and for HTTP/2 in the clear, which a client begins with a preface of its own. */
import type { Server } from 'node:http';
import type { Http2Server } from 'node:http2';
import { createServer, type Server as NetServer, type Socket } from 'node:net';

/** How HTTP/2 begins. */
const PREFACE = 'PRI';

export interface BothProtocols {
  readonly server: NetServer;
  /** Ends all connections. */
  closeAll(): void;
}

export const bothProtocols = (http1: Server, http2: Http2Server): BothProtocols => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.once('readable', () => {
      const begin = socket.read() as Buffer | null;
      if (begin === null) return;
      socket.unshift(begin);
      const isHttp2 = begin.subarray(0, PREFACE.length).toString('latin1') === PREFACE;
      (isHttp2 ? http2 : http1).emit('connection', socket);
    });
  });
  return {
    server,
    closeAll: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
};
