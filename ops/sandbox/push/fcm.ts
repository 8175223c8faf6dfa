/** Stands in for FCM: the exchange of a signed claim for an access token, and `messages:send`. */
import { createPublicKey, randomUUID } from 'node:crypto';
import { jwtVerify } from 'jose';
import { SANDBOX_PATHS, sandboxFcm } from '../../../commands/push/sandboxKeys.ts';
import type { Handle, PushReply } from './exchange.ts';
import type { Received, Trouble } from './received.ts';

const TOKEN_SECONDS = 3_600;
const MOST_BYTES = 4_096;
const MOST_TTL = 2_419_200;
const SEND = /^\/push\/fcm\/v1\/projects\/([^/]+)\/messages:send$/;

const problem = (status: number, code: string, message: string, errorCode = code): PushReply => ({
  status,
  body: {
    error: {
      code: status,
      message,
      status: code,
      details: [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }],
    },
  },
});

const answerTo = (trouble: Trouble, received: Received): PushReply | undefined => {
  const retry = received.plan.retry_after_s;
  switch (trouble) {
    case 'unregistered':
      return problem(404, 'NOT_FOUND', 'Requested entity was not found.', 'UNREGISTERED');
    case 'bad_token':
      return problem(400, 'INVALID_ARGUMENT', 'The registration token is not a valid FCM registration token');
    case 'too_many':
      return {
        ...problem(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded', 'QUOTA_EXCEEDED'),
        headers: { 'retry-after': String(retry ?? 1) },
      };
    case 'error':
      return problem(500, 'INTERNAL', 'Internal error (requested failure)');
    case 'silence':
      return undefined;
  }
};

interface FcmMessage {
  readonly token?: string;
  readonly notification?: { readonly title?: string; readonly body?: string };
  readonly data?: Readonly<Record<string, unknown>>;
  readonly android?: {
    readonly priority?: string;
    readonly ttl?: string;
    readonly notification?: { readonly tag?: string };
  };
}

/** What is wrong with a message; undefined: nothing. */
const fault = ({ token, data = {}, android }: FcmMessage, bytes: number): string | undefined => {
  if (!token) return 'Recipient of the message is not set.';
  if (bytes > MOST_BYTES) return 'Message is too big';
  if (Object.values(data).some((value) => typeof value !== 'string')) return 'Data must be texts';
  const [, seconds] = /^(\d+)s$/.exec(android?.ttl ?? '0s') ?? [];
  if (seconds === undefined || Number(seconds) > MOST_TTL) return 'Invalid ttl';
  return ['HIGH', 'NORMAL', undefined].includes(android?.priority) ? undefined : 'Invalid priority';
};

/** @param rolesUrl where the roles reach the sandbox, which is the audience of their tokens */
export const sandboxFcmServer = (received: Received, rolesUrl: () => string): Handle => {
  const accounts = () => sandboxFcm(rolesUrl());
  const publicKey = createPublicKey(sandboxFcm('').private_key);
  /** Access token → until when it is valid. */
  const tokens = new Map<string, number>();

  const exchange: Handle = async ({ body }) => {
    const form = new URLSearchParams(body.toString());
    const { client_email: issuer, token_uri: audience } = accounts();
    try {
      const { payload } = await jwtVerify(form.get('assertion') ?? '', publicKey, {
        algorithms: ['RS256'],
        issuer,
        audience,
      });
      const { iat = 0, exp = 0, scope } = payload;
      if (exp - iat > TOKEN_SECONDS || scope !== 'https://www.googleapis.com/auth/firebase.messaging')
        throw new Error('scope or lifetime');
    } catch {
      return { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' } };
    }
    const access_token = randomUUID();
    for (const [token, until] of tokens) if (until < Date.now()) tokens.delete(token);
    tokens.set(access_token, Date.now() + TOKEN_SECONDS * 1_000);
    return { status: 200, body: { access_token, expires_in: TOKEN_SECONDS - 1, token_type: 'Bearer' } };
  };

  const send: Handle = async ({ headers, body }) => {
    const [, bearer = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
    if ((tokens.get(bearer) ?? 0) < Date.now())
      return problem(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');
    const trouble = received.trouble('fcm');
    if (trouble) return answerTo(trouble, received);
    const { message = {} } = JSON.parse(body.toString()) as { message?: FcmMessage };
    const wrong = fault(message, body.length);
    if (wrong) return problem(400, 'INVALID_ARGUMENT', wrong);
    const { id = '', kind = '', link = '' } = (message.data ?? {}) as Record<string, string>;
    received.add({
      service: 'fcm',
      token: message.token ?? '',
      id,
      kind,
      link,
      title: message.notification?.title ?? '',
      body: message.notification?.body ?? '',
      urgency: message.android?.priority === 'HIGH' ? 'high' : 'normal',
      collapse_key: message.android?.notification?.tag ?? '',
    });
    return { status: 200, body: { name: `projects/sandbox/messages/${randomUUID()}` } };
  };

  return async (request) => {
    if (request.path === SANDBOX_PATHS.token) return exchange(request);
    const [, project] = SEND.exec(request.path) ?? [];
    return project === accounts().project_id ? send(request) : problem(404, 'NOT_FOUND', 'Nothing at this address');
  };
};
