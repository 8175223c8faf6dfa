/** Saved ways to pay on the real stores: confirmed, removed, forgotten, with a provider that is away. */

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CommandContext } from '../../commands/core/handle.ts';
import { receiveNotification } from '../../commands/payments/inbox.ts';
import { methodRemoval, methodSync } from '../../commands/payments/paymentMethodPolicy.ts';
import { forgetMethod, removeMethod } from '../../commands/payments/paymentMethodRemoval.ts';
import { addMethod, chooseDefault, lookUpMethod, syncMethod, tokenOf } from '../../commands/payments/paymentMethods.ts';
import { DAY_MS, instantOf } from '../../domain/core/instants.ts';
import { type SavedMethods, savedMethods } from '../../domain/payments/savedMethods.ts';
import { readHistory, shownEvent } from '../../eventstore/history.ts';
import { createStage, type Node, type Stage } from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { type FakeTokenisation, referenceTo, withTokenisation } from './fakeTokenisation.ts';

let stage: Stage;
let node: Node;
let saving: FakeTokenisation;
beforeAll(async () => {
  stage = await createStage(await freshStores());
  node = stage.node;
  saving = withTokenisation(stage.provider).tokenisation;
  stage.work();
});

const CARD = { brand: 'Mir', last4: '0004', exp: '12/40' } as const;
const savedMethodsOf = async (userId: string): Promise<SavedMethods> =>
  (await node.aggregates.load(savedMethods, userId)).state;
const statuses = async (userId: string) => (await savedMethodsOf(userId)).methods.map(({ status }) => status);
const begun = async (userId: string, context: CommandContext = contextOf(userId)): Promise<string> =>
  (await addMethod(node, context, { method: 'card' })).method.methodId;
const confirm = (methodId: string) => saving.says(methodId, 'active', { token: `token-${methodId}`, ...CARD });
const active = async (userId: string): Promise<string> => {
  const methodId = await begun(userId);
  confirm(methodId);
  await syncMethod(node, contextOf(userId), userId, methodId);
  return methodId;
};
/** The context of a job. */
const run = (at = new Date().toISOString()) => ({ deps: node, context: contextOf('system', 'system', at) });
const TOMORROW = instantOf(Date.now() + DAY_MS);

