/** Which addresses a Web Push subscription may have: we call them, so that they must not lead into our own network. */
import { createPublicKey } from 'node:crypto';
import { isAllowedHost } from '../../infra/outside/typedAddresses.ts';
import type { PushDeps } from './deps.ts';

/** Why the address is refused, as a sentence; undefined: it is accepted. */
export const addressProblem = (
  endpoint: string,
  { webPushHosts, pushSandbox }: Pick<PushDeps['settings'], 'webPushHosts' | 'pushSandbox'>,
): string | undefined => {
  if (!URL.canParse(endpoint)) return 'endpoint is no address.';
  const { protocol, hostname, port, username, password, origin, pathname } = new URL(endpoint);
  if (pushSandbox !== null && origin === new URL(pushSandbox).origin && pathname.startsWith('/push/web/'))
    return undefined;
  if (protocol !== 'https:' || port !== '' || username !== '' || password !== '')
    return 'endpoint must be an https address without a port or a password.';
  return isAllowedHost(webPushHosts, hostname)
    ? undefined
    : `endpoint must be at a known push service: ${webPushHosts.join(', ')}.`;
};

/** Whether the keys of a subscription are what they must be: a point on P-256, and 16 bytes. Both are base64url. */
export const areKeys = ({ p256dh, auth }: { readonly p256dh: string; readonly auth: string }): boolean => {
  const point = Buffer.from(p256dh, 'base64url');
  if (point.length !== 65 || point[0] !== 4 || Buffer.from(auth, 'base64url').length !== 16) return false;
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  try {
    createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x as string, y: y as string }, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
};
