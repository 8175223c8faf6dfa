/** Guessing passwords and accounts on the real stores, over hours. */

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { changeProfile, openAccount } from '../../commands/accounts/accounts.ts';
import { changePassword } from '../../commands/accounts/proof.ts';
import { signIn, verifyCode } from '../../commands/accounts/signIn.ts';
import { sendCode } from '../../commands/accounts/sms.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/core/instants.ts';
import { createLogger } from '../../infra/log.ts';
import { metrics } from '../../infra/metrics.ts';
import { testDeps } from '../kit/deps.ts';
import { median } from '../kit/quickest.ts';
import {
  context,
  DELAY,
  lastCode,
  newAccount,
  newNode,
  node,
  PASSWORD,
  refusal,
  sent,
  setUpAccounts,
  stores,
  whose,
} from './accountStage.ts';
import { newPhone } from './sms.ts';

setUpAccounts();

describe('guessing a password', () => {
  const guess = (identifier: string, after: number, ip: string, password = 'guess') =>
    refusal(signIn(newNode(), context(after, { ip }), { identifier, password }));

  it('5 times from one address in 15 minutes', async () => {
    const { email } = newAccount();
    for (let i = 0; i < 5; i += 1) expect(await guess(email, i * 1_000, '198.51.100.1')).toBe('wrong_credentials');
    expect(await guess(email, 14 * MINUTE_MS, '198.51.100.1')).toBe('too_many_attempts');
    expect(await guess(email, 14 * MINUTE_MS, '198.51.100.2')).toBe('wrong_credentials');
    expect(await guess(email, 16 * MINUTE_MS, '198.51.100.1')).toBe('wrong_credentials');
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
    const delayed = await timed(PASSWORD, '203.0.113.1', 59 * MINUTE_MS);
    expect(delayed.answer).toBe('nothing was refused');
    expect(delayed.ms).toBeGreaterThanOrEqual(DELAY);
  });

  it('from one address neither stops nor delays a device that signed in before, whose own guesses are limited', async () => {
    const input = newAccount();
    await openAccount(node, context(), input);
    const as = (password: string, deviceToken?: string, ip = '192.0.2.1') =>
      signIn(newNode({ longestDelayMs: HOUR_MS }), context(0, { ip }), {
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

  it('does not count the right password, however often it comes at once', async () => {
    const input = newAccount();
    await openAccount(node, context(), input);
    const signInFrom = (ip: string) =>
      refusal(signIn(node, context(0, { ip }), { identifier: input.email, password: PASSWORD }));
    for (let i = 0; i < 4; i += 1) await guess(input.email, 0, '203.0.113.30');
    const here = Array.from({ length: 12 }, () => signInFrom('203.0.113.30'));
    const elsewhere = Array.from({ length: 24 }, (_, i) => signInFrom(`203.0.113.${100 + i}`));
    expect(new Set(await Promise.all([...here, ...elsewhere]))).toEqual(new Set(['nothing was refused']));
    for (let i = 0; i < 5; i += 1) expect(await guess(input.email, 0, '203.0.113.30')).toBe('wrong_credentials');
    expect(await guess(input.email, 0, '203.0.113.30')).toBe('too_many_attempts');
  });

  it('5 times, also at once', async () => {
    const { email } = newAccount();
    const answers = await Promise.all(Array.from({ length: 12 }, () => guess(email, 0, '203.0.113.31')));
    expect(answers.filter((answer) => answer === 'wrong_credentials')).toHaveLength(5);
    expect(answers.filter((answer) => answer === 'too_many_attempts')).toHaveLength(7);
  });

  it('does not count an attempt that a fault ended', async () => {
    const { email } = newAccount();
    const broken = newNode();
    const load = async () => Promise.reject(new Error('the store is away'));
    const faulty = { ...broken, aggregates: { ...broken.aggregates, load } };
    const attempt = () => signIn(faulty, context(0, { ip: '203.0.113.32' }), { identifier: email, password: PASSWORD });
    for (let i = 0; i < 6; i += 1) await expect(attempt()).rejects.toThrow('the store is away');
    expect(await guess(email, 0, '203.0.113.32')).toBe('wrong_credentials');
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
    expect(await take(`${randomUUID()}@example.test`, DAY_MS + 1)).toBe('nothing was refused');
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
