/** Every kind of caller × every access, and every operation: allowed or refused exactly as the access of its route says. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Access } from '../../api/http/access.ts';
import type { Route } from '../../api/http/route.ts';
import { routes } from '../../api/modules.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { type Call, type CallApi, caller, endsCaller, signIn } from '../kit/http.ts';
import { sharedWorld } from '../kit/world.ts';

/** One would leave the client idle while the system works, and the other way round; many would overload a small machine. */
const AT_ONCE = 5;
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

/** @returns what is wrong with the answer; undefined: it is as expected */
const wrongAnswer = async ({ key, method, access }: Route, kind: Kind): Promise<string | undefined> => {
  const sent = { ...credentials.get(kind), ...(method !== 'GET' && { body: {} }) };
  const { status, body } = await call(request(key), sent);
  const want = expected(access, kind);
  const isRight = want === 'in' ? status !== 401 && status !== 403 && status < 500 : status === want;
  return isRight ? undefined : `${key} as ${kind}: ${status} instead of ${want}, ${JSON.stringify(body)}`;
};

/** What ends the caller is tested in `test/accounts` and `test/privacy`. */
const checked = routes.filter(({ key, access }) => !endsCaller.includes(key) && access !== 'signed');
const accesses = [...new Set(checked.map(({ access }) => access))];

describe.each(accesses)('what is for %s', (access) => {
  const those = checked.filter((route) => route.access === access);

  it.each(kinds)('answers %s as it should, at one operation', async (kind) => {
    const reads = those.find(({ method }) => method === 'GET');
    expect(await wrongAnswer((reads ?? those[0]) as Route, kind)).toBeUndefined();
  });

  // What an operation declares is compared with `docs/permissions.md` by `npm run check`.
  it('is asked for at every operation', async () => {
    const refused = kinds.find((kind) => expected(access, kind) === 403);
    const wrong: string[] = [];
    for (const kind of ['nobody', 'forged', ...(refused ? [refused] : [])] as const)
      await concurrentEach(those, AT_ONCE, async (route) => {
        const answer = await wrongAnswer(route, kind);
        if (answer !== undefined) wrong.push(answer);
      });
    expect(wrong).toEqual([]);
  });
});
