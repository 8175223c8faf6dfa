/** Requests that are repeated with their `Idempotency-Key`: in every module they happen once, and are answered alike. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { photo } from '../files/samples.ts';
import { type Call, caller, type Newcomer, newTourist, once, signIn } from '../kit/http.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
let admin = '';
let [anna, boris] = [{} as Newcomer, {} as Newcomer];
let thread = '';
beforeAll(async () => {
  admin = await signIn(call, demo, 'admin');
  [anna, boris] = await Promise.all([newTourist(call, admin, 'Anna'), newTourist(call, admin, 'Boris')]);
  const started = await call('POST /api/v1/chats/start', { token: anna.token, body: { user_id: boris.id } });
  thread = started.body.id;
});

/** The same members in another order. */
const turned = (body: object): string => JSON.stringify(Object.fromEntries(Object.entries(body).toReversed()));

interface Repeated {
  readonly request: string;
  readonly body?: object;
  readonly as?: Call;
  /** A body that means something else. */
  readonly other?: object;
}
const inEachModule: readonly [string, () => Repeated][] = [
  [
    'accounts',
    () => ({
      request: 'PUT /api/v1/users/me',
      body: { first_name: 'Ann', last_name: 'O' },
      other: { first_name: 'A' },
    }),
  ],
  [
    'accounts, by the tool that seeds',
    () => {
      const body = { role: 'tourist', email: `${randomUUID()}@example.test`, password: 'correct horse battery' };
      const as = { headers: { 'x-admin-token': 'dev-only-admin-token' }, token: admin };
      return {
        request: 'POST /api/v1/admin/accounts',
        body,
        as,
        other: { ...body, password: 'another horse battery' },
      };
    },
  ],
  [
    'chat',
    () => ({
      request: 'POST /api/v1/messages',
      body: { thread_id: thread, body: 'Hi' },
      other: { thread_id: thread, body: 'Ho' },
    }),
  ],
  ['friends', () => ({ request: 'POST /api/v1/friends/invite', body: { user_id: boris.id } })],
  ['consents', () => ({ request: 'PATCH /api/v1/push/preferences', body: { chat: false } })],
  ['tracking', () => ({ request: 'POST /api/v1/tracking/sessions', body: {} })],
  [
    'support',
    () => ({ request: 'POST /api/v1/support/tickets', body: { subject: 'Lost glove', message: 'A red one.' } }),
  ],
  ['commissions', () => ({ request: 'DELETE /api/v1/admin/commissions/global', as: { token: admin } })],
];

it.each(inEachModule)('%s', async (_, repeated) => {
  const { request, body, as = { token: anna.token }, other } = repeated();
  const key = once();
  const ask = (sent?: unknown) =>
    call(request, { ...as, headers: { ...as.headers, ...key }, ...(sent !== undefined && { body: sent }) });
  const first = await ask(body);
  expect(first.status, JSON.stringify(first.body)).toBeLessThan(300);
  const again = await ask(body && turned(body));
  expect([again.status, again.body]).toEqual([first.status, first.body]);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  if (other) expect(await ask(other)).toMatchObject({ status: 422, body: { code: 'key_reused' } });
});

it('requests at the same time with one key happen once', async () => {
  const body = { thread_id: thread, body: `At once ${randomUUID()}` };
  const key = once();
  const ask = () => call('POST /api/v1/messages', { token: anna.token, headers: key, body });
  const answers = await Promise.all([ask(), ask(), ask()]);
  const sent = answers.filter(({ status }) => status === 201);
  expect(sent.length).toBeGreaterThan(0);
  expect(new Set(sent.map(({ body: { id } }) => id)).size).toBe(1);
  for (const { status, body: problem } of answers)
    if (status !== 201) expect([status, problem.code]).toEqual([409, 'in_flight']);
  const { body: page } = await call(`GET /api/v1/messages/${thread}`, { token: boris.token });
  expect(page.data.filter((message: { body: string }) => message.body === body.body)).toHaveLength(1);
});

it('a picture that is uploaded again with its key is one file, and another one is refused', async () => {
  const key = once();
  const upload = async (bytes: Buffer) => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'IMG_1.jpg');
    const headers = { ...key, authorization: `Bearer ${anna.token}` };
    const reply = await fetch(`${runtime.api}/api/v1/attachments/upload?folder=chat`, {
      method: 'POST',
      headers,
      body: form,
    });
    return { status: reply.status, body: (await reply.json()) as { id?: string; code?: string } };
  };
  const picture = await photo(60, 40);
  const first = await upload(picture);
  expect(first.status, JSON.stringify(first.body)).toBe(201);
  expect(await upload(picture)).toEqual(first);
  expect(await upload(await photo(40, 60))).toMatchObject({ status: 422, body: { code: 'key_reused' } });
});

it('what is done without a known caller ignores the key', async () => {
  const key = once();
  const ask = ({ email: identifier, password }: Newcomer) =>
    call('POST /auth/login', { headers: key, body: { identifier, password } });
  const [first, other] = [await ask(anna), await ask(boris)];
  expect([first.body.user.id, other.body.user.id]).toEqual([anna.id, boris.id]);
  expect(other.headers.get('idempotency-replayed')).toBeNull();
});
