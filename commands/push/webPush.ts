/** Web Push (RFC 8030): browsers. Messages are encrypted for the subscription (RFC 8291), and signed (VAPID, RFC 8292). */
import { createECDH, createHash } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import webpush from 'web-push';
import { HOUR_MS } from '../../domain/core/instants.ts';
import { isAboutRequest, isPage, jsonOf } from '../../infra/outside/answers.ts';
import type { Answer, exchange } from '../../infra/outside/exchange.ts';
import { guardedExchange } from '../../infra/outside/typedAddresses.ts';
import { OutsideFault } from '../../infra/outsideFault.ts';
import { validator } from '../../infra/validation.ts';
import {
  type Device,
  failed,
  foreign,
  later,
  type PushOutcome,
  type PushService,
  type ServiceMessage,
} from './service.ts';

export interface VapidKeys {
  /** base64url: the uncompressed point, 65 bytes, and the scalar, 32 bytes. */
  readonly publicKey: string;
  readonly privateKey: string;
  /** `mailto:` or `https:`: whom the service writes to when something is wrong. */
  readonly subject: string;
}

export interface WebPushOptions {
  readonly keys: VapidKeys;
  /** How addresses are asked that browsers were given, or that somebody made up. */
  readonly exchange?: typeof exchange;
  readonly answerMs?: number;
}

const ANSWER_MS = 10_000;
/** A signature is used for this long; it is valid for twelve hours, a day at most. */
const SIGNATURE_MS = 6 * HOUR_MS;
/** Signatures are kept for this many services. */
const MOST_SIGNATURES = 100;

/** A topic has at most 32 characters of base64url. */
export const topicOf = (collapseKey: string): string =>
  createHash('sha256').update(collapseKey).digest('base64url').slice(0, 32);

/** The encrypted request but for its signature. @param now milliseconds since 1970 */
export const webPushRequest = (
  keys: { readonly p256dh: string; readonly auth: string },
  { id, kind, title, body, link, urgency, collapseKey, expiresAt }: ServiceMessage,
  now: number,
): { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer } => {
  const payload = JSON.stringify({ id, kind, title, body, link, tag: collapseKey });
  const { cipherText } = webpush.encrypt(keys.p256dh, keys.auth, payload, 'aes128gcm');
  return {
    headers: {
      TTL: String(Math.max(0, Math.floor((Date.parse(expiresAt) - now) / 1_000))),
      Urgency: urgency,
      Topic: topicOf(collapseKey),
      'Content-Type': 'application/octet-stream',
      'Content-Encoding': 'aes128gcm',
    },
    body: cipherText,
  };
};

/** RFC 8030, section 5: 201, or 202 where a receipt was asked for, with the address of the message. */
const TAKEN: readonly number[] = [201, 202];
/** Apple (`web.push.apple.com`), in the form of APNs. */
const isApples = validator(Type.Object({ reason: Type.String({ pattern: '^[A-Z][A-Za-z]{2,60}$' }) }));
/** Mozilla's autopush: https://mozilla-services.github.io/autopush-rs/errors.html. */
const isMozillas = validator(Type.Object({ code: Type.Integer(), errno: Type.Integer() }));
/** Google (`fcm.googleapis.com`) says it in plain words only. */
const GOOGLES = /^push subscription has unsubscribed or expired\.?\s*$/i;
/** Microsoft (`*.notify.windows.com`) says it in a header. */
const MICROSOFTS = ['x-wns-status', 'x-wns-notificationstatus', 'x-wns-error-description'];

/** How sure it is that a push service wrote this: the standard gives its errors no form. */
const writtenBy = (answer: Answer): 'service' | 'perhaps' | 'somebody else' => {
  const { headers, body } = answer;
  const json = jsonOf(answer);
  if (isApples(json) || isMozillas(json) || MICROSOFTS.some((name) => headers[name] !== undefined)) return 'service';
  if (isPage(answer) || json !== undefined) return 'somebody else';
  return GOOGLES.test(body.toString()) ? 'service' : 'perhaps';
};

/**
 * What an answer means. By RFC 8030 only 404 and 410 say that the subscription is over (sections 7.3 and 6.2), and errors
 * have no form of their own. So what a known service has certainly written counts at once, pages and other JSON never; a
 * bare 404 or 410 is doubtful and must be repeated much later, and any other bare refusal is not final.
 */
export const webPushOutcome = (answer: Answer, now: number): PushOutcome => {
  const { status, headers } = answer;
  const by = writtenBy(answer);
  if (by === 'somebody else') return foreign(answer, now);
  if (TAKEN.includes(status)) return { kind: 'delivered' };
  if (status === 404 || status === 410)
    return { kind: 'dead', reason: String(status), ...(by === 'perhaps' && { isDoubtful: true }) };
  if (status === 429 || status >= 500) return later(status, '', headers['retry-after'], now);
  if (!isAboutRequest(status)) return foreign(answer, now);
  // Others at the same service may well be reached.
  return by === 'service'
    ? { kind: 'refused', reason: String(status) }
    : { kind: 'later', reason: String(status), isAway: false };
};

/** null: nothing can be encrypted for this subscription. */
const encrypted = ({ keys }: Device, message: ServiceMessage): ReturnType<typeof webPushRequest> | null => {
  if (keys === null) return null;
  try {
    return webPushRequest(keys, message, Date.now());
  } catch {
    return null;
  }
};

export const createWebPush = ({
  keys,
  exchange: ask = guardedExchange(),
  answerMs = ANSWER_MS,
}: WebPushOptions): PushService => {
  const signatures = new Map<string, { readonly header: string; readonly until: number }>();
  const signatureFor = (audience: string): string => {
    const now = Date.now();
    const known = signatures.get(audience);
    if (known && known.until > now) return known.header;
    const { Authorization } = webpush.getVapidHeaders(
      audience,
      keys.subject,
      keys.publicKey,
      keys.privateKey,
      'aes128gcm',
    );
    if (signatures.size >= MOST_SIGNATURES) signatures.clear();
    signatures.set(audience, { header: Authorization, until: now + SIGNATURE_MS });
    return Authorization;
  };

  return {
    destinationOf: ({ token }) => new URL(token).origin,
    send: async (device, message) => {
      const request = encrypted(device, message);
      if (request === null) return { kind: 'refused', reason: 'the keys of the subscription are of no use' };
      const { headers, body } = request;
      try {
        const url = new URL(device.token);
        const signed = { ...headers, Authorization: signatureFor(url.origin) };
        const answer = await ask(url, { method: 'POST', headers: signed, body, timeoutMs: answerMs });
        if (answer.status === 401 || answer.status === 403) signatures.clear();
        return webPushOutcome(answer, Date.now());
      } catch (error) {
        return failed(error);
      }
    },
    check: async () => {
      const pair = createECDH('prime256v1');
      pair.setPrivateKey(keys.privateKey, 'base64url');
      if (pair.getPublicKey('base64url') !== keys.publicKey)
        throw new OutsideFault('VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY are not one pair');
    },
    close: () => undefined, // its connections are everybody's
  };
};
