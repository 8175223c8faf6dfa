/** Accounts on the real stores, at times of our choosing: crashes, limits over hours, several nodes. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  changeProfile,
  changeRole,
  loadAccount,
  type NewAccount,
  openAccount,
  signIn,
  verifyCode,
} from '../../commands/accounts/accounts.ts';
import { codeStatus, smsMigrations } from '../../commands/accounts/codes.ts';
import { counterMigrations } from '../../commands/accounts/counters.ts';
import { IdentityProviderError, type ProvidedPerson } from '../../commands/accounts/identityProvider.ts';
import { accountNotice, phonesToTell } from '../../commands/accounts/notices.ts';
import { beginSignIn, endSignIn, oauthMigrations } from '../../commands/accounts/oauth.ts';
import { accountPolicy } from '../../commands/accounts/policy.ts';
import { changePassword, confirm } from '../../commands/accounts/proof.ts';
import { type Asked, approveRoleRequest, requestRole } from '../../commands/accounts/roleRequests.ts';
import { sendCode } from '../../commands/accounts/sms.ts';
import { logout, refresh } from '../../commands/accounts/tokens.ts';
import { type CommandContext, createAggregates } from '../../commands/core/handle.ts';
import type { CommandDeps } from '../../commands/modules.ts';
import { account } from '../../domain/accounts/account.ts';
import { identity } from '../../domain/accounts/identity.ts';
import { type Recorded, Rejected } from '../../domain/core/decider.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { createLogger } from '../../infra/log.ts';
import { metrics } from '../../infra/metrics.ts';
import { listen } from '../../infra/postgres.ts';
import { keepPeriods } from '../../infra/retention.ts';
import { SESSIONS_CHANNEL, tokenMigrations } from '../../infra/sessions.ts';
import { type Access, TokenRefused, verifyAccessToken } from '../../infra/tokens.ts';
import { type Changes, testDeps } from '../kit/deps.ts';
import { median } from '../kit/quickest.ts';
import { type StoreServers, type Stores, startStoreServers } from '../kit/stores.ts';
import { newPhone } from './sms.ts';

const PASSWORD = 'correct horse battery';
/** Instead of half a minute. */
const DELAY = 40;
const START = Date.now();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let servers: StoreServers;
let stores: Stores;
let node: CommandDeps;
let sent: { phone: string; text: string }[];

/** One api process: a cache of its own over the shared stores. */
const newNode = (settings: Changes['settings'] = {}): CommandDeps =>
  testDeps(stores, {
    sms: { send: async (phone: string, text: string) => void sent.push({ phone, text }) },
    settings: { rateLimits: 1, longestDelayMs: DELAY, ...settings },
  });

const context = (after = 0, more: Partial<CommandContext> = {}): CommandContext => ({
  correlationId: randomUUID(),
  causationId: randomUUID(),
  commandId: randomUUID(),
  actor: { kind: 'anonymous', id: 'anonymous', role: 'anonymous' },
  ip: '192.0.2.1',
  at: new Date(START + after).toISOString(),
  ...more,
});

const newAccount = (more: Partial<NewAccount> = {}): NewAccount & { email: string } => ({
  role: 'tourist',
  firstName: 'Anna',
  lastName: 'Orlova',
  password: PASSWORD,
  ...more,
  email: more.email ?? `${randomUUID()}@example.test`,
});

/** The code of a refusal; fails when there was none. */
const refusal = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing was refused',
    (error: unknown) => {
      if (error instanceof Rejected) return error.code;
      if (error instanceof TokenRefused) return error.reason;
      throw error;
    },
  );
const whose = (deps: CommandDeps, token: string): Promise<Access> =>
  verifyAccessToken({ pool: deps.pool, secrets: deps.settings }, token);
const lastCode = (): string => /\d{6}/.exec(sent.at(-1)?.text ?? '')?.[0] ?? 'none';
const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

beforeAll(async () => {
  servers = await startStoreServers();
  stores = await servers.fresh();
});
afterAll(async () => {
  await stores.stop();
  await servers.stop();
});
beforeEach(async () => {
  sent = [];
  node = newNode();
  await stores.pool.query('truncate ops.attempts');
});

/** A node whose process dies right before the given append to a stream of this category. */
const dyingBefore = (category: string): CommandDeps => {
  const dying = newNode();
  const store: CommandDeps['store'] = {
    ...dying.store,
    append: (stream, events, expected) =>
      stream.startsWith(`${category}-`)
        ? Promise.reject(new StoreUnavailable('the process died'))
        : dying.store.append(stream, events, expected),
  };
  return { ...dying, store, aggregates: createAggregates(store, dying.codec) };
};

