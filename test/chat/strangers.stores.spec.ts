/** The limits on what people do with strangers: new chats, calls, shared tracks. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { endCall, placeCall } from '../../commands/calls/calls.ts';
import { addMember, startGroup, startP2p } from '../../commands/chat/threads.ts';
import { accept, invite } from '../../commands/friends/friends.ts';
import { STRANGERS_PER_DAY } from '../../commands/friends/strangers.ts';
import { startSession } from '../../commands/tracking/sessions.ts';
import { revokeShare, shareTrack } from '../../commands/tracking/shares.ts';
import { addMs, HOUR_MS } from '../../domain/core/instants.ts';
import { newPhone } from '../accounts/sms.ts';
import { contextOf } from '../kit/context.ts';
import { type Node, testDeps } from '../kit/deps.ts';
import { freshStores, type Stores } from '../kit/stores.ts';

let stores: Stores;
let node: Node;
beforeAll(async () => {
  stores = await freshStores();
  node = testDeps(stores, { settings: { chatStrangersPerDay: 3, rateLimits: 1 } });
});

const person = async (): Promise<string> =>
  (await openAccount(node, contextOf(randomUUID()), { role: 'tourist', phone: newPhone() })).accountId;
const people = (count: number) => Promise.all(Array.from({ length: count }, person));
const LIMITED = { code: 'too_many_attempts', facts: { retry_after_s: expect.any(Number) } };

it('counts each stranger once, alone or in a group, and refuses before anything is begun', async () => {
  const [anna = '', one = '', two = '', three = '', four = ''] = await people(5);
  const by = () => contextOf(anna);
  const start = (other: string) => startP2p(node, by(), anna, other);
  const group = (memberIds: string[], context = by()) => startGroup(node, context, anna, { title: 'Ski', memberIds });
  await expect(group([one, two, three, four])).rejects.toMatchObject({ code: 'invalid' }); // no day would allow it
  await start(one);
  for (let repeated = 0; repeated < 3; repeated += 1) expect(await start(one)).toMatchObject({ isNew: false });
  await expect(group([two, three, four])).rejects.toMatchObject(LIMITED);
  const context = by();
  const { threadId } = await group([two, three], context);
  expect(await group([two, three], context)).toEqual({ threadId, isNew: false });
  await expect(start(four)).rejects.toMatchObject(LIMITED);
  await expect(addMember(node, by(), threadId, { by: anna, accountId: four })).rejects.toMatchObject(LIMITED);
  await addMember(node, by(), threadId, { by: anna, accountId: two }); // is in it already
  expect(await startP2p(node, contextOf(four), four, anna)).toMatchObject({ isNew: true });
});

it('does not count friends, whom one has to do with elsewhere, or what admins start', async () => {
  const [anna = '', friend = '', ...others] = await people(7);
  await invite(node, contextOf(anna), { by: anna, other: friend }, 'id');
  await accept(node, contextOf(friend), { by: friend, other: anna });
  await startP2p(node, contextOf(anna), anna, friend);
  const [guest = '', ...strangers] = others;
  await startP2p(node, contextOf(anna), anna, guest, async () => true);
  for (const one of strangers.slice(0, 3)) await startP2p(node, contextOf(anna), anna, one);
  await expect(startP2p(node, contextOf(anna), anna, strangers[3] ?? '')).rejects.toMatchObject(LIMITED);
  const admin = contextOf(anna, 'admin');
  expect(await startP2p(node, admin, anna, strangers[3] ?? '')).toMatchObject({ isNew: true });
});

it('rings and shares tracks with strangers so many times a day each, with friends any number of times', async () => {
  const [anna = '', stranger = '', friend = ''] = await people(3);
  await invite(node, contextOf(anna), { by: anna, other: friend }, 'id');
  await accept(node, contextOf(friend), { by: friend, other: anna });
  const place = (callee: string) =>
    placeCall(node, contextOf(anna), { callerId: anna, calleeId: callee, kind: 'audio', sessionId: randomUUID() });
  for (let n = 0; n < STRANGERS_PER_DAY; n += 1) {
    const { callId } = await place(stranger);
    await endCall(node, contextOf(anna), callId, { by: anna, reason: 'hung_up' });
  }
  await expect(place(stranger)).rejects.toMatchObject(LIMITED);
  const { callId } = await place(friend);
  await expect(place(stranger), 'who is in a call is told that').rejects.toMatchObject({ code: 'in_call' });
  await endCall(node, contextOf(anna), callId, { by: anna, reason: 'hung_up' });

  // What is shared counts apart from it.
  const started = contextOf(anna);
  const { id: sessionId } = await startSession(node, started, anna, started.at);
  const share = (viewerId: string, hours: number) =>
    shareTrack(
      node,
      contextOf(anna),
      { accountId: anna, sessionId },
      { viewerId, expiresAt: addMs(started.at, hours * HOUR_MS) },
    );
  for (let n = 1; n < STRANGERS_PER_DAY; n += 1) {
    const viewer = randomUUID();
    await share(viewer, 2);
    await revokeShare(node, contextOf(anna), { accountId: anna, sessionId }, viewer);
  }
  await share(stranger, 2);
  await share(stranger, 3); // it only ends later
  await expect(share(randomUUID(), 2)).rejects.toMatchObject(LIMITED);
  await share(friend, 2);
});
