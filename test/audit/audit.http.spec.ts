/** Auditing over HTTP, as an admin and as a partner with `audit:read`. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { startCli } from '../kit/cli.ts';
import { type Call, caller, type Reply, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { dataDir, demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const reason = { 'x-reason': 'a test of the audit' };
let admin: Call;
let auditor: Call & { keyId: string };
/** An account that was opened and then changed: two events and more. */
let person: { id: string; stream: string; email: string };

interface Shown {
  readonly event_id: string;
  readonly position: string;
  readonly stream: string;
  readonly type: string;
  readonly at: string;
  readonly actor: { readonly id: string };
  readonly correlation_id: string;
  readonly data?: Record<string, unknown>;
}
const found = async (query: string, as: Call = admin): Promise<Shown[]> => {
  const { status, body } = await call(`GET /api/v1/audit/events?${query}`, as);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
};
const order = ({ position }: Shown): bigint => BigInt(position.split('/')[0] ?? '');

beforeAll(async () => {
  admin = { token: await signIn(call, demo, 'admin') };
  const key = await call('POST /api/v1/admin/api-keys', {
    ...admin,
    body: { name: 'Auditor', scopes: ['audit:read'] },
  });
  auditor = { apiKey: key.body.key, keyId: key.body.id };
  const email = `${randomUUID()}@audit.test`;
  const opened = await call('POST /api/v1/admin/accounts', {
    ...admin,
    headers: { 'x-correlation-id': 'audit-spec-opening' },
    body: { role: 'tourist', email, password: 'demo-Passw0rd', first_name: 'Vera', last_name: 'Audited' },
  });
  expect(opened.status, JSON.stringify(opened.body)).toBe(201);
  person = { id: opened.body.id, stream: `account-${opened.body.id}`, email };
  const login = await call('POST /auth/login', { body: { identifier: email, password: 'demo-Passw0rd' } });
  await call('PUT /api/v1/users/me', { token: login.body.access_token, body: { first_name: 'Nadia' } });
  await until(async () => (await found(`stream=${person.stream}`)).length >= 2);
});