describe('opening', () => {
  it('is completed by the next attempt when the process died between claim and account', async () => {
    const input = newAccount({ phone: newPhone() });
    await expect(openAccount(dyingBefore('account'), context(), input)).rejects.toThrow('died');
    const { accountId } = await openAccount(newNode(), context(), input);
    const { accountId: signedIn } = await signIn(newNode(), context(), {
      identifier: input.email,
      password: PASSWORD,
    });
    expect(signedIn).toBe(accountId);
  });

  it('is completed by an attempt with only one of the two identifiers, too', async () => {
    const phone = newPhone();
    await expect(openAccount(dyingBefore('account'), context(), newAccount({ phone }))).rejects.toThrow('died');
    const { accountId } = await openAccount(node, context(), newAccount({ phone }));
    await sendCode(node, context(), phone);
    expect((await verifyCode(node, context(), { phone, code: lastCode() })).accountId).toBe(accountId);
  });

  it('is the same account when the command is repeated', async () => {
    const [input, again] = [newAccount(), context()];
    const first = await openAccount(node, again, input);
    expect((await openAccount(newNode(), again, input)).accountId).toBe(first.accountId);
  });

  it.each([
    ['free', async () => undefined],
    [
      'claimed by an account that never was',
      (input: NewAccount) => openAccount(dyingBefore('account'), context(), input),
    ],
  ])('gives an address that is %s to one of many who want it at once', async (_, before) => {
    const input = newAccount();
    await before(input).catch(() => undefined);
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) =>
        openAccount(newNode(), context(), { ...input, password: `${PASSWORD} ${i}` }),
      ),
    );
    const winner = tries.findIndex(({ status }) => status === 'fulfilled');
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const each of tries)
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'identity_taken' });
    await signIn(node, context(), { identifier: input.email, password: `${PASSWORD} ${winner}` });
  });

  it('leaves no claim when it is refused', async () => {
    const taken = newAccount({ phone: newPhone() });
    await openAccount(node, context(), taken);
    const input = newAccount({ phone: taken.phone });
    expect(await refusal(openAccount(node, context(), input))).toBe('identity_taken');
    await openAccount(node, context(), newAccount({ email: input.email }));
  });

  it('has the new account as its actor when the caller is anonymous', async () => {
    const { accountId } = await openAccount(node, context(), newAccount());
    const [event] = await stores.store.read(`account-${accountId}`);
    expect(event?.metadata.actor).toEqual({ kind: 'user', id: accountId, role: 'tourist' });
  });

  it('writes nothing readable about the person to the log', async () => {
    const phone = newPhone();
    const { accountId } = await openAccount(
      node,
      context(),
      newAccount({ email: 'secret.person@example.test', phone }),
    );
    const { events } = await stores.store.readAll({ max: 10_000 });
    const log = JSON.stringify(events.map(({ data, stream, metadata }) => ({ data, stream, metadata })));
    expect(log).toContain(accountId);
    for (const secret of ['secret.person', 'Orlova', phone.slice(1), 'argon2']) expect(log).not.toContain(secret);
  });
});

describe('a change of e-mail', () => {
  const holderOf = async (email: string) =>
    (await newNode().aggregates.load(identity, stores.vault.fingerprint('email', email))).state.accountId;

  it('is completed by the next attempt when the process died after the claim', async () => {
    const before = newAccount();
    const { accountId } = await openAccount(node, context(), before);
    const email = `${randomUUID()}@example.test`;
    await expect(changeProfile(dyingBefore('account'), context(), accountId, { email })).rejects.toThrow('died');
    expect((await signIn(node, context(), { identifier: before.email, password: PASSWORD })).accountId).toBe(accountId);
    await changeProfile(newNode(), context(), accountId, { email });
    expect(await holderOf(email)).toBe(accountId);
    expect(await holderOf(before.email)).toBeNull();
  });

  it('releases the former address by policy when the process died before that', async () => {
    const before = newAccount();
    const { accountId } = await openAccount(node, context(), before);
    const email = `${randomUUID()}@example.test`;
    const dying = newNode();
    const former = stores.vault.fingerprint('email', before.email);
    const store: CommandDeps['store'] = {
      ...dying.store,
      append: (stream, events, expected) =>
        stream === `identity-${former}`
          ? Promise.reject(new StoreUnavailable('died'))
          : dying.store.append(stream, events, expected),
    };
    const half = { ...dying, store, aggregates: createAggregates(store, dying.codec) };
    await expect(changeProfile(half, context(), accountId, { email })).rejects.toThrow('died');
    expect(await holderOf(before.email)).toBe(accountId);

    await replay(accountId, 'EmailChanged');
    expect(await holderOf(before.email)).toBeNull();
    expect(await holderOf(email)).toBe(accountId);
  });

  it('and back again keeps the address, however late the policy runs', async () => {
    const before = newAccount();
    const { accountId } = await openAccount(node, context(), before);
    await changeProfile(node, context(), accountId, { email: `${randomUUID()}@example.test` });
    await changeProfile(node, context(), accountId, { email: before.email });
    await replay(accountId, 'EmailChanged');
    expect(await holderOf(before.email)).toBe(accountId);
  });
});

/** Lets the policy see all events of this type of an account, as after a restart. */
const replay = async (accountId: string, type: string, category = 'account'): Promise<void> => {
  const deps = newNode();
  const stored = await deps.store.read(`${category}-${accountId}`);
  const events = await deps.codec.decode<Recorded>(stored, new Set([type]));
  for (const event of events) await accountPolicy.handlers.get(type)?.(event as never, { deps, context: context() });
};

/** A new account whose holder has signed in. */
const session = async (deps = node) => {
  const input = newAccount();
  await openAccount(deps, context(), input);
  return {
    ...(await signIn(deps, context(), { identifier: input.email, password: PASSWORD })),
    email: input.email,
  };
};

