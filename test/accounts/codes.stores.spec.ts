/** One-time codes and identity providers on the real stores, over hours. */

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { changeProfile } from '../../commands/accounts/accounts.ts';
import { codeStatus, smsMigrations } from '../../commands/accounts/codes.ts';
import { counterMigrations } from '../../commands/accounts/counters.ts';
import { IdentityProviderError, type ProvidedPerson } from '../../commands/accounts/identityProvider.ts';
import { beginSignIn, endSignIn, oauthMigrations } from '../../commands/accounts/oauth.ts';
import { changePassword } from '../../commands/accounts/proof.ts';
import { signIn, verifyCode } from '../../commands/accounts/signIn.ts';
import { codeText, sendCode } from '../../commands/accounts/sms.ts';
import type { CommandDeps } from '../../commands/modules.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/core/instants.ts';
import { keepPeriods } from '../../infra/retention.ts';
import { StoreAway } from '../../infra/storeFaults.ts';
import type { Changes } from '../kit/deps.ts';
import {
  context,
  DELAY,
  dyingBefore,
  lastCode,
  newNode,
  node,
  refusal,
  sent,
  setUpAccounts,
  stores,
  wrong,
} from './accountStage.ts';
import { newPhone } from './sms.ts';

setUpAccounts();

describe('one-time codes', () => {
  it('are in Russian and English, in one SMS', () => {
    expect(codeText('042137')).toMatch(/код.*code.*042137.*никому.*never/i);
    expect(codeText('042137').length).toBeLessThanOrEqual(70);
  });

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
    expect(await refusal(verifyCode(node, context(5 * MINUTE_MS), { phone, code: first }))).toBe('wrong_credentials');
    await sendCode(node, context(6 * MINUTE_MS), phone);
    if (first !== lastCode())
      expect(await refusal(verifyCode(node, context(6 * MINUTE_MS), { phone, code: first }))).toBe('wrong_credentials');
    expect((await verifyCode(node, context(7 * MINUTE_MS), { phone, code: lastCode() })).created).toBe(true);
    expect(await status(phone, 7 * MINUTE_MS)).toMatchObject({ codeActive: false, attemptsLeft: 0 });
  });

  it('are guessed slowly after 20 failures an hour, and only while there is one', async () => {
    const phone = newPhone();
    for (let i = 0; i < 30; i += 1)
      expect(await refusal(verifyCode(node, context(), { phone, code: '000000' }))).toBe('wrong_credentials');
    for (let round = 0; round < 4; round += 1) {
      await sendCode(node, context(round * 11 * MINUTE_MS), phone);
      const code = wrong(lastCode());
      for (let i = 0; i < 5; i += 1)
        expect(await refusal(verifyCode(node, context(round * 11 * MINUTE_MS), { phone, code }))).toBe(
          'wrong_credentials',
        );
    }
    await sendCode(node, context(44 * MINUTE_MS), phone);
    const started = performance.now();
    await verifyCode(node, context(44 * MINUTE_MS), { phone, code: lastCode() });
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
    expect(await send(perAddress, newPhone(), HOUR_MS + 1)).toBe('nothing was refused');

    const [perNumber, phone] = [capped({ smsPerNumber: 2 }), newPhone()];
    expect(await send(perNumber, phone)).toBe('nothing was refused');
    expect(await send(perNumber, phone, 1_000)).toBe('too_many_attempts'); // too soon, which does not count
    expect(await send(perNumber, phone, HOUR_MS)).toBe('nothing was refused');
    const { deviceToken } = await verifyCode(perNumber, context(HOUR_MS), { phone, code: lastCode() });
    expect(await send(perNumber, phone, 2 * HOUR_MS)).toBe('too_many_attempts');
    expect(await send(perNumber, newPhone(), 2 * HOUR_MS, '192.0.2.77', deviceToken)).toBe('nothing was refused');
    expect(await send(perNumber, phone, 2 * HOUR_MS, '192.0.2.77', deviceToken)).toBe('nothing was refused');

    // Strangers who use up the turns of the number do not use up those of the device.
    for (const after of [0, 60_000, 180_000]) await send(capped({}), phone, 3 * HOUR_MS + after);
    expect(await send(perNumber, phone, 3 * HOUR_MS + 239_000, '192.0.2.77', deviceToken)).toBe('too_many_attempts');
    expect(await send(perNumber, phone, 3 * HOUR_MS + 240_000, '192.0.2.77', deviceToken)).toBe('nothing was refused');

    const perDay = capped({ smsPerDay: 1 });
    expect(await send(perDay, newPhone())).toBe('nothing was refused');
    expect(await send(perDay, newPhone(), 23 * HOUR_MS, '192.0.2.79')).toBe('too_many_attempts');
    expect(await send(perDay, newPhone(), 25 * HOUR_MS)).toBe('nothing was refused');
  });

  it('are stored only as keyed hashes, and deleted soon', async () => {
    const phone = newPhone();
    await sendCode(node, context(-2 * HOUR_MS), phone);
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
    await sendCode(node, context(MINUTE_MS), phone);
    const newPassword = 'another one 2';
    await changePassword(node, context(MINUTE_MS), accountId, { code: lastCode(), newPassword, isFresh: false });
    expect((await signIn(node, context(), { identifier: phone, password: newPassword })).accountId).toBe(accountId);
  });
});

