/** Apple Push Notification service: devices with iOS. */
import { type Static, Type } from '@sinclair/typebox';
import { SignJWT } from 'jose';
import { instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import { derivedId } from '../../infra/ids.ts';
import { jsonOf } from '../../infra/outside/answers.ts';
import type { Answer } from '../../infra/outside/exchange.ts';
import { createHttp2Client, type Http2Options } from '../../infra/outside/http2.ts';
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
import { signingKey } from './signingKey.ts';

/** The key of an Apple developer account. */
export interface ApnsKey {
  readonly keyId: string;
  readonly teamId: string;
  /** PKCS #8 in PEM. */
  readonly privateKey: string;
  /** The bundle id of the app. */
  readonly topic: string;
}

export interface ApnsOptions extends Http2Options {
  readonly key: ApnsKey;
  /** `https://api.push.apple.com`, perhaps with a path. */
  readonly urls: Readonly<Record<Device['environment'], string>>;
}

/** Apple wants a token to be renewed after 20 minutes at the earliest, and within an hour. */
const RENEW_MS = 40 * MINUTE_MS;
/** The most that `apns-collapse-id` may have. */
const COLLAPSE_BYTES = 64;

/** @param now milliseconds since 1970 */
export const apnsToken = async ({ keyId, teamId, privateKey }: ApnsKey, now: number): Promise<string> =>
  new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setIssuedAt(Math.floor(now / 1_000))
    .sign(await signingKey(privateKey, 'ES256'));

const collapseId = (key: string): string => (Buffer.byteLength(key) <= COLLAPSE_BYTES ? key : derivedId('apns', key));

/** The headers beside the token. */
export const apnsHeaders = (topic: string, device: Device, message: ServiceMessage) => ({
  'apns-topic': topic,
  'apns-push-type': 'alert',
  'apns-id': derivedId('apns', message.id, device.token),
  'apns-collapse-id': collapseId(message.collapseKey),
  'apns-expiration': String(Math.floor(Date.parse(message.expiresAt) / 1_000)),
  'apns-priority': message.urgency === 'high' ? '10' : '5',
});

export const apnsBody = ({ id, kind, title, body, link, urgency }: ServiceMessage): object => ({
  aps: {
    alert: { title, body },
    sound: 'default',
    'interruption-level': urgency === 'high' ? 'time-sensitive' : 'active',
  },
  id,
  kind,
  link,
});

/** "Handling notification responses from APNs": the reason is one word, such as `BadDeviceToken`. */
const ApnsError = Type.Object({
  reason: Type.String({ pattern: '^[A-Z][A-Za-z]{2,60}$' }),
  /** Since when the token is dead, in milliseconds since 1970. */
  timestamp: Type.Optional(Type.Number()),
});
const isError = validator(ApnsError);
const errorIn = (answer: Pick<Answer, 'headers' | 'body'>): Static<typeof ApnsError> | undefined => {
  const body = jsonOf(answer);
  return isError(body) ? body : undefined;
};

/** Ours have expired or were refused: the next attempt brings a new one. */
const TOKEN_PROBLEMS = new Set(['ExpiredProviderToken', 'InvalidProviderToken', 'MissingProviderToken']);

const OF_TOPIC = new Set(['BadTopic', 'MissingTopic', 'TopicDisallowed']);
/** No device has this token: whoever signs rightly is told so. */
const NOBODY = '0'.repeat(64);

/** The reasons of a 410. Others say nothing about the token. */
const GONE = new Set(['Unregistered', 'ExpiredToken']);

/**
 * What an answer means. Apple repeats the `apns-id` of the request when it has taken a message over, and refuses with a
 * reason in JSON. Everything else was written by somebody on the way.
 * @param id the `apns-id` of the request
 */
export const apnsOutcome = (answer: Answer, id: string, now: number): PushOutcome => {
  const { status, headers } = answer;
  const isTaken = String(headers['apns-id'] ?? '').toLowerCase() === id.toLowerCase();
  if (status === 200 && isTaken && answer.body.length === 0) return { kind: 'delivered' };
  const error = errorIn(answer);
  if (!error || status < 400) return foreign(answer, now);
  const { reason, timestamp } = error;
  const retryAfter = headers['retry-after'];
  if (status === 410 && GONE.has(reason))
    return { kind: 'dead', reason, ...(timestamp !== undefined && { since: instantOf(timestamp) }) };
  if (status === 400 && reason === 'BadDeviceToken') return { kind: 'dead', reason };
  // Too many for one device: others are welcome.
  if (reason === 'TooManyRequests') return { ...later(status, reason, retryAfter, now), isAway: false } as PushOutcome;
  if (TOKEN_PROBLEMS.has(reason) || status === 429 || status >= 500) return later(status, reason, retryAfter, now);
  return { kind: 'refused', reason };
};

export const createApns = ({ key, urls, ...limits }: ApnsOptions): PushService => {
  const to = (url: string) => {
    const { origin, pathname } = new URL(url);
    return { url, prefix: pathname.replace(/\/$/, ''), http2: createHttp2Client(origin, limits) };
  };
  const environments = { production: to(urls.production), sandbox: to(urls.sandbox) };
  let token: { readonly text: Promise<string>; readonly until: number } | undefined;

  const currentToken = (): Promise<string> => {
    const now = Date.now();
    if (!token || token.until < now) token = { text: apnsToken(key, now), until: now + RENEW_MS };
    return token.text;
  };

  return {
    destinationOf: ({ environment }) => environments[environment].url,
    send: async (device, message) => {
      const { http2, prefix } = environments[device.environment];
      try {
        const used = currentToken();
        const about = apnsHeaders(key.topic, device, message);
        const headers = { authorization: `bearer ${await used}`, ...about };
        const body = JSON.stringify(apnsBody(message));
        const answer = await http2.post(`${prefix}/3/device/${device.token}`, headers, body);
        if (answer.status === 403 && token?.text === used) token = undefined;
        return apnsOutcome(answer, about['apns-id'], Date.now());
      } catch (error) {
        return failed(error);
      }
    },
    check: async () => {
      const { http2, prefix } = environments.production;
      const authorization = `bearer ${await currentToken()}`;
      const headers = { authorization, 'apns-topic': key.topic, 'apns-push-type': 'alert' };
      const answer = await http2.post(`${prefix}/3/device/${NOBODY}`, headers, '{"aps":{}}');
      const { status } = answer;
      const reason = errorIn(answer)?.reason;
      if (reason === undefined) throw new OutsideFault(`something else than APNs answered ${status}`);
      if (status === 403 || OF_TOPIC.has(reason))
        throw new OutsideFault(`it does not accept our key or topic: ${status} ${reason}`);
    },
    close: () => {
      for (const { http2 } of Object.values(environments)) http2.close();
    },
  };
};
