/**
 * What belongs to an account ends with it. Every aggregate says here what ends it when a person is erased, or why nothing of
 * a person goes on in it: one that is not named fails the spec.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { accounts } from '../../commands/accounts/index.ts';
import { requestRole } from '../../commands/accounts/roleRequests.ts';
import { acceptCall, placeCall } from '../../commands/calls/calls.ts';
import { calls } from '../../commands/calls/index.ts';
import { callOnLine } from '../../commands/calls/lines.ts';
import { callPolicy } from '../../commands/calls/policy.ts';
import type { LiveMessage } from '../../commands/core/deps.ts';
import type { ModuleErasure } from '../../commands/core/erasure.ts';
import type { PolicyHandler } from '../../commands/core/policy.ts';
import { deliverWaiting, inviteAddress } from '../../commands/friends/addresses.ts';
import { accept, invite, pairId } from '../../commands/friends/friends.ts';
import { friends } from '../../commands/friends/index.ts';
import { shareLive, sharingOf } from '../../commands/friends/live.ts';
import { friendPolicy } from '../../commands/friends/policy.ts';
import { moduleErasures } from '../../commands/modules.ts';
import { roleRequest } from '../../domain/accounts/roleRequest.ts';
import { call } from '../../domain/calls/call.ts';
import type { AnyEvent } from '../../domain/core/decider.ts';
import { HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import { friendship } from '../../domain/friends/friendship.ts';
import { aggregates } from '../../domain/modules.ts';
import { newPhone } from '../accounts/sms.ts';
import { contextOf } from '../kit/context.ts';
import { type Node, testDeps } from '../kit/deps.ts';
import { happened } from '../kit/projected.ts';
import { freshStores, type Stores } from '../kit/stores.ts';

/** By the step of an erasure that ends it, which is a function of a module's `erasure`. */
const ENDED_BY: Readonly<Record<string, readonly string[]>> = {
  closeErased: ['account'],
  giveBackIdentities: ['identity'],
  withdrawRequestOf: ['roleRequest'],
  endCallOf: ['call', 'callLine'],
  leaveAll: ['friendship', 'invitedAddress'],
  leaveGroups: ['thread', 'threadMember'],
  endStoriesOf: ['story'],
  endErased: ['sos'],
  resolveOfErased: ['supportDesk'],
  discardTracks: ['trackingSession'],
  leaveLeaderboard: ['skier'],
  removeAllFavorites: ['favorites'],
  removeAllMethods: ['savedMethods'],
  removeErasedFiles: ['file'],
  removeRecordingsOf: ['voiceRecording'],
  closeAllOf: ['company', 'hotel', 'instructor', 'restaurant', 'room', 'tour', 'transfer'],
};
/** Why nothing of a person goes on in these. */
const NOT_LIVE: Readonly<Record<string, readonly string[]>> = {
  'bookings and money: they end by their own times, and are kept for the other side and the tax': [
    ...['booking', 'trip', 'payment', 'purchase', 'pass', 'inventory', 'promoCode'],
    ...['ownerAccount', 'settlement', 'adjustment', 'reconciliation', 'paymentSettings', 'commissionRules'],
  ],
  'rules and things of the resort, whoever has made them': [
    ...['platformConfig', 'flagRules', 'consentPolicies', 'badgeCatalogue', 'planConfig', 'trackingTargets'],
    ...['skiPassTariff', 'passClosures', 'insuranceProduct', 'apiKey', 'broadcast', 'post', 'forumCategory'],
    ...['lift', 'slope', 'liftQueue', 'liftState', 'slopeState', 'resortReport', 'webcam', 'resortStory'],
  ],
  'what was said or decided: its texts go with the key': [
    ...['message', 'review', 'report', 'evidence', 'forumTopic', 'forumPost', 'forumReaction', 'forumReader'],
    ...['forumSanction', 'forumAppeal', 'consent', 'auditLog', 'attendance', 'badgeHolder'],
    ...['reportedDay', 'trackReview'],
  ],
  'who is on duty: an account that is closed is passed over when somebody is told': ['sosDuty'],
  'who is in the room: a policy removes their devices (PersonErased)': ['voiceRoom'],
};

it('every aggregate says what ends it with the account, by a step that exists', () => {
  const named = [...Object.values(ENDED_BY), ...Object.values(NOT_LIVE)].flat();
  expect(named.toSorted()).toEqual(aggregates.map(({ category }) => category).toSorted());
  const steps = moduleErasures.flatMap(({ before, close, after }) => [before, close, after].map((step) => step?.name));
  for (const step of Object.keys(ENDED_BY)) expect(steps).toContain(step);
});

let stores: Stores;
let node: Node;
const told: LiveMessage[] = [];
beforeAll(async () => {
  stores = await freshStores();
  node = testDeps(stores, { tell: (message) => void told.push(message) });
});

const open = async (phone = newPhone()) =>
  (await openAccount(node, contextOf(randomUUID()), { role: 'tourist', phone })).accountId;

