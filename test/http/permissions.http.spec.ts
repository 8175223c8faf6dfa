/** Every operation × every kind of caller: allowed or refused exactly as the access of its route says. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Access } from '../../api/http/access.ts';
import { routes } from '../../api/modules.ts';
import { type Call, type CallApi, caller, endsCaller, signIn } from '../kit/http.ts';
import { sharedWorld } from '../kit/world.ts';

const ADMIN_TOKEN = 'dev-only-admin-token';
const SOME_ID = '0198c0de-0000-7000-8000-000000000000';

const { demo, runtime } = sharedWorld();
const call: CallApi = caller(runtime.api);

/** One of every role. */
const people = ['tourist', 'hotelier', 'touroperator', 'transfer', 'instructor', 'restaurant', 'admin'] as const;
const kinds = [...people, 'nobody', 'partner', 'seedTool', 'forged'] as const;
type Kind = (typeof kinds)[number];

/** The expected answer, written independently of the code that decides. `in`: anything but 401 and 403. */
const expected = (access: Access, kind: Kind): 'in' | 401 | 403 => {
  if (access === 'public') return 'in';
  // The demo key has neither audit:read, snow:report nor passes:scan.
  if (kind === 'partner' && ['auditor', 'sensor', 'scope:passes:scan'].includes(access)) return 403;
  if (access.startsWith('scope:')) return kind === 'partner' ? 'in' : 401;
  if (access === 'seed' && kind === 'seedTool') return 'in';
  if (kind === 'nobody' || kind === 'forged' || kind === 'partner' || kind === 'seedTool') return 401;
  if (access === 'user' || access === 'emergency') return 'in';
  if (access === 'provider') return kind === 'tourist' ? 403 : 'in';
  return kind === 'admin' ? 'in' : 403;
};

const credentials = new Map<Kind, Call>();

beforeAll(async () => {
  credentials.set('nobody', {});
  for (const who of people) credentials.set(who, { token: await signIn(call, demo, who) });
  credentials.set('partner', { apiKey: demo.partner_key });
  credentials.set('seedTool', { headers: { 'x-admin-token': ADMIN_TOKEN } });
  credentials.set('forged', { token: `${(await signIn(call, demo, 'admin')).slice(0, -6)}AAAAAA` });
});

const request = (key: string): string => {
  const [method, path = ''] = key.split(' ');
  return `${method} ${path.replace(/:(\w+)/g, (_, name) => (name === 'provider' ? 'yookassa' : SOME_ID))}`;
};

/** What ends the caller is tested in `test/accounts` and `test/privacy`. */
const checked = routes.filter(({ key, access }) => !endsCaller.includes(key) && access !== 'signed');

describe.each(kinds)('%s', (kind) => {
  // Several at once: one would leave the client idle while the system works, and the other way round.
  it.concurrent.each(checked.map((route) => [route.key, route] as const))('%s', async (key, { method, access }) => {
    const { status, body } = await call(request(key), {
      ...credentials.get(kind),
      ...(method !== 'GET' && { body: {} }),
    });
    const want = expected(access, kind);
    if (want === 'in') expect([401, 403], JSON.stringify(body)).not.toContain(status);
    else expect(status, JSON.stringify(body)).toBe(want);
    expect(status).toBeLessThan(500);
  });
});
