/** The hub's uWebSockets.js app: its HTTP answers and the life of its sockets. */
import { App, type HttpRequest, type HttpResponse, type TemplatedApp, type WebSocket } from 'uWebSockets.js';
import { metrics, metricsText } from '../../infra/metrics.ts';
import { type Connection, createConnection, type Hub } from './connection.ts';
import { type Answer, json, problem, SERVICE, send } from './http.ts';
import { type SocketData, type UpgradeOptions, upgrade } from './upgrade.ts';

export interface AppOptions extends UpgradeOptions {
  readonly version: string;
  /** The AsyncAPI document. */
  readonly document: object;
}

export interface HubApp {
  readonly app: TemplatedApp;
  readonly connections: ReadonlySet<Connection>;
}

type MakeAnswer = () => Answer | Promise<Answer>;

/** Answers GET and HEAD at `path`. */
const get = (app: TemplatedApp, path: string, make: MakeAnswer, hub: Hub): void => {
  const handler = (res: HttpResponse, req: HttpRequest) => {
    const startedAt = performance.now();
    const head = req.getMethod() === 'head';
    let aborted = false;
    res.onAborted(() => {
      aborted = true;
    });
    Promise.resolve()
      .then(make)
      .catch((err: unknown) => {
        hub.log.error({ err, path }, 'request failed');
        return problem(500, 'internal', 'something went wrong on our side');
      })
      .then((answer) => {
        if (!aborted) send(res, answer, startedAt, head);
      });
  };
  app.get(path, handler).head(path, handler);
};

const mountAnswers = (app: TemplatedApp, { hub, version, document }: AppOptions): void => {
  const text = JSON.stringify(document);
  get(
    app,
    '/health',
    () => {
      const status = hub.feed.healthy() ? 'ok' : 'unavailable';
      return json(status === 'ok' ? 200 : 503, { service: SERVICE, version, status });
    },
    hub,
  );
  get(app, '/asyncapi.json', () => ({ status: 200, contentType: 'application/json', body: text }), hub);
  get(
    app,
    '/metrics',
    async () => ({ status: 200, contentType: 'text/plain; version=0.0.4', body: await metricsText() }),
    hub,
  );
  get(app, '/ws', () => problem(426, 'upgrade_required', 'open a WebSocket here', { upgrade: 'websocket' }), hub);
  app.any('/*', (res) =>
    send(res, problem(404, 'no_such_path', 'there is nothing at this address'), performance.now()),
  );
};

export const createApp = (options: AppOptions): HubApp => {
  const { hub } = options;
  const connections = new Set<Connection>();
  const connectionOf = (socket: WebSocket<SocketData>) => socket.getUserData().connection;

  const app = App().ws<SocketData>('/ws', {
    // Larger frames than allowed still arrive, so that their sender learns why it is closed.
    maxPayloadLength: 4 * hub.limits.frameBytes,
    idleTimeout: hub.limits.idleSeconds,
    sendPingsAutomatically: true,
    // No limit: one would skip messages silently. The outbox keeps the bound.
    maxBackpressure: 0,
    upgrade: (res, req, context) => upgrade(res, req, context, options),
    open: (socket) => {
      metrics.hubSockets.inc();
      const data = socket.getUserData();
      const connection = createConnection(socket, hub);
      data.connection = connection;
      connections.add(connection);
      connection.opened(data.token);
    },
    message: (socket, message, isBinary) => connectionOf(socket)?.receive(message, isBinary),
    drain: (socket) => connectionOf(socket)?.drained(),
    close: (socket) => {
      const { address, connection } = socket.getUserData();
      metrics.hubSockets.dec();
      hub.census.depart(address);
      if (!connection) return;
      connection.ended();
      connections.delete(connection);
    },
  });
  mountAnswers(app, options);
  return { app, connections };
};