/** What the modules do that own these things. */
const erase = async (person: string) => {
  const context = contextOf('erasure', 'system');
  for (const { erasure } of [accounts, calls, friends]) {
    const { before, close, after }: ModuleErasure<Node> = erasure;
    for (const step of [before, close, after]) await step?.(node, context, person);
  }
};
const react = async (of: typeof callPolicy | typeof friendPolicy, category: string, id: string, event: AnyEvent) => {
  const handler = of.handlers.get(event.type) as PolicyHandler<unknown, Node> | undefined;
  await handler?.(happened(category, id, event as never, new Date().toISOString()), {
    deps: node,
    context: contextOf('policy', 'system'),
  });
};
const dial = (caller: string, callee: string) =>
  placeCall(node, contextOf(caller), { callerId: caller, calleeId: callee, kind: 'audio', sessionId: randomUUID() });
const statusOf = async (id: string) => (await node.aggregates.load(call, id)).state.status;

describe('with an account that is erased', () => {
  it.each(['as the caller', 'as the person who is called', 'while it rings', 'while it rings here'])(
    'a call ends, and the other can be called: %s',
    async (how) => {
      const [anna, boris, vera] = [await open(), await open(), await open()];
      const [caller, callee] = how === 'as the caller' || how === 'while it rings' ? [anna, boris] : [boris, anna];
      const { callId } = await dial(caller, callee);
      if (how.startsWith('as'))
        await acceptCall(node, contextOf(callee), callId, { by: callee, sessionId: randomUUID() });
      await erase(anna);
      expect(['ended', 'missed', 'rejected']).toContain(await statusOf(callId));
      expect(await callOnLine(node, boris)).toBeNull();
      expect((await dial(vera, boris)).state.status).toBe('ringing');
    },
  );

  it('a call that was being placed meanwhile ends, too', async () => {
    const [anna, boris] = [await open(), await open()];
    await erase(anna);
    const { callId } = await dial(anna, boris);
    expect(await statusOf(callId)).toBe('ringing');
    const data = { callerId: anna, calleeId: boris, kind: 'audio' };
    await react(callPolicy, 'call', callId, { type: 'CallStarted', data });
    expect({ status: await statusOf(callId), line: await callOnLine(node, boris) }).toEqual({
      status: 'missed',
      line: null,
    });
  });

  it('a request for a role and invitations end', async () => {
    const [anna, boris] = [await open(), await open()];
    const details = { role: 'hotelier', companyName: 'Fir', documents: [], comment: null } as const;
    await requestRole(node, contextOf(anna), anna, details as never);
    await invite(node, contextOf(anna), { by: anna, other: boris }, 'id');
    const phone = newPhone();
    await inviteAddress(node, contextOf(anna), anna, 'phone', phone);
    await erase(anna);
    expect((await node.aggregates.load(roleRequest, anna)).state.at(-1)?.status).toBe('withdrawn');
    expect((await node.aggregates.load(friendship, pairId(anna, boris))).state.relations[boris] ?? null).toBeNull();
    const vera = await open(phone);
    await deliverWaiting(node, contextOf('policy', 'system'), vera);
    expect((await node.aggregates.load(friendship, pairId(anna, vera))).state.relations[vera] ?? null).toBeNull();
  });
});

it.each(['is asked for', 'comes'])(
  'friends who see a position are told that it ends when the end of the account %s',
  async (how) => {
    const [anna, boris, vera] = [await open(), await open(), await open()];
    const until = instantOf(Date.now() + HOUR_MS);
    for (const friend of [boris, vera]) {
      await invite(node, contextOf(anna), { by: anna, other: friend }, 'id');
      await accept(node, contextOf(friend), { by: friend, other: anna });
    }
    // Vera does not share hers, and so does not see Anna's.
    for (const person of [anna, boris]) await shareLive(node, contextOf(person), person, { until, with: null });
    told.length = 0;
    const event = { type: 'ErasureRequested', data: { dueAt: until, role: 'tourist' } };
    const end = () => (how === 'comes' ? erase(anna) : react(friendPolicy, 'account', anna, event));
    await end();
    await end();
    expect(told).toMatchObject([{ channel: `friends_${boris}`, type: 'sharing.ended', from: anna, data: {} }]);
    expect(await sharingOf(node, boris, new Date().toISOString())).not.toBeNull();
  },
);

it('a call and the sharing of a position end when the end of the account is asked for', async () => {
  const [anna, boris] = [await open(), await open()];
  const { callId } = await dial(anna, boris);
  const until = instantOf(Date.now() + HOUR_MS);
  await shareLive(node, contextOf(anna), anna, { until, with: null });
  const event = { type: 'ErasureRequested', data: { dueAt: until, role: 'tourist' } };
  for (const of of [callPolicy, friendPolicy]) await react(of, 'account', anna, event);
  expect({ call: await statusOf(callId), shares: await sharingOf(node, anna, new Date().toISOString()) }).toEqual({
    call: 'missed',
    shares: null,
  });
});
