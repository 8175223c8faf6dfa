/** Firebase Cloud Messaging, HTTP v1: devices with Android, and browsers with Firebase. */
import { SignJWT } from 'jose';
import { OutsideFault } from '../../infra/outsideFault.ts';
import { createHttp2Client, type Http2Options } from './http2.ts';
import { failed, later, type PushOutcome, type PushService, type ServiceMessage } from './service.ts';
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

interface FcmError {
  readonly error?: {
    readonly status?: string;
    readonly message?: string;
    readonly details?: readonly { readonly errorCode?: string }[];
  };
}
const errorIn = (body: string): string => {
  try {
    const { error } = JSON.parse(body) as FcmError;
    return error?.details?.find(({ errorCode }) => errorCode)?.errorCode ?? error?.status ?? '';
  } catch {
    return '';
  }
};

/** What an answer means. Only `UNREGISTERED` says that the token is dead: `INVALID_ARGUMENT` may be our mistake. */
export const fcmOutcome = (status: number, body: string, retryAfter: string | undefined, now: number): PushOutcome => {
  if (status === 200) return { kind: 'delivered' };
  const reason = errorIn(body);
  if (reason === 'UNREGISTERED') return { kind: 'dead', reason };
  if (status === 401 || status === 429 || status >= 500) return later(status, reason, retryAfter, now);
  return { kind: 'refused', reason: reason || String(status) };
};

export const createFcm = ({ account, apiUrl, ...limits }: FcmOptions): PushService => {
  const { origin, pathname } = new URL(apiUrl);
  const path = `${pathname.replace(/\/$/, '')}/v1/projects/${account.project_id}/messages:send`;
  const http2 = createHttp2Client(origin, limits);
  let access: { readonly token: Promise<string>; until: number } | undefined;

  const exchange = async (): Promise<string> => {
    const assertion = await fcmAssertion(account, Date.now());
    const response = await fetch(account.token_uri, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: GRANT, assertion }),
      redirect: 'error',
      signal: AbortSignal.timeout(TOKEN_MS),
    });
    const reply = (await response.json().catch(() => ({}))) as { access_token?: string; expires_in?: number };
    if (!response.ok || !reply.access_token)
      throw new OutsideFault(`the token endpoint of FCM answered ${response.status}`);
    if (access) access.until = Date.now() + (reply.expires_in ?? 3_600) * 1_000 - EARLY_MS;
    return reply.access_token;
  };
  const accessToken = (): Promise<string> => {
    if (access && access.until > Date.now()) return access.token;
    // Until it is known how long the new one lasts, everybody waits for the same one.
    const fresh = { token: exchange(), until: Number.POSITIVE_INFINITY };
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
        return fcmOutcome(answer.status, answer.body, answer.headers['retry-after'], Date.now());
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