/** A node whose event store takes no commands. */
const away = <D extends CommandDeps>(deps: D): D => ({
  ...deps,
  aggregates: { ...deps.aggregates, handle: () => Promise.reject(new StoreAway('the event store is away')) },
});

describe('a code that is used up before a store fails', () => {
  it('is told to be, when it signs in, proves a phone or sets a password', async () => {
    const phone = newPhone();
    const again = { code: 'start_again', message: expect.stringContaining('Ask for a new one') };
    await sendCode(node, context(), phone);
    await expect(verifyCode(away(node), context(), { phone, code: lastCode() })).rejects.toMatchObject(again);
    await sendCode(node, context(2 * MINUTE_MS), phone);
    const { accountId } = await verifyCode(node, context(2 * MINUTE_MS), { phone, code: lastCode() });
    await sendCode(node, context(20 * MINUTE_MS), phone);
    const change = { code: lastCode(), newPassword: 'another one 2', isFresh: false };
    await expect(changePassword(away(node), context(20 * MINUTE_MS), accountId, change)).rejects.toMatchObject(again);
    const other = newPhone();
    await sendCode(node, context(), other);
    const moved = { phone: other, phoneCode: lastCode() };
    await expect(changeProfile(away(node), context(), accountId, moved)).rejects.toMatchObject(again);
  });

  it('is not, when nothing was used up: the same request can succeed', async () => {
    const phone = newPhone();
    await sendCode(node, context(), phone);
    const { accountId } = await verifyCode(node, context(), { phone, code: lastCode() });
    await expect(changeProfile(away(node), context(), accountId, { firstName: 'Anna' })).rejects.toThrow(StoreAway);
  });
});

describe('signing in through a provider', () => {
  /** A node whose provider answers with this. */
  const through = (person: () => Promise<ProvidedPerson>, deps = newNode()): CommandDeps => ({
    ...deps,
    settings: { ...deps.settings, publicUrl: 'https://resort.test', paymentReturnUrls: [] },
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
    await expect(signIn(through(provider, dyingBefore('account')))).rejects.toMatchObject({ code: 'start_again' });
    const { accountId, account: opened } = await signIn(through(provider));
    expect(opened).toMatchObject({ email: person.verifiedEmail, links: [{ provider: 'x' }] });

    const elsewhere = async () => ({ ...person, subject: 'another' });
    await expect(signIn(through(elsewhere, dyingBefore('account')))).rejects.toMatchObject({ code: 'start_again' });
    const again = await signIn(through(elsewhere));
    expect(again.accountId).toBe(accountId);
    expect(again.account.links).toHaveLength(2);
  });

  it('is valid for ten minutes, and its state is stored only as a hash and deleted soon', async () => {
    const deps = through(async () => anna());
    expect(await refusal(signIn(deps, 10 * MINUTE_MS + 1))).toBe('wrong_credentials');
    const state = await beginSignIn(deps, context(-HOUR_MS), 'x');
    const kept = await stores.pool.query('select * from ops.oauth_states');
    expect(JSON.stringify(kept.rows)).not.toContain(state);
    await keepPeriods(stores.pool, [oauthMigrations]);
    const { rows } = await stores.pool.query('select 1 from ops.oauth_states where expires_at < now()');
    expect(rows).toEqual([]);
  });

  it('reports that the provider does not respond, or that it refuses', async () => {
    const failing = (kind: IdentityProviderError['kind']) =>
      through(() => Promise.reject(new IdentityProviderError(kind, kind)));
    expect(await refusal(signIn(failing('refused')))).toBe('wrong_credentials');
    await expect(signIn(failing('away'))).rejects.toMatchObject({
      code: 'start_again',
      facts: {},
      message: expect.stringMatching(/does not respond.*Start signing in again/),
    });
    await expect(signIn(failing('misconfigured'))).rejects.toMatchObject({
      code: 'start_again',
      message: expect.stringContaining('not set up rightly'),
    });
    const away = {
      ...failing('away').identityProviders.get('x'),
      authorizationUrl: () => Promise.reject(new IdentityProviderError('away', 'away')),
    };
    const before = { ...failing('away'), identityProviders: new Map([['x', away as never]]) };
    await expect(signIn(before)).rejects.toMatchObject({ code: 'identity_provider_away', facts: { retry_after_s: 5 } });
  });

  it('says to start again when a store is away after the start was used up, and the next start succeeds', async () => {
    const person = anna();
    const deps = through(async () => person);
    await expect(signIn(away(deps))).rejects.toMatchObject({ code: 'start_again' });
    expect((await signIn(deps)).account.email).toBe(person.verifiedEmail);
  });
});
