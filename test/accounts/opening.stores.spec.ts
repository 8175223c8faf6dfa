/** Accounts on the real stores: opened, given other addresses and roles, also when a process dies. */

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  changeProfile,
  changeRole,
  loadAccount,
  type NewAccount,
  openAccount,
} from '../../commands/accounts/accounts.ts';
import { findHolder } from '../../commands/accounts/identities.ts';
import { claimPolicy, orphanClaim } from '../../commands/accounts/orphanClaims.ts';
import { type Asked, approveRoleRequest, requestRole } from '../../commands/accounts/roleRequests.ts';
import { signIn, verifyCode } from '../../commands/accounts/signIn.ts';
import { sendCode } from '../../commands/accounts/sms.ts';
import { createAggregates } from '../../commands/core/handle.ts';
import type { CommandDeps } from '../../commands/modules.ts';
import { identity } from '../../domain/accounts/identity.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { HOUR_MS } from '../../domain/core/instants.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { metrics } from '../../infra/metrics.ts';
import {
  context,
  dyingBefore,
  lastCode,
  newAccount,
  newNode,
  node,
  PASSWORD,
  refusal,
  replay,
  setUpAccounts,
  stores,
} from './accountStage.ts';
import { newPhone } from './sms.ts';

setUpAccounts();

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

describe('a claim of an earlier release, which its account does not show', () => {
  it('leads nowhere, and is released by a job that counts it, an hour after it was made', async () => {
    const { accountId } = await openAccount(node, context(), newAccount());
    const email = `${randomUUID()}@example.test`;
    const id = stores.vault.fingerprint('email', email);
    const claim = { type: 'ClaimIdentity', accountId, asOf: 0 } as const;
    await node.aggregates.handle(identity, id, claim, context(-2 * HOUR_MS));
    expect(await findHolder(newNode(), 'email', email)).toBeNull();
    const handled = async () => {
      const [event] = await node.codec.decode<Recorded>(await stores.store.read(`identity-${id}`));
      await claimPolicy.handlers.get('IdentityClaimed')?.(event as never, { deps: newNode(), context: context() });
    };
    await handled();
    const due = await stores.pool.query("select data from ops.jobs where kind = 'orphan_claim' and id = $1", [id]);
    expect(due.rows).toEqual([{ data: { accountId } }]);
    const counted = async () => (await metrics.orphanClaims.get()).values[0]?.value ?? 0;
    const before = await counted();
    const run = () => orphanClaim.run({ id, data: { accountId }, attempt: 1 }, { deps: newNode(), context: context() });
    await run();
    await run();
    expect((await counted()) - before).toBe(1);
    expect((await newNode().aggregates.load(identity, id)).state).toEqual({ accountId: null, claims: 1 });
    expect((await loadAccount(newNode(), accountId)).email).not.toBe(email);
    const mine = await openAccount(node, context(), newAccount({ email }));
    await run();
    expect(await findHolder(newNode(), 'email', email)).toMatchObject({ accountId: mine.accountId });
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
