/** Bare WebSocket servers that publish to everybody who is connected: uWebSockets.js, or socket.io. */

import * as uWS from 'uWebSockets.js';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { serveProgram } from '../program.ts';
import { collectGarbage } from '../sockets/garbage.ts';

export interface PeerOptions {
  readonly library: 'uws' | 'socket.io';
}

type Publish = (text: string) => void;

const TOPIC = 'all';

const startUws = async (): Promise<{ port: number; publish: Publish }> => {
  const app = uWS.App().ws('/*', {
    idleTimeout: 60,
    sendPingsAutomatically: true,
    maxBackpressure: 0,
    open: (socket) => void socket.subscribe(TOPIC),
  });
  const listening = await new Promise<uWS.us_listen_socket>((resolve) => {
    app.listen('127.0.0.1', 0, (socket) => resolve(socket as uWS.us_listen_socket));
  });
  return { port: uWS.us_socket_local_port(listening), publish: (text) => void app.publish(TOPIC, text) };
};

const startSocketIo = async (): Promise<{ port: number; publish: Publish }> => {
  const server = createServer();
  const io = new Server(server, { transports: ['websocket'], pingInterval: 600_000, pingTimeout: 600_000 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, publish: (text) => void io.emit('message', text) };
};

serveProgram(async ({ library }: PeerOptions) => {
  const { port, publish } = await (library === 'uws' ? startUws() : startSocketIo());
  return async ({ text, count = 0, collect }: { text?: string; count?: number; collect?: boolean }) => {
    if (collect) collectGarbage();
    if (text !== undefined) for (let n = 0; n < count; n += 1) publish(text);
    return port;
  };
});