describe('tokens', () => {
  it('contain the account, the role, the session and the expiry', async () => {
    const { accountId, tokens } = await session();
    const access = await whose(node, tokens.accessToken);
    expect(access).toMatchObject({ accountId, role: 'tourist', tokenVersion: 0, sessionId: expect.any(String) });
    expect(Math.abs(access.expiresAt - Date.now() - HOUR)).toBeLessThan(60_000);
  });

  it('outlive a change of the signing secret, but not two', async () => {
    const [first, second, third] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string];
    const { tokens } = await session(newNode({ jwtSecret: first }));
    await whose(newNode({ jwtSecret: second, jwtSecretPrevious: first }), tokens.accessToken);
    expect(await refusal(whose(newNode({ jwtSecret: second }), tokens.accessToken))).toBe('invalid');
    expect(await refusal(whose(newNode({ jwtSecret: third, jwtSecretPrevious: second }), tokens.accessToken))).toBe(
      'invalid',
    );
    const renewed = await refresh(newNode({ jwtSecret: second, jwtSecretPrevious: first }), context(), {
      ...tokens,
      rotate: false,
    });
    await whose(newNode({ jwtSecret: second }), renewed.accessToken);
  });

  it('are renewed for 30 days; each rotation starts them anew', async () => {
    const { tokens } = await session();
    const late = await refresh(node, context(29 * DAY), { ...tokens, rotate: true });
    expect(await refusal(refresh(node, context(31 * DAY), { ...tokens, rotate: false }))).toBe('token_refused');
    const other = await session();
    expect(await refusal(refresh(node, context(31 * DAY), { ...other.tokens, rotate: false }))).toBe('token_refused');
    const renewed = await session();
    const rotated = await refresh(node, context(29 * DAY), { ...renewed.tokens, rotate: true });
    await refresh(node, context(58 * DAY), { refreshToken: rotated.refreshToken ?? '', rotate: false });
    expect(late.refreshToken).toBeDefined();
  });

  it('of a former role end at once on every node; the sessions stay and get the new role at the next refresh', async () => {
    const { accountId, tokens } = await session();
    const other = newNode();
    for (const role of ['hotelier', 'tourist'] as const) {
      const before = await refresh(other, context(), { ...tokens, rotate: false });
      await whose(other, before.accessToken);
      await changeRole(node, context(), accountId, { role });
      expect(await refusal(whose(other, before.accessToken))).toBe('replaced');
      const renewed = await refresh(other, context(), { ...tokens, rotate: false });
      expect((await whose(other, renewed.accessToken)).role).toBe(role);
    }
    await changeRole(node, context(), accountId, { role: 'tourist' });
    await logout(node, context(), { accountId, sessionId: randomUUID(), scope: 'all' });
    expect(await refusal(refresh(other, context(), { ...tokens, rotate: false }))).toBe('token_refused');
  });

  it('of a former role end by policy when the process died before it told the nodes', async () => {
    const { accountId, tokens } = await session();
    await node.aggregates.handle(account, accountId, { type: 'GrantRole', role: 'hotelier' }, context());
    expect((await whose(node, tokens.accessToken)).role).toBe('tourist');
    await replay(accountId, 'TokensRevoked');
    expect(await refusal(whose(node, tokens.accessToken))).toBe('replaced');
    await refresh(newNode(), context(), { ...tokens, rotate: false });
  });

  it('are revoked on every node at once, and listeners are notified', async () => {
    const payloads: string[] = [];
    const listener = await listen(stores.databaseUrl, [SESSIONS_CHANNEL], (_, payload) => payloads.push(payload), {
      applicationName: 'test',
      log: stores.log,
    });
    const { accountId, tokens, email } = await session();
    const second = await signIn(newNode(), context(), { identifier: email, password: PASSWORD });
    const other = newNode();
    const { sessionId } = await whose(other, tokens.accessToken);

    await logout(node, context(), { accountId, sessionId, scope: 'session' });
    expect(await refusal(whose(other, tokens.accessToken))).toBe('ended');
    await whose(other, second.tokens.accessToken);
    await logout(node, context(), { accountId, sessionId, scope: 'all' });
    expect(await refusal(whose(other, second.tokens.accessToken))).toBe('ended');
    await expect
      .poll(() => payloads.map((payload) => JSON.parse(payload)))
      .toEqual([
        { accountId, sessionId },
        { accountId, sessionId: null },
      ]);
    await listener.stop();
  });

  it('are revoked by policy when the process died before it notified the nodes', async () => {
    const { accountId, tokens } = await session();
    await node.aggregates.handle(account, accountId, { type: 'RevokeTokens', upTo: 0 }, context());
    expect(await refusal(refresh(newNode(), context(), { ...tokens, rotate: false }))).toBe('token_refused');
    await whose(node, tokens.accessToken);
    await replay(accountId, 'TokensRevoked');
    expect(await refusal(whose(node, tokens.accessToken))).toBe('ended');
  });

  it('are deleted long after they have expired', async () => {
    const { tokens } = await session();
    const { sessionId } = await whose(node, tokens.accessToken);
    await stores.pool.query(`update ops.sessions set expires_at = now() - interval '2 hours' where id = $1`, [
      sessionId,
    ]);
    await keepPeriods(stores.pool, [tokenMigrations]);
    const left = await stores.pool.query('select 1 from ops.refresh_tokens where session_id = $1', [sessionId]);
    expect(left.rowCount).toBe(0);
    expect(await refusal(whose(node, tokens.accessToken))).toBe('ended');
  });
});

