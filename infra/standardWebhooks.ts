/**
 * Signatures of notifications as of Standard Webhooks (https://www.standardwebhooks.com, "Signature
 * scheme"): HMAC-SHA256 over `id.timestamp.body`, in the headers `webhook-id`, `webhook-timestamp` (Unix seconds) and
 * `webhook-signature` (`v1,<base64>`, several separated by spaces while a secret is being changed).
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** The maximal difference between a timestamp and our clock. An older notification may be a replay. */
const TOLERANCE_S = 5 * 60;

export interface SignedMessage {
  /** The same for every delivery of one message. */
  readonly id: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly body: string | Buffer;
}

export type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>;
export type SignatureFault = 'signature_missing' | 'signature_stale' | 'signature_wrong';

/** `whsec_` introduces a key in base64; any other secret is taken as it is. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);

const hmac = (secret: string, message: SignedMessage): Buffer =>
  createHmac('sha256', keyOf(secret)).update(`${message.id}.${message.timestamp}.`).update(message.body).digest();

/** The headers that prove `message` to whoever knows `secret`. */
export const signWebhook = (secret: string, message: SignedMessage): Record<string, string> => ({
  'webhook-id': message.id,
  'webhook-timestamp': String(message.timestamp),
  'webhook-signature': `v1,${hmac(secret, message).toString('base64')}`,
});

const single = (headers: WebhookHeaders, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/**
 * What is wrong with a message's signature; undefined when it is good.
 * @param body the raw body, byte for byte
 * @param now milliseconds since 1970
 */
export const signatureFault = (
  secret: string,
  headers: WebhookHeaders,
  body: string | Buffer,
  now = Date.now(),
): SignatureFault | undefined => {
  const id = single(headers, 'webhook-id');
  const timestamp = single(headers, 'webhook-timestamp');
  const signatures = single(headers, 'webhook-signature');
  if (!id || !signatures || !timestamp || !/^\d{1,12}$/.test(timestamp)) return 'signature_missing';
  if (Math.abs(now / 1_000 - Number(timestamp)) > TOLERANCE_S) return 'signature_stale';
  const expected = hmac(secret, { id, timestamp: Number(timestamp), body });
  const good = signatures.split(' ').some((candidate) => {
    const [version, value = ''] = candidate.split(',');
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
  return good ? undefined : 'signature_wrong';
};
