/** From an HTTP request to a socket: who may open one, and what those are told who may not. */
import type { HttpRequest, HttpResponse, us_socket_context_t } from 'uWebSockets.js';
import type { Connection, Hub } from './connection.ts';
import { type Answer, problem, send, stamp } from './http.ts';

/** What a socket carries from its upgrade on. */
export interface SocketData {
  readonly address: string;
  /** Set when the upgrade had one. */
  readonly token: string | undefined;
  connection: Connection | undefined;
}

export interface UpgradeOptions {
  readonly hub: Hub;
  /** False for tokens that would be refused anyway, as far as can be told at once. */
  readonly isPlausible: (token: string) => boolean;
  /** Number of reverse proxies in front whose `X-Forwarded-For` is believed. */
  readonly trustProxy: number;
  readonly isDraining: () => boolean;
}

const unauthorized = (detail: string) =>
  problem(401, 'unauthenticated', detail, { 'www-authenticate': 'Bearer realm="resort"' });

/** The client's address: the peer, or what the outermost trusted proxy saw. */
export const addressOf = (peer: string, forwardedFor: string, trustProxy: number): string =>
  (trustProxy > 0 && forwardedFor.split(',').at(-trustProxy)?.trim()) || peer;

const refusal = (req: HttpRequest, token: string | undefined, options: UpgradeOptions): Answer | undefined => {
  if (options.isDraining())
    return problem(503, 'unavailable', 'the hub is stopping: connect again', { 'retry-after': '2' });
  if (/(^|&)(access_?)?token=/i.test(req.getQuery()))
    return problem(
      400,
      'bad_request',
      'a token does not belong in the URL: send Authorization: Bearer, or an auth frame',
    );
  if (req.getHeader('authorization') && !token) return unauthorized('Authorization must be: Bearer <access token>');
  if (token && !options.isPlausible(token)) return unauthorized('the access token is not valid or has expired');
  return undefined;
};

/**
 * Handles one upgrade request. Its address is counted from here until the socket has closed. It ends before it returns:
 * uWebSockets.js may close a socket that is upgraded later than that (uNetworking/uWebSockets issue 1928). So the token
 * gets its full check once the socket is open, as if it had come in an `auth` frame.
 */
export const upgrade = (
  res: HttpResponse,
  req: HttpRequest,
  context: us_socket_context_t,
  options: UpgradeOptions,
): void => {
  const { census } = options.hub;
  const startedAt = performance.now();
  const peer = Buffer.from(res.getRemoteAddressAsText()).toString();
  const address = addressOf(peer, req.getHeader('x-forwarded-for'), options.trustProxy);
  const [, token] = /^Bearer +(\S+)$/i.exec(req.getHeader('authorization')) ?? [];

  const refused = refusal(req, token, options);
  if (refused) {
    send(res, refused, startedAt);
  } else if (!census.arrive(address)) {
    send(res, problem(429, 'rate_limited', 'too many sockets', { 'retry-after': '30' }), startedAt);
  } else {
    const data: SocketData = { address, token, connection: undefined };
    const key = req.getHeader('sec-websocket-key');
    const extensions = req.getHeader('sec-websocket-extensions');
    stamp(res.writeStatus('101 Switching Protocols'), startedAt).upgrade(data, key, '', extensions, context);
  }
};