describe('while the log is unavailable', () => {
  const away = (): CommandDeps => {
    const lost = async () => Promise.reject(new StoreUnavailable('the log is away'));
    const store = { ...stores.store, read: lost, append: lost, readAll: lost, head: lost };
    return testDeps({ ...stores, store }, { settings: { rateLimits: 1, longestDelayMs: DELAY } });
  };
  /** The policy has handled all events of the account. */
  const kept = async (accountId: string) => {
    const events = await node.codec.decode(await stores.store.read(`account-${accountId}`));
    for (const event of events)
      await accountPolicy.handlers.get(event.type)?.(event as never, { deps: node, context: context() });
  };

  it('people sign in and refresh their tokens as they were last known', async () => {
    const { accountId, email } = await session();
    await kept(accountId);
    const { tokens } = await signIn(away(), context(), { identifier: email, password: PASSWORD });
    const refreshed = await refresh(away(), context(), { refreshToken: tokens.refreshToken, rotate: true });
    expect(await whose(node, refreshed.accessToken)).toMatchObject({ accountId });
    await expect(signIn(away(), context(), { identifier: email, password: 'wrong' })).rejects.toThrow('wrong');
    const stranger = { identifier: 'nobody@example.com', password: PASSWORD };
    await expect(signIn(away(), context(), stranger)).rejects.toThrow('wrong');
  });

  it('an ended session stays ended, and a former password or address opens nothing', async () => {
    const { accountId, email, tokens } = await session();
    await changePassword(node, context(), accountId, {
      password: PASSWORD,
      newPassword: 'another long password',
      isFresh: true,
    });
    await kept(accountId);
    const former = { refreshToken: tokens.refreshToken, rotate: false };
    await expect(refresh(away(), context(), former)).rejects.toThrow('refresh token');
    await expect(signIn(away(), context(), { identifier: email, password: PASSWORD })).rejects.toThrow('wrong');
    expect(await signIn(away(), context(), { identifier: email, password: 'another long password' })).toMatchObject({
      accountId,
    });
  });

  it('nothing readable about the person is kept, and nothing once they are erased', async () => {
    const { accountId, email } = await session();
    await kept(accountId);
    const { rows } = await stores.pool.query('select * from ops.known_accounts where account_id = $1', [accountId]);
    expect(JSON.stringify(rows)).not.toContain(email);
    await stores.vault.erase(accountId);
    await expect(signIn(away(), context(), { identifier: email, password: PASSWORD })).rejects.toThrow('wrong');
  });

  it('who was never kept is asked to come back later', async () => {
    const { tokens } = await session();
    const request = { refreshToken: tokens.refreshToken, rotate: false };
    await expect(refresh(away(), context(), request)).rejects.toThrow(StoreUnavailable);
  });
});

describe('a proof', () => {
  const provedAt = async (token: string) =>
    (await verifyAccessToken({ pool: node.pool, secrets: node.settings }, token)).provedAt;

  it('is the sign-in, and later the password or a code to the phone of the account', async () => {
    const input = newAccount({ phone: newPhone() });
    await openAccount(node, context(), input);
    const { accountId, tokens } = await signIn(node, context(), { identifier: input.email, password: PASSWORD });
    expect(await provedAt(tokens.accessToken)).toBe(START);
    const session = { accountId, sessionId: (await whose(node, tokens.accessToken)).sessionId };
    const until = await confirm(node, context(HOUR), session, { password: PASSWORD });
    expect(Date.parse(until)).toBe(START + HOUR + 5 * MINUTE);
    expect(await provedAt(tokens.accessToken)).toBe(START + HOUR);
    const renewed = await refresh(node, context(HOUR), { ...tokens, rotate: true });
    expect(await provedAt(renewed.accessToken)).toBe(START + HOUR);
    await sendCode(node, context(2 * HOUR), String(input.phone));
    await confirm(node, context(2 * HOUR), session, { code: lastCode() });
    expect(await provedAt(tokens.accessToken)).toBe(START + 2 * HOUR);
    for (const wrongOne of [{ password: 'guess' }, { code: '000000' }, {}])
      expect(await refusal(confirm(node, context(3 * HOUR), session, wrongOne))).toBe('wrong_credentials');
    expect(await provedAt(tokens.accessToken)).toBe(START + 2 * HOUR);
  });

  it('by a fresh session is enough for the first password of an account that has nothing else', async () => {
    const link = { provider: 'x', identityId: randomUUID() };
    const { accountId } = await openAccount(node, context(), { role: 'tourist', link });
    const set = (isFresh: boolean) =>
      refusal(changePassword(node, context(), accountId, { newPassword: PASSWORD, isFresh }));
    expect(await set(false)).toBe('fresh_proof_required');
    expect(await set(true)).toBe('nothing was refused');
    expect(await set(true)).toBe('wrong_credentials');
  });
});

