/**
 * Stands in for the push service of a browser, and for the browser: it checks the signature (RFC 8292), and decrypts the
 * message (RFC 8291). The keys of a subscription derive from its name, so that they survive a restart.
 */
import { createDecipheriv, createECDH, createHash, createPublicKey, type ECDH, hkdfSync } from 'node:crypto';
import { jwtVerify } from 'jose';
import { SANDBOX_PATHS, sandboxVapid } from '../../../commands/push/sandboxKeys.ts';
import type { Handle, PushReply } from './exchange.ts';
import type { Received, Trouble } from './received.ts';

const MOST_BYTES = 4_096;
const LONGEST_S = 86_400;
const ADDRESS = new RegExp(`^${SANDBOX_PATHS.web}/([A-Za-z0-9_-]{1,64})(?:\\.[A-Za-z0-9_-]{1,64})?$`);
const TOPIC = /^[A-Za-z0-9_-]{1,32}$/;
const MOST_KNOWN = 100;

const status = (code: number): PushReply => ({ status: code });

const answerTo = (trouble: Trouble, received: Received): PushReply | undefined => {
  switch (trouble) {
    case 'unregistered':
      // As Google's service says it.
      return { status: 410, body: 'push subscription has unsubscribed or expired.\n' };
    case 'bad_token':
      return status(404);
    case 'too_many':
      return { status: 429, headers: { 'retry-after': String(received.plan.retry_after_s ?? 1) } };
    case 'error':
      return status(500);
    case 'silence':
      return undefined;
  }
};

interface Browser {
  readonly ecdh: ECDH;
  readonly auth: Buffer;
}
const hash = (...parts: readonly string[]): Buffer => createHash('sha256').update(parts.join('\u0000')).digest();
const browserOf = (name: string): Browser => {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(hash('push sandbox', name));
  return { ecdh, auth: hash('push sandbox auth', name).subarray(0, 16) };
};

/**
 * The subscription of a browser with this name. Names that differ only after a dot share their keys, so that many are
 * made quickly.
 */
export const subscriptionOf = (sandboxUrl: string, name: string) => {
  const { ecdh, auth } = browserOf(name.split('.')[0] ?? '');
  return {
    endpoint: `${sandboxUrl}${SANDBOX_PATHS.web}/${name}`,
    keys: { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') },
  };
};

const derived = (key: Buffer, salt: Buffer, info: Buffer | string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length));

/** @throws when it was not encrypted for this browser */
const decrypted = ({ ecdh, auth }: Browser, body: Buffer): string => {
  const salt = body.subarray(0, 16);
  const idLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + idLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\u0000'), ecdh.getPublicKey(), sender]);
  const key = derived(ecdh.computeSecret(sender), auth, info, 32);
  const cipher = createDecipheriv(
    'aes-128-gcm',
    derived(key, salt, 'Content-Encoding: aes128gcm\u0000', 16),
    derived(key, salt, 'Content-Encoding: nonce\u0000', 12),
  );
  const [text, tag] = [body.subarray(21 + idLength, -16), body.subarray(-16)];
  cipher.setAuthTag(tag);
  const padded = Buffer.concat([cipher.update(text), cipher.final()]);
  const end = padded.lastIndexOf(2); // of the last record, before its padding
  return padded.subarray(0, end).toString();
};

/** @param rolesUrl where the roles reach the sandbox, which is the audience of their tokens */
export const sandboxWebPushServer = (received: Received, rolesUrl: () => string): Handle => {
  const point = Buffer.from(sandboxVapid.publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const publicKey = createPublicKey({
    key: { kty: 'EC', crv: 'P-256', x: x as string, y: y as string },
    format: 'jwk',
  });
  const browsers = new Map<string, Browser>();
  const signed = new Map<string, number>();

  /** Until when a signature is valid, in seconds. */
  const validUntil = async (header: string): Promise<number> => {
    const known = signed.get(header);
    if (known !== undefined) return known;
    const [, token = '', key] = /^vapid t=([^,]+), ?k=([^,]+)$/.exec(header) ?? [];
    if (key !== sandboxVapid.publicKey) return 0;
    const { payload } = await jwtVerify(token, publicKey, {
      algorithms: ['ES256'],
      audience: new URL(rolesUrl()).origin,
    });
    const { exp = 0, sub = '' } = payload;
    const until = exp - Date.now() / 1_000 <= LONGEST_S && /^(mailto:|https:)/.test(sub) ? exp : 0;
    if (signed.size >= MOST_KNOWN) signed.clear();
    signed.set(header, until);
    return until;
  };
  const browser = (name: string): Browser => {
    const known = browsers.get(name) ?? browserOf(name);
    if (browsers.size >= MOST_KNOWN) browsers.clear();
    browsers.set(name, known);
    return known;
  };

  return async ({ path, headers, body }) => {
    const [, name] = ADDRESS.exec(path) ?? [];
    if (name === undefined) return status(404);
    const until = await validUntil(headers.authorization ?? '').catch(() => 0);
    if (until < Date.now() / 1_000) return status(403);
    const trouble = received.trouble('web');
    if (trouble) return answerTo(trouble, received);
    const { ttl, urgency = 'normal', topic } = headers;
    if (!/^\d+$/.test(String(ttl ?? '')) || !['very-low', 'low', 'normal', 'high'].includes(String(urgency)))
      return status(400);
    if (topic !== undefined && !TOPIC.test(String(topic))) return status(400);
    if (headers['content-encoding'] !== 'aes128gcm') return status(415);
    if (body.length > MOST_BYTES) return status(413);
    try {
      const text = decrypted(browser(name), body);
      const { id, kind, title, body: shown, link } = JSON.parse(text) as Record<string, string>;
      received.add({
        service: 'web',
        token: path.slice(SANDBOX_PATHS.web.length + 1),
        id: id ?? '',
        kind: kind ?? '',
        link: link ?? '',
        title: title ?? '',
        body: shown ?? '',
        urgency: String(urgency),
        collapse_key: String(topic ?? ''),
      });
      return { status: 201, headers: { location: `${rolesUrl()}${path}/message` } };
    } catch {
      return status(400);
    }
  };
};
