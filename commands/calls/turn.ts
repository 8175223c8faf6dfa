/** Credentials for a TURN server, as coturn verifies them with `use-auth-secret`: nothing is stored on either side. */
import { createHmac } from 'node:crypto';

/** In seconds. */
export const TURN_TTL = 3_600;

export interface TurnServer {
  /** `static-auth-secret` of the server. */
  readonly secret: string;
  /** As WebRTC takes them: `turn:turn.example.org:3478?transport=udp`. */
  readonly urls: readonly string[];
}

export interface TurnCredentials {
  /** `<expiry>:<user>`, the expiry in seconds since 1970. */
  readonly username: string;
  readonly credential: string;
  /** In seconds. */
  readonly ttl: number;
  readonly urls: readonly string[];
}

/** @param at RFC 3339 */
export const turnCredentials = ({ secret, urls }: TurnServer, userId: string, at: string): TurnCredentials => {
  const username = `${Math.floor(Date.parse(at) / 1_000) + TURN_TTL}:${userId}`;
  const credential = createHmac('sha1', secret).update(username).digest('base64');
  return { username, credential, ttl: TURN_TTL, urls };
};