describe('the list of events', () => {
  it('filters by stream, type, actor, correlation and time together', async () => {
    const all = await found(`stream=${person.stream}&order=oldest`);
    expect(all.map(({ type }) => type).slice(0, 2)).toEqual(['AccountOpened', 'ProfileChanged']);
    const [opened, changed] = all as [Shown, Shown];
    expect(await found(`stream=${person.stream}&type=ProfileChanged`)).toMatchObject([{ event_id: changed.event_id }]);
    expect(await found(`actor=${person.id}&type=ProfileChanged`)).toMatchObject([{ event_id: changed.event_id }]);
    expect(await found(`correlation=audit-spec-opening&stream=${person.stream}`)).toMatchObject([
      { event_id: opened.event_id, actor: { id: demo.accounts.admin.id } },
    ]);
    expect(await found(`stream=${person.stream}&from=${changed.at}`)).not.toContainEqual(opened);
    expect(await found(`stream=${person.stream}&to=${opened.at}`)).toEqual([opened]);
    expect(await found(`stream=${person.stream}&actor=${randomUUID()}`)).toEqual([]);
  });

  it.each(['newest', 'oldest'])('pages through every event once, %s first', async (direction) => {
    const seen: Shown[] = [];
    let next: string | null = '';
    for (let pages = 0; next !== null && pages < 4; pages += 1) {
      const reply: Reply = await call(
        `GET /api/v1/audit/events?limit=7&order=${direction}${next && `&after=${encodeURIComponent(next)}`}`,
        admin,
      );
      expect(reply.body.data).toHaveLength(7);
      seen.push(...reply.body.data);
      next = reply.body.next;
    }
    const places = seen.map(order);
    expect(places).toEqual(
      [...new Set(places)].toSorted((a, b) => (direction === 'oldest' ? 1 : -1) * (a < b ? -1 : 1)),
    );
  });

  it('includes data on request, with personal data only for a reason', async () => {
    const query = `stream=${person.stream}&data=true&order=oldest`;
    expect((await found(`stream=${person.stream}`))[0]).not.toHaveProperty('data');
    for (const as of [admin, auditor]) {
      const [opened, changed] = await found(query, as);
      expect(opened?.data).toMatchObject({ email: '[hidden]', firstName: '[hidden]', passwordHash: '[hidden]' });
      expect(changed).toMatchObject({ data: { firstName: '[hidden]' }, ip: '[hidden]' });
    }
    for (const as of [admin, auditor]) {
      const [opened, changed] = await found(query, { ...as, headers: reason });
      expect(opened?.data).toMatchObject({ email: person.email, firstName: 'Vera', passwordHash: '[hidden]' });
      expect(changed?.data).toEqual({ firstName: 'Nadia' });
    }
    expect((await found(`stream=${person.stream}&type=ProfileChanged`))[0]).toMatchObject({ ip: '[hidden]' });
  });

  it.each([
    ['no reason', ''],
    ['a blank one', '%20'],
    ['one that is too long', 'x'.repeat(501)],
    ['one that is too long, encoded', encodeURIComponent('я'.repeat(501))],
    ['one that cannot be stored', 'because%00'],
    ['one without a word', ', '],
    ['one that nobody can see', encodeURIComponent('\u200b')],
    ['one that says that it was erased', '[erased]'],
  ])('refuses %s', async (_, given) => {
    const { status, body } = await call('GET /api/v1/audit/events', { ...admin, headers: { 'x-reason': given } });
    expect(status).toBe(422);
    expect(body.detail).toContain('X-Reason');
  });

  it.each([
    'type=Nonsense',
    'from=yesterday',
    'after=1',
    'after=99999999999999999999/1',
    'limit=0',
    'limit=101',
    'order=any',
    'stream=booking',
    'unknown=1',
  ])('refuses %s', async (query) => {
    const { status, body } = await call(`GET /api/v1/audit/events?${query}`, admin);
    expect(status).toBe(422);
    expect(typeof body.detail).toBe('string');
  });
});

describe('a stream', () => {
  it('is read in pages', async () => {
    const first = await call(`GET /api/v1/audit/streams/${person.stream}?limit=1`, admin);
    expect(first.body).toMatchObject({ data: [{ type: 'AccountOpened', revision: 0 }], next_revision: 1 });
    const second = await call(`GET /api/v1/audit/streams/${person.stream}?limit=100&from_revision=1`, admin);
    expect(second.body).toMatchObject({ data: [{ type: 'ProfileChanged', revision: 1 }], next_revision: null });
    const beyond = await call(`GET /api/v1/audit/streams/${person.stream}?from_revision=1000000`, admin);
    expect(beyond.body).toMatchObject({ data: [], next_revision: null });
  });

  it('shows past states of its aggregate', async () => {
    const state = async (query = '', headers: Record<string, string> = reason) =>
      (await call(`GET /api/v1/audit/streams/${person.stream}/state${query}`, { ...admin, headers })).body;
    const blind = await state('', {});
    expect(blind.state).toMatchObject({ status: 'open', firstName: '[hidden]', passwordHash: '[hidden]' });
    expect(JSON.stringify(blind)).not.toMatch(new RegExp(`Nadia|Audited|${person.email}`));
    expect(await state()).toMatchObject({ state: { firstName: 'Nadia', passwordHash: '[hidden]' } });
    const then = await state('?revision=0');
    expect(then).toMatchObject({ revision: 0, state: { firstName: 'Vera' } });
    expect(await state(`?at=${then.at}`)).toEqual(then);
    expect(await state('?at=2020-01-01T00:00:00Z')).toMatchObject({
      revision: null,
      at: null,
      state: { status: 'none' },
    });
  });

  it.each(['', '/state'])('that does not exist is 404%s', async (path) => {
    for (const category of ['account', 'nonsense'])
      expect((await call(`GET /api/v1/audit/streams/${category}-${randomUUID()}${path}`, admin)).status).toBe(404);
    expect((await call(`GET /api/v1/audit/streams/nonsense${path}`, admin)).status).toBe(422);
  });
});