describe('a change that a thief would make', () => {
  const at = (after: number) => ({ at: new Date(START + after).toISOString() });
  const noticesOf = async (accountId: string) => {
    const { rows } = await stores.pool.query<{ id: string; data: Parameters<typeof accountNotice.run>[0]['data'] }>(
      `delete from ops.jobs where kind = 'account_notice' and data ->> 'accountId' = $1 returning id, data`,
      [accountId],
    );
    return rows;
  };

  it('is told at the phone that the account had before it, and at that one for a week', async () => {
    const [old, next] = [newPhone(), newPhone()];
    const { accountId } = await openAccount(node, context(), newAccount({ phone: old }));
    await sendCode(node, context(HOUR), next);
    await changeProfile(node, context(HOUR), accountId, { phone: next, phoneCode: lastCode() });
    await replay(accountId, 'PhoneChanged');
    sent = [];
    const [notice, ...more] = await noticesOf(accountId);
    expect(more).toEqual([]);
    expect(JSON.stringify(notice)).not.toContain(old.slice(1));
    await accountNotice.run(
      { id: '1', attempt: 1, data: notice?.data as never },
      { deps: node, context: context(HOUR) },
    );
    expect(sent).toEqual([{ phone: old, text: expect.stringContaining('phone number of your account was changed') }]);

    expect(await phonesToTell(node, { accountId, ...at(6 * DAY) })).toEqual([old, next]);
    expect(await phonesToTell(node, { accountId, ...at(9 * DAY) })).toEqual([next]);
  });

  it.each([
    [
      'PasswordChanged',
      (id: string) =>
        changePassword(node, context(), id, { password: PASSWORD, newPassword: 'another one 2', isFresh: true }),
    ],
    ['EmailChanged', (id: string) => changeProfile(node, context(), id, { email: `${randomUUID()}@example.test` })],
  ])('%s gives notice', async (type, change) => {
    const { accountId } = await openAccount(node, context(-1), newAccount({ phone: newPhone() }));
    await change(accountId);
    await replay(accountId, type);
    await replay(accountId, type);
    expect(await noticesOf(accountId)).toHaveLength(1);
  });
});

describe('guessing a password', () => {
  const guess = (identifier: string, after: number, ip: string, password = 'guess') =>
    refusal(signIn(newNode(), context(after, { ip }), { identifier, password }));

  it('5 times from one address in 15 minutes', async () => {
    const { email } = newAccount();
    for (let i = 0; i < 5; i += 1) expect(await guess(email, i * 1_000, '198.51.100.1')).toBe('wrong_credentials');
    expect(await guess(email, 14 * MINUTE, '198.51.100.1')).toBe('too_many_attempts');
    expect(await guess(email, 14 * MINUTE, '198.51.100.2')).toBe('wrong_credentials');
    expect(await guess(email, 16 * MINUTE, '198.51.100.1')).toBe('wrong_credentials');
  });

  it('20 times from anywhere in an hour delays the answer, and locks nobody out', async () => {
    const input = newAccount();
    await openAccount(node, context(), input);
    for (let i = 0; i < 20; i += 1) expect(await guess(input.email, 0, `198.51.100.${i}`)).toBe('wrong_credentials');
    const timed = async (password: string, ip: string, after: number) => {
      const started = performance.now();
      const answer = await guess(input.email, after, ip, password);
      return { answer, ms: performance.now() - started };
    };
    const delayed = await timed(PASSWORD, '203.0.113.1', 59 * MINUTE);
    expect(delayed.answer).toBe('nothing was refused');
    expect(delayed.ms).toBeGreaterThanOrEqual(DELAY);
  });

  it('from one address neither stops nor delays a device that signed in before, whose own guesses are limited', async () => {
    const input = newAccount();
    await openAccount(node, context(), input);
    const as = (password: string, deviceToken?: string, ip = '192.0.2.1') =>
      signIn(newNode({ longestDelayMs: HOUR }), context(0, { ip }), {
        identifier: input.email,
        password,
        ...(deviceToken && { deviceToken }),
      });
    const { deviceToken: device } = await as(PASSWORD);
    for (let i = 0; i < 20; i += 1) await guess(input.email, 0, `198.51.100.${i}`);
    for (let i = 0; i < 5; i += 1) await guess(input.email, 0, '192.0.2.1');
    expect(await refusal(as(PASSWORD))).toBe('too_many_attempts');
    const again = await as(PASSWORD, device);
    for (let i = 0; i < 5; i += 1) expect(await refusal(as('guess', again.deviceToken))).toBe('wrong_credentials');
    for (const token of [device, again.deviceToken])
      expect(await refusal(as(PASSWORD, token))).toBe('too_many_attempts');

    const other = newAccount();
    await openAccount(node, context(), other);
    const { deviceToken: foreign, tokens } = await signIn(node, context(0, { ip: '192.0.2.9' }), {
      identifier: other.email,
      password: PASSWORD,
    });
    for (const token of [foreign, tokens.accessToken, 'nonsense'])
      expect(await refusal(as(PASSWORD, token))).toBe('too_many_attempts');
    expect(await refusal(whose(node, foreign))).toBe('invalid');
  });

  it('counts an IPv6 network of one customer as one address, and passwords apart from codes', async () => {
    const phone = newPhone();
    await openAccount(node, context(), newAccount({ phone }));
    for (let i = 0; i < 5; i += 1) expect(await guess(phone, 0, `2001:db8:1:2::${i}`)).toBe('wrong_credentials');
    expect(await guess(phone, 0, '2001:db8:1:2:ffff::1')).toBe('too_many_attempts');
    expect(await guess(phone, 0, '2001:db8:1:3::1')).toBe('wrong_credentials');
    const elsewhere = context(0, { ip: '2001:db8:1:2::9' });
    await sendCode(node, elsewhere, phone);
    expect((await verifyCode(node, elsewhere, { phone, code: lastCode() })).created).toBe(false);
  });

  it('of 100 people from one address in an hour, times the factor on shared limits', async () => {
    const tenth = newNode({ rateLimits: 0.1 });
    const guessOf = (i: number, ip: string) =>
      refusal(signIn(tenth, context(0, { ip }), { identifier: `${i}@example.test`, password: 'guess' }));
    for (let i = 0; i < 10; i += 1) expect(await guessOf(i, '203.0.113.9')).toBe('wrong_credentials');
    expect(await guessOf(10, '203.0.113.9')).toBe('too_many_attempts');
    expect(await guessOf(10, '203.0.113.10')).toBe('wrong_credentials');
  });

  it('does not count successful attempts', async () => {
    const input = newAccount();
    await openAccount(node, context(), input);
    for (let i = 0; i < 30; i += 1)
      await signIn(node, context(0, { ip: '203.0.113.20' }), { identifier: input.email, password: PASSWORD });
    for (let i = 0; i < 4; i += 1) expect(await guess(input.email, 0, '203.0.113.20')).toBe('wrong_credentials');
    await signIn(node, context(0, { ip: '203.0.113.20' }), { identifier: input.email, password: PASSWORD });
    expect(await guess(input.email, 0, '203.0.113.20')).toBe('wrong_credentials');
  });

  it('of a signed-in account is limited in the same way', async () => {
    const { accountId } = await openAccount(node, context(), newAccount());
    const change = () =>
      refusal(changePassword(node, context(), accountId, { password: 'guess', newPassword: PASSWORD, isFresh: true }));
    for (let i = 0; i < 5; i += 1) expect(await change()).toBe('wrong_credentials');
    expect(await change()).toBe('too_many_attempts');
  });

  it('takes as long for an unknown account as for a known one', async () => {
    const input = newAccount();
    await openAccount(node, context(), input);
    const time = async (identifier: string, ip: string) => {
      const started = performance.now();
      await guess(identifier, 0, ip);
      return performance.now() - started;
    };
    await time('warm@example.test', '203.0.113.30');
    // By turns, so that load slows both down.
    const [known, unknown]: number[][] = [[], []];
    for (let i = 0; i < 7; i += 1) {
      known?.push(await time(input.email, `203.0.113.${40 + i}`));
      unknown?.push(await time('nobody@example.test', `203.0.113.${50 + i}`));
    }
    expect(median(unknown ?? [])).toBeGreaterThan(median(known ?? []) / 3);
  });
});

