/**
 * The address of a client behind reverse proxies, and how one process vouches for it to another. The API passes
 * WebSockets on to the hub; the hub counts sockets by address, so only the API may set it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { TokenSecrets } from './tokens.ts';

/** Carries `<address>;<milliseconds since 1970>;<MAC>`. */
export const VOUCHED_ADDRESS_HEADER = 'x-client-address';

/** How old a vouched address may be. It covers clocks that differ, not replays: the MAC names the handshake. */
const MAX_AGE_MS = 5 * 60_000;

/**
 * The client's address: the peer, or what the outermost of `trustProxy` reverse proxies wrote into `X-Forwarded-For`.
 * Entries further left come from the client and are not believed.
 */
export const addressOf = (peer: string, forwardedFor: string, trustProxy: number): string =>
  (trustProxy > 0 && forwardedFor.split(',').at(-trustProxy)?.trim()) || peer.replace(/^::ffff:(?=\d+\.)/i, '');

const macOf = (secret: string, address: string, at: number, webSocketKey: string): Buffer =>
  createHmac('sha256', secret).update(`client-address\n${address}\n${at}\n${webSocketKey}`).digest();

/** The header that vouches for `address`, for the handshake with this `Sec-WebSocket-Key` only. `at` in milliseconds. */
export const vouchFor = (secrets: TokenSecrets, address: string, webSocketKey: string, at: number): string =>
  `${address};${at};${macOf(secrets.jwtSecret, address, at, webSocketKey).toString('base64url')}`;

/** The address in the header; `undefined` when there is none or its signature is not by our secret. */
export const vouchedAddress = (
  secrets: TokenSecrets,
  header: string,
  webSocketKey: string,
  now: number,
): string | undefined => {
  const [address, at, mac] = header.split(';');
  if (!address || !at || !mac || !(Math.abs(now - Number(at)) <= MAX_AGE_MS)) return undefined;
  const given = Buffer.from(mac, 'base64url');
  const isOurs = [secrets.jwtSecret, secrets.jwtSecretPrevious].some((secret) => {
    if (secret === undefined) return false;
    const expected = macOf(secret, address, Number(at), webSocketKey);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isOurs ? address : undefined;
};
