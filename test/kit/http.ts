/** Speaking HTTP to a running system, the way an app does. */
import { randomUUID } from 'node:crypto';
import { until, WAIT_MS } from './until.ts';
import type { Demo } from './world.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body, field by field
  readonly body: any;
}

export interface Call {
  readonly token?: string;
  readonly apiKey?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `call('GET /api/v1/hotels?city=…')` against a base address. Proves again who signed in with `signIn`, when asked. */
export const caller = (base: string) => {
  const call = sender(base);
  return async (request: string, sent: Call = {}): Promise<Reply> => {
    const reply = await call(request, sent);
    const password = passwords.get(sent.token ?? '');
    if (password === undefined || reply.body?.code !== 'fresh_proof_required') return reply;
    await call('POST /auth/confirm', { token: sent.token as string, body: { password } });
    return call(request, sent);
  };
};
export type CallApi = ReturnType<typeof sender>;

/** Access token of `signIn` → password: a spec on a slow machine takes longer than a sign-in counts as a fresh proof. */
const passwords = new Map<string, string>();

/** Every 422 names the fields that are wrong, whatever the test is about. */
const assertPointers = (request: string, { errors }: { errors?: readonly { pointer: string }[] }): void => {
  const isNamed = errors?.length && errors.every(({ pointer }) => /^\/(body|query|path|header)(\/|$)/.test(pointer));
  if (!isNamed) throw new Error(`422 without a field: ${request} ${JSON.stringify(errors)}`);
};

/** The API whose writes are waited for until all read models show them. */
let shownBy: string | undefined;
/** For an API whose projectors nobody stops. The others are asked by specs that stop them. */
export const waitUntilShownBy = (base: string): void => {
  shownBy = base;
};

/**
 * A reply waits two seconds for what it has written to be shown, and says when it is not (`x-projected: false`): an app asks
 * with the position then. On a machine under load specs wait here, and find what they have written in the next reply.
 */
export const untilShown = async (base: string, headers: Headers): Promise<void> => {
  const position = headers.get('x-event-position');
  if (base !== shownBy || position === null || headers.get('x-projected') !== 'false') return;
  const asked = { headers: { 'x-min-position': position }, signal: AbortSignal.timeout(WAIT_MS) };
  await until(async () => {
    const reply = await fetch(`${base}/api/v1/hotels?per_page=1`, asked);
    await reply.arrayBuffer();
    return reply.headers.get('x-projected') !== 'false';
  });
};

const sender =
  (base: string) =>
  async (request: string, { token, apiKey, body, headers = {} }: Call = {}): Promise<Reply> => {
    const [method = 'GET', path = '/'] = request.split(' ');
    const response = await fetch(base + path, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(60_000),
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(apiKey && { 'x-api-key': apiKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = /json/.test(response.headers.get('content-type') ?? '');
    if (response.status === 422) assertPointers(request, JSON.parse(text));
    await untilShown(base, response.headers);
    return { status: response.status, headers: response.headers, body: json && text ? JSON.parse(text) : text };
  };
/** Signs in as somebody of the demo. @returns an access token */
export const signIn = async (call: CallApi, demo: Demo, who: keyof Demo['accounts']): Promise<string> => {
  const { status, body } = await call('POST /auth/login', {
    body: { identifier: demo.accounts[who].email, password: demo.password },
  });
  if (status !== 200) throw new Error(`cannot sign in as ${who}: ${status} ${JSON.stringify(body)}`);
  passwords.set(body.access_token, demo.password);
  return body.access_token;
};

/** Somebody who has an account of their own, which no other spec uses. */
export interface Newcomer {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
}

/** Opens the account of a tourist. @param admin the token of an admin */
export const newTourist = async (call: CallApi, admin: string, first_name: string): Promise<Newcomer> => {
  const [email, password] = [`${randomUUID()}@example.test`, 'correct horse battery'];
  const body = { role: 'tourist', email, password, first_name, last_name: 'Orlova' };
  const opened = await call('POST /api/v1/admin/accounts', { token: admin, body });
  if (opened.status !== 201) throw new Error(`cannot open an account: ${JSON.stringify(opened.body)}`);
  const signedIn = await call('POST /auth/login', { body: { identifier: email, password } });
  return { id: signedIn.body.user.id, email, password, token: signedIn.body.access_token };
};

/** A new Idempotency-Key. */
export const once = (): Record<string, string> => ({ 'idempotency-key': randomUUID() });

/** Operations that end the session or the account of whoever calls them: not for accounts that tests share. */
export const endsCaller: readonly string[] = ['POST /auth/logout', 'DELETE /api/v1/me'];