describe('who has an account', () => {
  it('is told only a few times a day to who tries to take addresses of others', async () => {
    const { accountId } = await openAccount(node, context(), newAccount());
    const take = (email: string, after = 0) => refusal(changeProfile(newNode(), context(after), accountId, { email }));
    const others = Array.from({ length: 6 }, () => newAccount());
    for (const other of others) await openAccount(node, context(), other);
    for (const { email } of others.slice(1)) expect(await take(email)).toBe('identity_taken');
    expect(await take(others[0]?.email ?? '')).toBe('too_many_attempts');
    expect(await take(`${randomUUID()}@example.test`)).toBe('too_many_attempts');
    expect(await take(`${randomUUID()}@example.test`, DAY + 1)).toBe('nothing was refused');
  });

  it('is told of a phone number only to who has it', async () => {
    const phone = newPhone();
    await openAccount(node, context(), newAccount({ phone }));
    const { accountId } = await openAccount(node, context(), newAccount());
    const take = (phoneCode?: string) =>
      refusal(changeProfile(node, context(), accountId, { phone, ...(phoneCode && { phoneCode }) }));
    expect(await take()).toBe('wrong_credentials');
    await sendCode(node, context(), phone);
    expect(await take(lastCode())).toBe('identity_taken');
  });

  it('weak passwords are refused, whoever sets them', async () => {
    expect(await refusal(openAccount(node, context(), newAccount({ password: 'Passw0rd!' })))).toBe('invalid');
    const { accountId } = await openAccount(node, context(), newAccount());
    const change = { password: PASSWORD, newPassword: 'qwerty123', isFresh: true };
    expect(await refusal(changePassword(node, context(), accountId, change))).toBe('invalid');
  });
});

