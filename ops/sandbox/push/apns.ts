/** Stands in for APNs: `POST /3/device/<token>`, once for each environment. */
import { createPublicKey } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http2';
import { jwtVerify } from 'jose';
import { sandboxApns } from '../../../commands/push/sandboxKeys.ts';
import type { Handle, PushReply } from './exchange.ts';
import type { Received, Trouble } from './received.ts';

const MOST_BYTES = 4_096;
const LONGEST_S = 3_600;
const ADDRESS = /^\/push\/apns\/(production|sandbox)\/3\/device\/([^/]+)$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MOST_KNOWN = 100;

const problem = (status: number, reason: string, more: object = {}): PushReply => ({
  status,
  body: { reason, ...more },
});

const answerTo = (trouble: Trouble, received: Received): PushReply | undefined => {
  switch (trouble) {
    case 'unregistered':
      return problem(410, 'Unregistered', { timestamp: Date.now() });
    case 'bad_token':
      return problem(400, 'BadDeviceToken');
    case 'too_many':
      return {
        ...problem(429, 'TooManyProviderTokenUpdates'),
        headers: { 'retry-after': String(received.plan.retry_after_s ?? 1) },
      };
    case 'error':
      return problem(500, 'InternalServerError');
    case 'silence':
      return undefined;
  }
};

/** What is wrong with the headers; undefined: nothing. */
const fault = (headers: IncomingHttpHeaders): PushReply | undefined => {
  const text = (name: string): string => String(headers[name] ?? '');
  if (text('apns-topic') === '') return problem(400, 'MissingTopic');
  if (text('apns-topic') !== sandboxApns.topic) return problem(400, 'TopicDisallowed');
  if (text('apns-push-type') !== 'alert') return problem(400, 'InvalidPushType');
  if (!/^\d+$/.test(text('apns-expiration'))) return problem(400, 'BadExpirationDate');
  if (!['1', '5', '10'].includes(text('apns-priority'))) return problem(400, 'BadPriority');
  if (Buffer.byteLength(text('apns-collapse-id')) > 64) return problem(400, 'BadCollapseId');
  return UUID.test(text('apns-id')) ? undefined : problem(400, 'BadMessageId');
};

interface Payload {
  readonly aps?: { readonly alert?: { readonly title?: string; readonly body?: string } };
  readonly id?: string;
  readonly kind?: string;
  readonly link?: string;
}

export const sandboxApnsServer = (received: Received): Handle => {
  const publicKey = createPublicKey(sandboxApns.privateKey);
  /** Tokens whose signature was verified → when they were issued, in seconds. */
  const known = new Map<string, number>();

  const issuedAt = async (token: string): Promise<number> => {
    const before = known.get(token);
    if (before !== undefined) return before;
    const { payload, protectedHeader } = await jwtVerify(token, publicKey, {
      algorithms: ['ES256'],
      issuer: sandboxApns.teamId,
    });
    if (protectedHeader.kid !== sandboxApns.keyId) throw new Error('another key');
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(token, payload.iat ?? 0);
    return payload.iat ?? 0;
  };

  return async ({ path, headers, body }) => {
    const [, , token = ''] = ADDRESS.exec(path) ?? [];
    if (token === '') return problem(404, 'BadPath');
    const [, bearer = ''] = /^bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
    if (bearer === '') return problem(403, 'MissingProviderToken');
    const at = await issuedAt(bearer).catch(() => undefined);
    if (at === undefined) return problem(403, 'InvalidProviderToken');
    if (Math.abs(Date.now() / 1_000 - at) > LONGEST_S) return problem(403, 'ExpiredProviderToken');
    const trouble = received.trouble('apns');
    if (trouble) return answerTo(trouble, received);
    const wrong = fault(headers);
    if (wrong) return wrong;
    if (!/^[0-9a-f]{64,200}$/.test(token)) return problem(400, 'BadDeviceToken');
    if (body.length > MOST_BYTES) return problem(413, 'PayloadTooLarge');
    const { aps, id = '', kind = '', link = '' } = JSON.parse(body.toString()) as Payload;
    if (!aps?.alert?.title) return problem(400, 'PayloadEmpty');
    received.add({
      service: 'apns',
      token,
      id,
      kind,
      link,
      title: aps.alert.title,
      body: aps.alert.body ?? '',
      urgency: headers['apns-priority'] === '10' ? 'high' : 'normal',
      collapse_key: String(headers['apns-collapse-id'] ?? ''),
    });
    return { status: 200, headers: { 'apns-id': String(headers['apns-id']) } };
  };
};