describe('adding', () => {
  it('a card can be charged after it is confirmed; the log holds no token in plain text', async () => {
    const userId = randomUUID();
    const context = contextOf(userId);
    const added = await addMethod(node, context, { method: 'card', returnUrl: 'https://app.test/cards' });
    expect(added).toMatchObject({ redirectUrl: expect.stringContaining('https://pay.test/'), isDefault: false });
    const { methodId } = added.method;
    expect(await addMethod(node, context, { method: 'card' })).toEqual(added);
    await expect(tokenOf(node, userId, methodId)).rejects.toMatchObject({ code: 'conflict' });
    await until(async () => (await stage.jobs()).includes('method_sync'));

    confirm(methodId);
    const rawBody = Buffer.from(JSON.stringify({ event: `saved-${methodId}`, id: referenceTo(methodId) }));
    await receiveNotification(node, contextOf('system'), 'fake', { headers: {}, rawBody, ip: null });
    await until(async () => (await statuses(userId))[0] === 'active');
    const token = `token-${methodId}`;
    expect(await tokenOf(node, userId, methodId)).toEqual({ method: 'card', token, provider: 'fake' });
    await expect(tokenOf(node, randomUUID(), methodId)).rejects.toMatchObject({ code: 'not_found' });

    const { rows } = await node.pool.query('select to_jsonb(i) as kept from ops.webhook_inbox i');
    expect(JSON.stringify(rows)).not.toContain(referenceTo(methodId));
    const stream = `savedMethods-${userId}`;
    const stored = JSON.stringify((await node.store.read(stream, { from: 0n, max: 10 })).map(({ data }) => data));
    for (const secret of [token, referenceTo(methodId), '0004']) expect(stored).not.toContain(secret);
    const history = (await readHistory(node, stream, { from: 0, max: 10 })).map(shownEvent);
    expect(history.map(({ data }) => data)).toMatchObject([
      { referenceSecret: '[hidden]' },
      { tokenSecret: '[hidden]', last4: '0004' },
      { methodId, former: null },
    ]);
  });

  it('what the provider cannot save is a preference, one of each kind, for any provider', async () => {
    const userId = randomUUID();
    const first = await addMethod(node, contextOf(userId), { method: 'wallet' });
    expect(first).toMatchObject({ method: { status: 'active', provider: null }, isDefault: true, redirectUrl: null });
    expect(await addMethod(node, contextOf(userId), { method: 'wallet' })).toEqual(first);
    const { methodId } = first.method;
    expect(await tokenOf(node, userId, methodId)).toEqual({ method: 'wallet', token: null, provider: null });
  });

  it('is refused for an unknown provider and a foreign return URL; nothing is recorded while the provider does not respond', async () => {
    const userId = randomUUID();
    const add = (request: object) => addMethod(node, contextOf(userId), { method: 'card', ...request });
    await expect(add({ provider: 'nobody' })).rejects.toMatchObject({ code: 'invalid' });
    await expect(add({ returnUrl: 'https://evil.test/' })).rejects.toMatchObject({ code: 'invalid' });
    saving.away = true;
    await expect(add({})).rejects.toMatchObject({ kind: 'away' });
    saving.away = false;
    expect(await statuses(userId)).toEqual([]);
  });

  it('fails when the provider refuses, and expires when nobody confirms it', async () => {
    const userId = randomUUID();
    const [refused, forgotten] = [await begun(userId), await begun(userId)];
    saving.says(refused, 'failed', { reason: 'not_confirmed' });
    expect(await lookUpMethod(node, contextOf(userId), refused)).toMatchObject({
      method: { status: 'failed', failureCode: 'not_confirmed' },
    });
    const job = { id: 'x', attempt: 1, data: { userId, methodId: forgotten, until: TOMORROW } };
    expect(await methodSync.run(job, run())).toMatchObject({ againAt: expect.any(String) });
    expect(await methodSync.run(job, run(TOMORROW))).toBeUndefined();
    expect(await statuses(userId)).toEqual(['failed', 'failed']);
  });

  it('returns the recorded state while the provider does not respond', async () => {
    const userId = randomUUID();
    const methodId = await begun(userId);
    saving.away = true;
    expect(await lookUpMethod(node, contextOf(userId), methodId)).toMatchObject({
      method: { status: 'requires_action' },
      redirectUrl: null,
    });
    saving.away = false;
  });
});

describe('removing', () => {
  it('ends its use at once, passes the default on, and tells the provider as soon as it responds', async () => {
    const userId = randomUUID();
    const [first, second] = [await active(userId), await active(userId)];
    expect(await chooseDefault(node, contextOf(userId), second)).toMatchObject({ isDefault: true });
    saving.away = true;
    await removeMethod(node, contextOf(userId), second);
    await removeMethod(node, contextOf(userId), second);
    await expect(tokenOf(node, userId, second)).rejects.toMatchObject({ code: 'not_found' });
    expect((await savedMethodsOf(userId)).defaultId).toBe(first);
    await until(async () => (await stage.jobs()).includes('method_removal'));
    saving.away = false;
    await until(async () => (await statuses(userId))[1] === 'forgotten');
    expect(saving.removed.filter((token) => token === `token-${second}`)).toHaveLength(1);
    await expect(removeMethod(node, contextOf(randomUUID()), first)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('one that is not confirmed yet is deleted when its page has expired', async () => {
    const userId = randomUUID();
    const [confirmed, left] = [await begun(userId), await begun(userId)];
    for (const methodId of [confirmed, left]) await removeMethod(node, contextOf(userId), methodId);
    expect(await forgetMethod(node, contextOf(userId), userId, confirmed)).toBe(false);
    confirm(confirmed);
    expect(await forgetMethod(node, contextOf(userId), userId, confirmed)).toBe(true);
    expect(saving.removed).toContain(`token-${confirmed}`);

    const job = { id: left, attempt: 1, data: { userId, until: TOMORROW } };
    expect(await methodRemoval.run(job, run())).toMatchObject({ againAt: expect.any(String) });
    expect(await methodRemoval.run(job, run(TOMORROW))).toBeUndefined();
    expect(await statuses(userId)).toEqual(['forgotten', 'forgotten']);
  });
});