describe('the security log', () => {
  it('names the address and the account of failed, delayed and refused attempts, and counts them', async () => {
    const lines: Record<string, unknown>[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    const logged = testDeps(stores, {
      log: createLogger({ destination }),
      sms: { send: async (phone: string, text: string) => void sent.push({ phone, text }) },
      settings: { rateLimits: 1, longestDelayMs: DELAY },
    });
    const input = newAccount();
    const { accountId } = await openAccount(node, context(), input);
    const guess = (ip: string, identifier = input.email) =>
      refusal(signIn(logged, context(0, { ip }), { identifier, password: 'guess' }));
    const counted = async () => (await metrics.securityEvents.get()).values.reduce((sum, { value }) => sum + value, 0);
    const before = await counted();
    for (let i = 0; i < 6; i += 1) await guess('192.0.2.50');
    await guess('192.0.2.50', 'nobody@example.test');
    const events = lines.map(({ security, ip, account }) => ({ security, ip, account }));
    expect(events).toEqual([
      ...Array.from({ length: 5 }, () => ({ security: 'sign_in_failed', ip: '192.0.2.50', account: accountId })),
      { security: 'locked', ip: '192.0.2.50', account: undefined },
      { security: 'sign_in_failed', ip: '192.0.2.50', account: undefined },
    ]);
    expect(await counted()).toBe(before + 7);
    expect(new Set(lines.slice(0, 6).map(({ target }) => target)).size).toBe(1);
    expect(JSON.stringify(lines)).not.toContain(input.email);
    expect(JSON.stringify(lines)).not.toContain('nobody@');
  });
});

describe('one-time codes', () => {
  const seconds = (s: number) => s * 1_000;
  const status = async (phone: string, after: number) =>
    codeStatus(node, stores.vault.fingerprint('sms', phone), context(after).at);

  it('are sent again after 60 s, then 120 s, and three times in ten minutes', async () => {
    const phone = newPhone();
    const send = (after: number) => refusal(sendCode(newNode(), context(seconds(after)), phone));
    expect(await send(0)).toBe('nothing was refused');
    expect(await send(59)).toBe('too_many_attempts');
    expect(await send(60)).toBe('nothing was refused');
    expect(await send(179)).toBe('too_many_attempts');
    expect(await send(180)).toBe('nothing was refused');
    expect((await status(phone, seconds(180))).canSendInS).toBe(420);
    expect(await send(599)).toBe('too_many_attempts');
    expect(await send(600)).toBe('nothing was refused');
    expect(sent).toHaveLength(4);
  });

  it('say so when they could not be sent', async () => {
    const away: CommandDeps = { ...node, sms: { send: () => Promise.reject(new Error('gateway away')) } };
    expect(await refusal(sendCode(away, context(), newPhone()))).toBe('sms_unavailable');
  });

  it('are sent once when asked for twice at the same time', async () => {
    const phone = newPhone();
    const both = await Promise.all([0, 1].map(() => refusal(sendCode(newNode(), context(), phone))));
    expect(both.toSorted()).toEqual(['nothing was refused', 'too_many_attempts']);
    expect(sent).toHaveLength(1);
  });

  it('are valid for five minutes, and until the next one', async () => {
    const phone = newPhone();
    await sendCode(node, context(), phone);
    const first = lastCode();
    expect(await refusal(verifyCode(node, context(5 * MINUTE), { phone, code: first }))).toBe('wrong_credentials');
    await sendCode(node, context(6 * MINUTE), phone);
    if (first !== lastCode())
      expect(await refusal(verifyCode(node, context(6 * MINUTE), { phone, code: first }))).toBe('wrong_credentials');
    expect((await verifyCode(node, context(7 * MINUTE), { phone, code: lastCode() })).created).toBe(true);
    expect(await status(phone, 7 * MINUTE)).toMatchObject({ codeActive: false, attemptsLeft: 0 });
  });

  it('are guessed slowly after 20 failures an hour, and only while there is one', async () => {
    const phone = newPhone();
    for (let i = 0; i < 30; i += 1)
      expect(await refusal(verifyCode(node, context(), { phone, code: '000000' }))).toBe('wrong_credentials');
    for (let round = 0; round < 4; round += 1) {
      await sendCode(node, context(round * 11 * MINUTE), phone);
      const code = wrong(lastCode());
      for (let i = 0; i < 5; i += 1)
        expect(await refusal(verifyCode(node, context(round * 11 * MINUTE), { phone, code }))).toBe(
          'wrong_credentials',
        );
    }
    await sendCode(node, context(44 * MINUTE), phone);
    const started = performance.now();
    await verifyCode(node, context(44 * MINUTE), { phone, code: lastCode() });
    expect(performance.now() - started).toBeGreaterThanOrEqual(DELAY);
  });

  it('are capped for an address, a number and a day; a known device has a cap of its own', async () => {
    const capped = (settings: Changes['settings']) =>
      newNode({ smsPerAddress: 0, smsPerNumber: 0, smsPerDay: 0, ...settings });
    const send = (deps: CommandDeps, phone: string, after = 0, ip = '192.0.2.77', device?: string) =>
      refusal(sendCode(deps, context(after, { ip }), phone, device));
    const perAddress = capped({ smsPerAddress: 2 });
    for (let i = 0; i < 2; i += 1) expect(await send(perAddress, newPhone())).toBe('nothing was refused');
    expect(await send(perAddress, newPhone())).toBe('too_many_attempts');
    expect(await send(perAddress, newPhone(), 0, '192.0.2.78')).toBe('nothing was refused');
    expect(await send(perAddress, newPhone(), HOUR + 1)).toBe('nothing was refused');

    const [perNumber, phone] = [capped({ smsPerNumber: 2 }), newPhone()];
    expect(await send(perNumber, phone)).toBe('nothing was refused');
    expect(await send(perNumber, phone, 1_000)).toBe('too_many_attempts'); // too soon, which does not count
    expect(await send(perNumber, phone, HOUR)).toBe('nothing was refused');
    const { deviceToken } = await verifyCode(perNumber, context(HOUR), { phone, code: lastCode() });
    expect(await send(perNumber, phone, 2 * HOUR)).toBe('too_many_attempts');
    expect(await send(perNumber, newPhone(), 2 * HOUR, '192.0.2.77', deviceToken)).toBe('nothing was refused');
    expect(await send(perNumber, phone, 2 * HOUR, '192.0.2.77', deviceToken)).toBe('nothing was refused');

    // Strangers who use up the turns of the number do not use up those of the device.
    for (const after of [0, 60_000, 180_000]) await send(capped({}), phone, 3 * HOUR + after);
    expect(await send(perNumber, phone, 3 * HOUR + 239_000, '192.0.2.77', deviceToken)).toBe('too_many_attempts');
    expect(await send(perNumber, phone, 3 * HOUR + 240_000, '192.0.2.77', deviceToken)).toBe('nothing was refused');

    const perDay = capped({ smsPerDay: 1 });
    expect(await send(perDay, newPhone())).toBe('nothing was refused');
    expect(await send(perDay, newPhone(), 23 * HOUR, '192.0.2.79')).toBe('too_many_attempts');
    expect(await send(perDay, newPhone(), 25 * HOUR)).toBe('nothing was refused');
  });

  it('are stored only as keyed hashes, and deleted soon', async () => {
    const phone = newPhone();
    await sendCode(node, context(-2 * HOUR), phone);
    const { rows } = await stores.pool.query('select * from ops.sms_codes where phone_id = $1', [
      stores.vault.fingerprint('sms', phone),
    ]);
    expect(JSON.stringify(rows)).not.toContain(lastCode());
    expect(JSON.stringify(rows)).not.toContain(phone.slice(1));
    await keepPeriods(stores.pool, [smsMigrations, counterMigrations]);
    const left = await stores.pool.query('select 1 from ops.sms_codes where phone_id = $1', [
      stores.vault.fingerprint('sms', phone),
    ]);
    expect(left.rowCount).toBe(0);
  });

  it('set a password for an account without one', async () => {
    const phone = newPhone();
    await sendCode(node, context(), phone);
    const { accountId } = await verifyCode(node, context(), { phone, code: lastCode() });
    await sendCode(node, context(MINUTE), phone);
    const newPassword = 'another one 2';
    await changePassword(node, context(MINUTE), accountId, { code: lastCode(), newPassword, isFresh: false });
    expect((await signIn(node, context(), { identifier: phone, password: newPassword })).accountId).toBe(accountId);
  });
});

describe('signing in through a provider', () => {
  /** A node whose provider answers with this. */
  const through = (person: () => Promise<ProvidedPerson>, deps = newNode()): CommandDeps => ({
    ...deps,
    settings: { ...deps.settings, publicUrl: 'https://resort.test', returnOrigins: [] },
    identityProviders: new Map([['x', { name: 'x', authorizationUrl: async ({ state }) => state, person }]]),
  });
  const anna = (): ProvidedPerson => {
    const email = `${randomUUID()}@example.test`;
    return { subject: randomUUID(), verifiedEmail: email, firstName: 'Anna', lastName: 'Orlova' };
  };
  const signIn = async (deps: CommandDeps, after = 0) => {
    const state = await beginSignIn(deps, context(), 'x');
    return endSignIn(deps, context(after), 'x', { state, code: 'code' });
  };

  it('is completed by the next attempt, wherever the process died', async () => {
    const person = anna();
    const provider = async () => person;
    await expect(signIn(through(provider, dyingBefore('account')))).rejects.toThrow('died');
    const { accountId, account: opened } = await signIn(through(provider));
    expect(opened).toMatchObject({ email: person.verifiedEmail, links: [{ provider: 'x' }] });

    const elsewhere = async () => ({ ...person, subject: 'another' });
    await expect(signIn(through(elsewhere, dyingBefore('account')))).rejects.toThrow('died');
    const again = await signIn(through(elsewhere));
    expect(again.accountId).toBe(accountId);
    expect(again.account.links).toHaveLength(2);
  });

  it('is valid for ten minutes, and its state is stored only as a hash and deleted soon', async () => {
    const deps = through(async () => anna());
    expect(await refusal(signIn(deps, 10 * MINUTE + 1))).toBe('wrong_credentials');
    const state = await beginSignIn(deps, context(-HOUR), 'x');
    const kept = await stores.pool.query('select * from ops.oauth_states');
    expect(JSON.stringify(kept.rows)).not.toContain(state);
    await keepPeriods(stores.pool, [oauthMigrations]);
    const { rows } = await stores.pool.query('select 1 from ops.oauth_states where expires_at < now()');
    expect(rows).toEqual([]);
  });

  it('reports that the provider does not respond, or that it refuses', async () => {
    const failing = (kind: 'away' | 'refused') => through(() => Promise.reject(new IdentityProviderError(kind, kind)));
    expect(await refusal(signIn(failing('refused')))).toBe('wrong_credentials');
    await expect(signIn(failing('away'))).rejects.toMatchObject({
      code: 'identity_provider_away',
      facts: { retry_after_s: 5 },
    });
  });
});

describe('a role request', () => {
  const details = { role: 'hotelier' as const, companyName: 'Larch LLC', documents: [], comment: null };
  const ask = async () => {
    const { accountId } = await openAccount(node, context(), newAccount());
    return { accountId, requestId: await requestRole(node, context(), accountId, details) };
  };
  const roleOf = async (accountId: string) => (await loadAccount(newNode(), accountId)).role;

  it('is accepted once when many are made at the same time', async () => {
    const { accountId } = await openAccount(node, context(), newAccount());
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, () => requestRole(newNode(), context(), accountId, details)),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const each of tries) if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'conflict' });
  });

  it.each([
    ['by policy', (asked: Asked) => replay(asked.accountId, 'RoleRequestApproved', 'roleRequest')],
    ['by approving again', (asked: Asked) => approveRoleRequest(newNode(), context(), asked)],
  ])('that was approved gives the role %s when the process died before that', async (_, heal) => {
    const asked = await ask();
    await expect(approveRoleRequest(dyingBefore('account'), context(), asked)).rejects.toThrow('died');
    expect(await roleOf(asked.accountId)).toBe('tourist');
    await heal(asked);
    expect(await roleOf(asked.accountId)).toBe('hotelier');
    // Coming late, neither undoes what an admin did since.
    await changeRole(newNode(), context(), asked.accountId, { role: 'instructor' });
    await heal(asked);
    expect(await roleOf(asked.accountId)).toBe('instructor');
  });
});
