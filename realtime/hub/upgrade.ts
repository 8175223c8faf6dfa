/** Decides who may open a WebSocket, and answers those who may not. */
import { addressOf, VOUCHED_ADDRESS_HEADER, vouchedAddress } from '../../infra/clientAddress.ts';
import type { TokenSecrets } from '../../infra/tokens.ts';
import { Connection, type Hub } from './connection.ts';
import { type Answer, isWebSocketPath, problem } from './http.ts';
import type { Accepted, UpgradeRequest } from './transport.ts';

export interface UpgradeOptions {
  readonly hub: Hub;
  /** Verify an address that the API vouches for. */
  readonly secrets: TokenSecrets;
  /** Number of reverse proxies in front whose `X-Forwarded-For` is believed. */
  readonly trustProxy: number;
  readonly isDraining: () => boolean;
}

const refusal = (
  request: UpgradeRequest,
  token: string | undefined,
  { isDraining }: UpgradeOptions,
): Answer | undefined => {
  if (!isWebSocketPath(request.path)) return problem(404, 'no_such_path', 'No WebSocket exists at this address.');
  if (isDraining()) return problem(503, 'unavailable', 'The hub is stopping. Connect again.');
  if (/(^|&)(access_?)?token=/i.test(request.query))
    return problem(
      400,
      'bad_request',
      'Tokens are not accepted in the URL. Send Authorization: Bearer, or an auth frame.',
    );
  if (request.header('authorization') && !token)
    return problem(401, 'unauthenticated', 'The Authorization header must be: Bearer <access token>.', {
      'www-authenticate': 'Bearer realm="resort"',
    });
  return undefined;
};

const addressOfClient = (request: UpgradeRequest, { secrets, trustProxy }: UpgradeOptions): string =>
  vouchedAddress(secrets, request.header(VOUCHED_ADDRESS_HEADER), request.header('sec-websocket-key'), Date.now()) ??
  addressOf(request.peer, request.header('x-forwarded-for'), trustProxy);

/**
 * Decides on one upgrade request, without waiting for anything. So the token is verified once the socket is
 * open, as if it had come in an `auth` frame. Where the address or the hub is full, a socket gives way that has not said
 * who it is, so that whoever only keeps sockets open shuts nobody out.
 */
export const decideUpgrade = (request: UpgradeRequest, options: UpgradeOptions): Answer | Accepted => {
  const { hub } = options;
  const { registry } = hub;
  const [, token] = /^Bearer +(\S+)$/i.exec(request.header('authorization')) ?? [];
  const refused = refusal(request, token, options);
  if (refused) return refused;
  const address = addressOfClient(request, options);
  if (!registry.hasRoomFor(address)) registry.firstToGiveWay(address)?.close('crowded');
  if (!registry.hasRoomFor(address))
    return problem(429, 'rate_limited', 'Too many open sockets. Close some, or try again later.', {
      'retry-after': '30',
    });
  return {
    attach: (socket) => new Connection(socket, hub, address, token),
  };
};