describe('reading', () => {
  it('is recorded with the reader and the query, and does not list itself', async () => {
    await found(`stream=${person.stream}&type=AccountOpened`, auditor);
    await call(`GET /api/v1/audit/streams/${person.stream}/state?revision=0`, auditor);
    const reads = await until(async () => {
      const list = await found(`actor=${auditor.keyId}&type=AuditRead&data=true&order=oldest`);
      const [last] = list.slice(-1);
      return last?.data?.what === 'state' && list.slice(-2);
    });
    expect(reads).toMatchObject([
      { actor: { kind: 'partner' }, data: { what: 'events', query: { stream: person.stream, type: 'AccountOpened' } } },
      { actor: { kind: 'partner' }, data: { what: 'state', query: { stream: person.stream, revision: '0' } } },
    ]);
    expect(await found(`actor=${auditor.keyId}`)).toEqual([]);
  });

  it('of what is personal is recorded with the reason, which the export of the person has', async () => {
    const why = `жалоба ${randomUUID()}`;
    await call(`GET /api/v1/audit/streams/${person.stream}`, {
      ...auditor,
      headers: { 'x-reason': encodeURIComponent(why) },
    });
    const login = await call('POST /auth/login', { body: { identifier: person.email, password: 'demo-Passw0rd' } });
    const mine = await until(async () => {
      const { body } = await call('GET /api/v1/me/export', { token: login.body.access_token });
      return body.data.content_reads.find(({ reason: given }: { reason: string }) => given === why);
    });
    expect(mine).toMatchObject({ what: 'stream', actor_role: 'partner' });
    const shownTo = await found(`actor=${auditor.keyId}&type=ContentShown&data=true`);
    const ofThem = shownTo.find(({ data }) => data?.accountId === person.id);
    expect(ofThem?.data).toMatchObject({ what: 'stream', query: { stream: person.stream }, reason: '[hidden]' });
  });

  it('is for auditors only', async () => {
    expect((await call('GET /api/v1/audit/events', { apiKey: auditor.apiKey ?? '' })).status).toBe(200);
    expect((await call('GET /api/v1/audit/events', { token: await signIn(call, demo, 'tourist') })).status).toBe(403);
    expect((await call('GET /api/v1/audit/events')).status).toBe(401);
  });
});

/** What the person of this spec reads of it in their export. */
const shownOf = async (): Promise<
  { readonly reason: string; readonly what: string; readonly actor_role: string }[]
> => {
  const login = await call('POST /auth/login', { body: { identifier: person.email, password: 'demo-Passw0rd' } });
  return (await call('GET /api/v1/me/export', { token: login.body.access_token })).body.data.content_reads;
};
const isPersonal = () => new RegExp(`Nadia|Audited|${person.email}`);

describe('the command line', () => {
  const cli = startCli(dataDir);

  it('shows what is personal only for a reason, which the export of the person has', async () => {
    const commands = [
      ['events', 'read', person.stream],
      ['events', 'all', '--actor', person.id, '--type', 'ProfileChanged'],
      ['events', 'state', person.stream],
    ];
    const reasons = commands.map((_, n) => `command ${n} ${randomUUID()}`);
    for (const [n, command] of commands.entries()) {
      const hidden = JSON.stringify(await cli.run(...command, '--json'));
      expect(hidden).toContain('[hidden]');
      expect(hidden).not.toMatch(isPersonal());
      const open = JSON.stringify(await cli.run(...command, '--reason', reasons[n] as string, '--json'));
      expect(open).toMatch(isPersonal());
    }
    const shown = await until(async () => {
      const mine = (await shownOf()).filter(({ reason: why }) => why.startsWith('command '));
      return mine.length >= commands.length && mine;
    });
    expect(shown.map(({ reason: why, what, actor_role }) => [why, what, actor_role]).toSorted()).toEqual(
      ['stream', 'events', 'state'].map((what, n) => [reasons[n], what, 'operator']),
    );
  });
});
