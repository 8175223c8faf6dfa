/** The transport over uWebSockets.js: the fastest there is, where its binary loads. */
import type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket, us_socket_context_t } from 'uWebSockets.js';
import { type Answer, answerHeaders, STATUS, stampHeaders } from './http.ts';
import type { Accepted, SocketEvents, StartTransport, TransportOptions } from './transport.ts';

/** The types of the package on npm lack what the library has had for long. */
type Uws = typeof import('uWebSockets.js') & { readonly LIBUS_LISTEN_EXCLUSIVE_PORT: number };
interface Listens {
  listen(host: string, port: number, options: number, done: (socket: us_listen_socket | false) => void): unknown;
}

/** The library, or one clause that says why it is not there. */
export const loadUws = async (): Promise<{ uws: Uws } | { missing: string }> => {
  try {
    const loaded = (await import('uWebSockets.js')) as Uws & { default?: Uws };
    // The package on npm has named exports, uNetworking's own release (CommonJS) has a default export.
    return { uws: loaded.default ?? loaded };
  } catch {
    const { platform, arch, version } = process;
    return { missing: `uWebSockets.js has no binary for Node ${version} on ${platform} ${arch}` };
  }
};

/** How often it is asked whether there is room. */
const ROOM_MS = 500;

/** What a socket carries from its upgrade on. */
interface SocketData {
  accepted: Accepted | undefined;
  events: SocketEvents | undefined;
}

interface Sending {
  readonly startedAt: number;
  /** Everything but the body. */
  readonly isHead?: boolean;
  /** Says that this is the last answer of its connection, and closes it. */
  readonly isLast: boolean;
}

/** Writes an answer. Must not be called once the request was aborted. */
const send = (res: HttpResponse, answer: Answer, { startedAt, isHead = false, isLast }: Sending): void => {
  res.cork(() => {
    res.writeStatus(`${answer.status} ${STATUS[answer.status]}`);
    for (const [name, value] of answerHeaders(answer, startedAt)) res.writeHeader(name, value);
    if (isHead) res.endWithoutBody(Buffer.byteLength(answer.body), isLast);
    else res.end(answer.body, isLast);
  });
};

const mountAnswers = (app: TemplatedApp, options: TransportOptions, isStopping: () => boolean): void => {
  app.any('/*', (res, req) => {
    const startedAt = performance.now();
    const method = req.getMethod().toUpperCase();
    let aborted = false;
    res.onAborted(() => {
      aborted = true;
    });
    void options.onRequest({ method, path: req.getUrl() }).then((answer) => {
      if (!aborted) send(res, answer, { startedAt, isHead: method === 'HEAD', isLast: isStopping() });
    });
  });
};

/** A header that came several times is one list, as in Node's own server: `getHeader` has only one of them. */
const joined = (req: HttpRequest, name: string): string => {
  const values: string[] = [];
  req.forEach((each, value) => {
    if (each === name) values.push(value);
  });
  return values.join(', ');
};

/**
 * Handles one upgrade request. It ends before it returns: uWebSockets.js may close a socket that is upgraded later than
 * that (uNetworking/uWebSockets issue 1928).
 */
const upgrade = (
  res: HttpResponse,
  req: HttpRequest,
  context: us_socket_context_t,
  options: TransportOptions,
): void => {
  const startedAt = performance.now();
  const decision = options.onUpgrade({
    path: req.getUrl(),
    query: req.getQuery() ?? '',
    peer: Buffer.from(res.getRemoteAddressAsText()).toString(),
    header: (name) => joined(req, name),
  });
  if ('status' in decision) {
    send(res, decision, { startedAt, isLast: false });
    return;
  }
  const data: SocketData = { accepted: decision, events: undefined };
  res.writeStatus('101 Switching Protocols');
  for (const [name, value] of stampHeaders(startedAt)) res.writeHeader(name, value);
  res.upgrade(data, req.getHeader('sec-websocket-key'), '', req.getHeader('sec-websocket-extensions'), context);
};

export const createUwsTransport =
  (uws: Uws): StartTransport =>
  async (options) => {
    const app = uws.App().ws<SocketData>('/*', {
      maxPayloadLength: options.maxFrameBytes,
      idleTimeout: options.idleSeconds,
      sendPingsAutomatically: true,
      // No limit: one would skip messages silently. The send queue keeps the bound.
      maxBackpressure: 0,
      upgrade: (res, req, context) => upgrade(res, req, context, options),
      open: (socket) => {
        const data = socket.getUserData();
        data.events = data.accepted?.attach(socket);
        data.accepted = undefined;
        data.events?.opened();
      },
      message: (socket, message, isBinary) => socket.getUserData().events?.message(Buffer.from(message), isBinary),
      drain: (socket) => socket.getUserData().events?.drain(),
      close: (socket) => socket.getUserData().events?.closed(),
    });
    let isStopping = false;
    mountAnswers(app, options, () => isStopping);

    let listening: us_listen_socket | false = false;
    const listen = (port: number): us_listen_socket | false => {
      // It calls back before it returns. Without the option, two hubs would share the port, each with a part of the clients.
      (app as unknown as Listens).listen(options.host, port, uws.LIBUS_LISTEN_EXCLUSIVE_PORT, (socket) => {
        listening = socket;
      });
      return listening;
    };
    const first = listen(options.port);
    if (!first) {
      const taken = new Error(`cannot listen on ${options.host}:${options.port}: the port is taken`);
      throw Object.assign(taken, { code: 'EADDRINUSE' });
    }
    const port = uws.us_socket_local_port(first);
    const close = () => {
      // Closing a listening socket twice ends the process.
      if (listening) uws.us_listen_socket_close(listening);
      listening = false;
    };
    const watching = setInterval(() => {
      if (!options.hasRoom()) close();
      else if (!listening) listen(port);
    }, ROOM_MS);
    const stopListening = () => {
      isStopping = true;
      clearInterval(watching);
      close();
    };
    return {
      port,
      publish: (topic, frame) => void app.publish(topic, frame),
      stopListening: async () => stopListening(),
      close: () => {
        stopListening();
        app.close();
      },
    };
  };
