/** Firebase Cloud Messaging, HTTP v1: devices with Android, and browsers with Firebase. */
import { Type } from '@sinclair/typebox';
import { SignJWT } from 'jose';
import { jsonOf, said } from '../../infra/outside/answers.ts';
import { type Answer, exchange } from '../../infra/outside/exchange.ts';
import { createHttp2Client, type Http2Options } from '../../infra/outside/http2.ts';
import { OutsideFault } from '../../infra/outsideFault.ts';
import { validator } from '../../infra/validation.ts';
import { failed, foreign, later, type PushOutcome, type PushService, type ServiceMessage } from './service.ts';
import { signingKey } from './signingKey.ts';

/** The parts of a service account's key file that are needed. */
export interface FcmAccount {
  readonly project_id: string;
  readonly client_email: string;
  /** PKCS #8 in PEM. */
  readonly private_key: string;
  readonly token_uri: string;
}

export interface FcmOptions extends Http2Options {
  readonly account: FcmAccount;
  /** `https://fcm.googleapis.com`, perhaps with a path. */
  readonly apiUrl: string;
}

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const TOKEN_MS = 10_000;
/** An access token is replaced this long before it expires. */
const EARLY_MS = 300_000;
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** The signed claim of a service account, which is exchanged for an access token. @param now milliseconds since 1970 */
export const fcmAssertion = async (account: FcmAccount, now: number): Promise<string> => {
  const seconds = Math.floor(now / 1_000);
  return new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(account.client_email)
    .setAudience(account.token_uri)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + 3_600)
    .sign(await signingKey(account.private_key, 'RS256'));
};

/** The body of `messages:send`. Data are texts only. @param now milliseconds since 1970 */
export const fcmMessage = (token: string, message: ServiceMessage, now: number): object => {
  const { id, kind, title, body, link, urgency, collapseKey, expiresAt } = message;
  const ttl = String(Math.max(0, Math.floor((Date.parse(expiresAt) - now) / 1_000)));
  return {
    message: {
      token,
      notification: { title, body },
      data: { id, kind, link },
      // A tag replaces what is shown; of `collapse_key` a device keeps only four.
      android: { priority: urgency === 'high' ? 'HIGH' : 'NORMAL', ttl: `${ttl}s`, notification: { tag: collapseKey } },
      webpush: {
        headers: { TTL: ttl, Urgency: urgency },
        notification: { tag: collapseKey },
      },
    },
  };
};

/** "REST Resource: projects.messages": the name of the message that was taken over. */
const isSent = validator(Type.Object({ name: Type.String({ pattern: '^projects/[^/]+/messages/.' }) }));
/** Google's form of errors (AIP-193). `details` of the type `FcmError` have an `errorCode`. */
const isError = validator(
  Type.Object({
    error: Type.Object({
      status: Type.String({ pattern: '^[A-Z][A-Z_]+$' }),
      details: Type.Optional(Type.Array(Type.Object({ errorCode: Type.Optional(Type.String()) }))),
    }),
  }),
);
/** "Using OAuth 2.0 for Server to Server Applications", and the errors of RFC 6749. */
const tokenForms = {
  reply: validator(
    Type.Object({ access_token: Type.String({ minLength: 1 }), expires_in: Type.Optional(Type.Number()) }),
  ),
  refusal: validator(Type.Object({ error: Type.String() })),
};

/** A refusal that is about the device's token or the message. The other ones of 403 are about our account. */
const ABOUT_DEVICE = 'SENDER_ID_MISMATCH';

/**
 * What an answer means. Only `UNREGISTERED` says that the token is dead: `INVALID_ARGUMENT` may be our mistake. What is in
 * none of Google's forms was written by somebody on the way.
 */
export const fcmOutcome = (answer: Answer, now: number): PushOutcome => {
  const { status, headers } = answer;
  const body = jsonOf(answer);
  if (status === 200 && isSent(body)) return { kind: 'delivered' };
  if (!isError(body) || status < 400) return foreign(answer, now);
  const { error } = body;
  const reason = error.details?.find(({ errorCode }) => errorCode)?.errorCode ?? error.status;
  if (reason === 'UNREGISTERED') return { kind: 'dead', reason };
  const isAboutUs = status === 401 || (status === 403 && reason !== ABOUT_DEVICE);
  if (isAboutUs || status === 429 || status >= 500) return later(status, reason, headers['retry-after'], now);
  return { kind: 'refused', reason };
};

export const createFcm = ({ account, apiUrl, ...limits }: FcmOptions): PushService => {
  const { origin, pathname } = new URL(apiUrl);
  const path = `${pathname.replace(/\/$/, '')}/v1/projects/${account.project_id}/messages:send`;
  const http2 = createHttp2Client(origin, limits);
  let access: { readonly token: Promise<string>; until: number } | undefined;

  const newToken = async (): Promise<string> => {
    const assertion = await fcmAssertion(account, Date.now());
    const answer = await exchange(account.token_uri, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: GRANT, assertion }).toString(),
      timeoutMs: TOKEN_MS,
    });
    const token = said(tokenForms, answer);
    if (token.kind !== 'reply') throw new OutsideFault(`the token endpoint of FCM answered ${token.status}`);
    const { access_token, expires_in = 3_600 } = token.body;
    if (access) access.until = Date.now() + expires_in * 1_000 - EARLY_MS;
    return access_token;
  };
  const accessToken = (): Promise<string> => {
    if (access && access.until > Date.now()) return access.token;
    // Until it is known how long the new one lasts, everybody waits for the same one.
    const fresh = { token: newToken(), until: Number.POSITIVE_INFINITY };
    access = fresh;
    fresh.token.catch(() => {
      if (access === fresh) access = undefined;
    });
    return fresh.token;
  };

  return {
    destinationOf: () => origin,
    send: async (device, message) => {
      try {
        const used = accessToken();
        const authorization = `Bearer ${await used}`;
        const body = JSON.stringify(fcmMessage(device.token, message, Date.now()));
        const answer = await http2.post(path, { authorization, 'content-type': 'application/json' }, body);
        if (answer.status === 401 && access?.token === used) access = undefined;
        return fcmOutcome(answer, Date.now());
      } catch (error) {
        return failed(error);
      }
    },
    check: async () => {
      await accessToken();
    },
    close: () => http2.close(),
  };
};
