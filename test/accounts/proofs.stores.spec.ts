/** Tokens and fresh proofs on the real stores, also while the log is unavailable. */

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { changeProfile, changeRole, openAccount } from '../../commands/accounts/accounts.ts';
import { closeErased, giveBackIdentities } from '../../commands/accounts/erasure.ts';
import { phonesToTell } from '../../commands/accounts/formerContacts.ts';
import { keepState, lastKnownBy } from '../../commands/accounts/lastKnown.ts';
import { accountPolicy } from '../../commands/accounts/policy.ts';
import { changePassword, confirm } from '../../commands/accounts/proof.ts';
import { signIn } from '../../commands/accounts/signIn.ts';
import { sendCode } from '../../commands/accounts/sms.ts';
import { SmsRefused } from '../../commands/accounts/smsSender.ts';
import { logout, refresh } from '../../commands/accounts/tokens.ts';
import { keyOf } from '../../commands/core/jobChanges.ts';
import { claim } from '../../commands/core/jobClaims.ts';
import { runJob } from '../../commands/core/jobRunner.ts';
import { type CommandDeps, jobs } from '../../commands/modules.ts';
import { account } from '../../domain/accounts/account.ts';
import { DAY_MS, HOUR_MS, instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { listen } from '../../infra/listen.ts';
import { keepPeriods } from '../../infra/retention.ts';
import { SESSIONS_CHANNEL, tokenMigrations } from '../../infra/sessions.ts';
import { ACCESS_TOKEN_TTL, EMERGENCY_GRACE_MS, verifyAccessToken } from '../../infra/tokens.ts';
import { testDeps } from '../kit/deps.ts';
import {
  context,
  DELAY,
  lastCode,
  newAccount,
  newNode,
  node,
  PASSWORD,
  refusal,
  replay,
  START,
  sent,
  session,
  setUpAccounts,
  stores,
  whose,
} from './accountStage.ts';
import { newPhone } from './sms.ts';

setUpAccounts();

describe('tokens', () => {
  it('contain the account, the role, the session and the expiry', async () => {
    const before = Math.floor(Date.now() / 1_000) * 1_000;
    const { accountId, tokens } = await session();
    const access = await whose(node, tokens.accessToken);
    expect(access).toMatchObject({ accountId, role: 'tourist', tokenVersion: 0, sessionId: expect.any(String) });
    expect(access.expiresAt).toBeGreaterThanOrEqual(before + HOUR_MS);
    expect(access.expiresAt).toBeLessThanOrEqual(Date.now() + HOUR_MS);
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
    const late = await refresh(node, context(29 * DAY_MS), { ...tokens, rotate: true });
    expect(await refusal(refresh(node, context(31 * DAY_MS), { ...tokens, rotate: false }))).toBe('token_refused');
    const other = await session();
    expect(await refusal(refresh(node, context(31 * DAY_MS), { ...other.tokens, rotate: false }))).toBe(
      'token_refused',
    );
    const renewed = await session();
    const rotated = await refresh(node, context(29 * DAY_MS), { ...renewed.tokens, rotate: true });
    await refresh(node, context(58 * DAY_MS), { refreshToken: rotated.refreshToken ?? '', rotate: false });
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

  it('are deleted once no token of theirs is accepted any more, even in an emergency', async () => {
    const { tokens } = await session();
    const { sessionId } = await whose(node, tokens.accessToken);
    const leftAfter = async (seconds: number): Promise<number | null> => {
      const ago = `now() - $2 * interval '1 second'`;
      await stores.pool.query(`update ops.sessions set expires_at = ${ago} where id = $1`, [sessionId, seconds]);
      await keepPeriods(stores.pool, [tokenMigrations]);
      return (await stores.pool.query('select 1 from ops.refresh_tokens where session_id = $1', [sessionId])).rowCount;
    };
    // An access token may be issued in the last moment of the session.
    const accepted = ACCESS_TOKEN_TTL + EMERGENCY_GRACE_MS / 1_000;
    expect(await leftAfter(accepted - 60)).toBe(1);
    expect(await whose(node, tokens.accessToken)).toMatchObject({ sessionId });
    expect(await leftAfter(accepted + 60)).toBe(0);
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

  it('a former address opens nothing, although the account is kept once more while it loses it', async () => {
    const { accountId, email } = await session();
    const id = stores.vault.fingerprint('email', email);
    const before = await node.aggregates.load(account, accountId);
    await keepState(node, accountId, before);
    expect(await lastKnownBy(node, id)).toMatchObject({ accountId });
    await changeProfile(node, context(), accountId, { firstName: 'Anya' });
    const between = await node.aggregates.load(account, accountId);
    // The process of a change dies after it has said what the account loses; then the policy comes to what was before.
    await keepState(node, accountId, before, [id]);
    await keepState(node, accountId, between);
    expect(await lastKnownBy(node, id)).toBeNull();
    await changeProfile(node, context(), accountId, { email: `new-${email}` });
    const newcomer = await openAccount(node, context(), newAccount({ email }));
    await keepState(node, accountId, between);
    expect(await lastKnownBy(node, id)).toBeNull();
    await kept(newcomer.accountId);
    expect(await lastKnownBy(node, id)).toMatchObject({ accountId: newcomer.accountId });
  });

  it('the row of somebody who was erased does not stand in the way of the next who has the address', async () => {
    const { accountId, email } = await session();
    const id = stores.vault.fingerprint('email', email);
    await kept(accountId);
    await giveBackIdentities(node, context(), accountId);
    await stores.vault.erase(accountId);
    await closeErased(node, context(), accountId);
    const newcomer = await openAccount(node, context(), newAccount({ email }));
    // A process that was slow has kept what it read before.
    await stores.pool.query('update ops.known_accounts set identities = array[$2::uuid] where account_id = $1', [
      accountId,
      id,
    ]);
    await kept(newcomer.accountId);
    expect(await lastKnownBy(node, id)).toMatchObject({ accountId: newcomer.accountId });
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
    const until = await confirm(node, context(HOUR_MS), session, { password: PASSWORD });
    expect(Date.parse(until)).toBe(START + HOUR_MS + 5 * MINUTE_MS);
    expect(await provedAt(tokens.accessToken)).toBe(START + HOUR_MS);
    const renewed = await refresh(node, context(HOUR_MS), { ...tokens, rotate: true });
    expect(await provedAt(renewed.accessToken)).toBe(START + HOUR_MS);
    await sendCode(node, context(2 * HOUR_MS), String(input.phone));
    await confirm(node, context(2 * HOUR_MS), session, { code: lastCode() });
    expect(await provedAt(tokens.accessToken)).toBe(START + 2 * HOUR_MS);
    for (const wrongOne of [{ password: 'guess' }, { code: '000000' }, {}])
      expect(await refusal(confirm(node, context(3 * HOUR_MS), session, wrongOne))).toBe('wrong_credentials');
    await expect(confirm(node, context(3 * HOUR_MS), session, {})).rejects.toThrow(
      'Give the password of the account, or a code that was sent to the phone of the account.',
    );
    expect(await provedAt(tokens.accessToken)).toBe(START + 2 * HOUR_MS);
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
  const at = (after: number) => ({ at: instantOf(START + after) });
  const KINDS = ['account_notice', 'security_sms'];
  const noticesOf = async (accountId: string) => {
    const where = `where kind = any ($1) and data ->> 'accountId' = $2`;
    return (await stores.pool.query(`select id, data from ops.jobs ${where}`, [KINDS, accountId])).rows;
  };
  /** Runs them, with those that they set, and then those that failed, so many times: each of them once at a time. */
  const runNotices = async (times: number, deps = node) => {
    const byKind = new Map(jobs.map((each) => [each.kind, each]));
    for (let time = 0; time < times; time += 1) {
      await stores.pool.query('update ops.jobs set run_at = now() where kind = any ($1)', [KINDS]);
      // One that fails is due again within a second.
      const ran: string[] = [];
      const due = () => claim(stores.pool, KINDS, 32, ran);
      for (let some = await due(); some.length > 0; some = await due())
        for (const job of some) {
          ran.push(keyOf(job));
          await runJob(deps, byKind, job);
        }
    }
  };
  beforeEach(() => stores.pool.query('delete from ops.jobs'));

  /** Somebody who has replaced their phone. */
  const withTwoPhones = async () => {
    const [old, next] = [newPhone(), newPhone()];
    const { accountId } = await openAccount(node, context(), newAccount({ phone: old }));
    await sendCode(node, context(HOUR_MS), next);
    await changeProfile(node, context(HOUR_MS), accountId, { phone: next, phoneCode: lastCode() });
    sent.length = 0;
    return { accountId, old, next };
  };

  it('is told at the phone that the account had before it, and at that one for a week', async () => {
    const { accountId, old, next } = await withTwoPhones();
    await replay(accountId, 'PhoneChanged');
    expect(await noticesOf(accountId)).toHaveLength(1);
    await runNotices(1);
    const text = expect.stringMatching(/^Номер телефона изменён\..* \/ Your phone number was changed\./);
    expect(sent).toEqual([{ phone: old, text }]);
    expect(await noticesOf(accountId)).toEqual([]);

    expect(await phonesToTell(node, { accountId, ...at(6 * DAY_MS) })).toEqual([old, next]);
    expect(await phonesToTell(node, { accountId, ...at(9 * DAY_MS) })).toEqual([next]);
  });

  const passwordChanged = async (accountId: string) => {
    const change = { password: PASSWORD, newPassword: 'another one 2', isFresh: true };
    await changePassword(node, context(2 * HOUR_MS), accountId, change);
    await replay(accountId, 'PasswordChanged');
  };

  it.each([
    ['the first', 0],
    ['the second', 1],
  ])('is told once at each phone, also when %s cannot be reached', async (_, n) => {
    const { accountId, old, next } = await withTwoPhones();
    await passwordChanged(accountId);
    let failures = 3;
    const send = async (phone: string, text: string) => {
      if (phone === [old, next][n] && failures-- > 0) throw new Error('the gateway is busy');
      sent.push({ phone, text });
    };
    await runNotices(2, { ...node, sms: { send } });
    expect(sent.map(({ phone }) => phone)).toEqual([[next, old][n]]);
    expect(JSON.stringify(await noticesOf(accountId))).not.toMatch(
      new RegExp([old, next].map((each) => each.slice(1)).join('|')),
    );
    await runNotices(3, { ...node, sms: { send } });
    expect(sent.map(({ phone }) => phone)).toEqual([[next, old][n], [old, next][n]]);
    expect(await noticesOf(accountId)).toEqual([]);
  });

  it('is told to a number that is refused for good in one attempt only', async () => {
    const { accountId, old, next } = await withTwoPhones();
    await passwordChanged(accountId);
    const tried: string[] = [];
    const send = async (phone: string) => {
      tried.push(phone);
      throw new SmsRefused('no such number', { isFinal: phone === old });
    };
    await runNotices(3, { ...node, sms: { send } });
    expect(tried.toSorted()).toEqual([old, next, next, next].toSorted());
    expect(await noticesOf(accountId)).toHaveLength(1);
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
