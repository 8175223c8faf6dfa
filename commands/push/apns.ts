/** Apple Push Notification service: devices with iOS. */
import { SignJWT } from 'jose';
import { instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import { derivedId } from '../../infra/ids.ts';
import { OutsideFault } from '../../infra/outsideFault.ts';
import { createHttp2Client, type Http2Options } from './http2.ts';
import { type Device, failed, later, type PushOutcome, type PushService, type ServiceMessage } from './service.ts';
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
export const apnsHeaders = (topic: string, device: Device, message: ServiceMessage): Record<string, string> => ({
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

interface ApnsError {
  readonly reason?: string;
  /** Since when the token is dead, in milliseconds since 1970. */
  readonly timestamp?: number;
}
const errorIn = (body: string): ApnsError => {
  try {
    return JSON.parse(body) as ApnsError;
  } catch {
    return {};
  }
};

/** Ours have expired or were refused: the next attempt brings a new one. */
const TOKEN_PROBLEMS = new Set(['ExpiredProviderToken', 'InvalidProviderToken', 'MissingProviderToken']);

const OF_TOPIC = new Set(['BadTopic', 'MissingTopic', 'TopicDisallowed']);
/** No device has this token: whoever signs rightly is told so. */
const NOBODY = '0'.repeat(64);

/** What an answer means. */
export const apnsOutcome = (status: number, body: string, retryAfter: string | undefined, now: number): PushOutcome => {
  if (status === 200) return { kind: 'delivered' };
  const { reason = String(status), timestamp } = errorIn(body);
  if (status === 410) return { kind: 'dead', reason, ...(timestamp !== undefined && { since: instantOf(timestamp) }) };
  if (reason === 'BadDeviceToken') return { kind: 'dead', reason };
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
        const headers = { authorization: `bearer ${await used}`, ...apnsHeaders(key.topic, device, message) };
        const body = JSON.stringify(apnsBody(message));
        const answer = await http2.post(`${prefix}/3/device/${device.token}`, headers, body);
        if (answer.status === 403 && token?.text === used) token = undefined;
        return apnsOutcome(answer.status, answer.body, answer.headers['retry-after'], Date.now());
      } catch (error) {
        return failed(error);
      }
    },
    check: async () => {
      const { http2, prefix } = environments.production;
      const authorization = `bearer ${await currentToken()}`;
      const headers = { authorization, 'apns-topic': key.topic, 'apns-push-type': 'alert' };
      const { status, body } = await http2.post(`${prefix}/3/device/${NOBODY}`, headers, '{"aps":{}}');
      if (status === 403 || OF_TOPIC.has(errorIn(body).reason ?? ''))
        throw new OutsideFault(`it does not accept our key or topic: ${status} ${errorIn(body).reason ?? ''}`.trim());
    },
    close: () => {
      for (const { http2 } of Object.values(environments)) http2.close();
    },
  };
};
