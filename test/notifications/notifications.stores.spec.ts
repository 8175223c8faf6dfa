/** Notifications on the real stores: told once, counted, delivered or held back. */

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { cueSignIn } from '../../commands/accounts/notifications.ts';
import { deleteMessage, editMessage, removeMessage, sendMessage } from '../../commands/chat/messages.ts';
import { changePreferences as changeChat, readThread } from '../../commands/chat/ownThreads.ts';
import { startGroup, startP2p } from '../../commands/chat/threads.ts';
import { answerConsent } from '../../commands/consents/consents.ts';
import { accept, invite, withdraw } from '../../commands/friends/friends.ts';
import { shareLive } from '../../commands/friends/live.ts';
import { cueArrival } from '../../commands/friends/notifications.ts';
import { markRead } from '../../commands/notifications/inbox.ts';
import { changePreferences } from '../../commands/notifications/preferences.ts';
import { account } from '../../domain/accounts/account.ts';
import { DAY_MS, HOUR_MS, instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import { type ReviewCommand, review } from '../../domain/reviews/review.ts';
import { knownMessage } from '../chat/chatFixtures.ts';
import { freshStores } from '../kit/stores.ts';
import { about } from '../reviews/fixtures.ts';
import { createNotificationStage, security } from './stage.ts';

const stores = await freshStores();
const stage = createNotificationStage(stores);
const { time, now, node, by, open, listOf, unread, pushesTo, toldLive, tell, say, work } = stage;
beforeEach(() => stage.pass(3_600));

describe('an invitation', () => {
  it('is told once in the list, live and by push, in the language of the person', async () => {
    const [anna, boris] = [await open('Anna'), await open('Boris', 'ru')];
    await invite(node, by(anna), { by: anna, other: boris }, 'id');
    await work();
    const [told, ...more] = await listOf(boris);
    expect(more).toEqual([]);
    expect(told).toMatchObject({
      type: 'friend_invited',
      kind: 'friend',
      title: 'Приглашение в друзья',
      read_at: null,
    });
    expect(told?.body).toContain('Anna I.');
    expect(await pushesTo(boris)).toMatchObject([{ title: told?.title, body: told?.body, link: told?.link }]);
    expect(await toldLive(boris)).toEqual([
      { type: 'notification.created', data: told },
      { type: 'notification_inbox.updated', data: { unread: 1, last_seq: told?.seq, read_up_to: 0 } },
    ]);
    expect(await listOf(anna)).toEqual([]);
  });

  it('is read once it is answered, or taken back, and told anew when it comes again', async () => {
    const [anna, boris] = [await open('Anna'), await open('Boris')];
    const pair = { by: anna, other: boris };
    await invite(node, by(anna), pair, 'id');
    await work();
    await withdraw(node, by(anna), pair);
    await work();
    expect(await unread(boris)).toBe(0);
    await invite(node, by(anna), pair, 'id');
    await work();
    expect(await unread(boris)).toBe(1);
    expect(await listOf(boris)).toHaveLength(1);
    await accept(node, by(boris), { by: boris, other: anna });
    await work();
    expect(await unread(boris)).toBe(0);
    expect(await listOf(anna)).toMatchObject([
      { type: 'friend_accepted', body: 'Boris I. has accepted your invitation.' },
    ]);
    expect(await pushesTo(boris)).toHaveLength(2);
  });
});

describe('a chat', () => {
  it('is one notification that counts its messages, and names the sender, not what was written', async () => {
    const [anna, boris] = [await open('Anna'), await open('Boris')];
    const { threadId } = await startP2p(node, by(anna), anna, boris);
    await say(threadId, anna);
    await work(3);
    expect(await listOf(boris)).toMatchObject([
      { type: 'chat_messages', title: 'Anna I.', body: 'New message', count: 1 },
    ]);
    await say(threadId, anna);
    await say(threadId, anna);
    await work(3);
    const [told, ...more] = await listOf(boris);
    expect(more).toEqual([]);
    expect(told).toMatchObject({ body: '3 new messages', count: 3 });
    expect(await unread(boris)).toBe(1);
    expect(await pushesTo(boris)).toMatchObject([
      { body: 'New message' },
      { body: '3 new messages', collapse_key: told?.id },
    ]);
    expect(JSON.stringify([await pushesTo(boris), await listOf(boris)])).not.toContain('secret');
    // The answer says that it was read.
    await say(threadId, boris);
    await work(3);
    expect(await unread(boris)).toBe(0);
    const toldOfIt = (await toldLive(boris)).length;
    await say(threadId, boris);
    await work(3);
    expect(await toldLive(boris), 'who goes on writing is told nothing').toHaveLength(toldOfIt);
    await say(threadId, anna);
    await work(3);
    expect(await listOf(boris)).toMatchObject([{ body: 'New message', count: 1 }]);
  });

  it('counts only what came after the own messages', async () => {
    const [anna, boris] = [await open('Anna'), await open('Boris')];
    const { threadId } = await startP2p(node, by(anna), anna, boris);
    for (const sender of [anna, anna, boris]) await say(threadId, sender);
    await work(3);
    expect(await listOf(anna)).toMatchObject([{ type: 'chat_messages', body: 'New message', count: 1 }]);
    expect(await listOf(boris)).toEqual([]);
  });

  it('takes an unread mention back with its message or when an edit removes it, and tells it anew when another one adds it', async () => {
    const [anna, boris, vera] = [await open('Anna'), await open('Boris'), await open('Vera')];
    const others = { title: 'Skiers', memberIds: [boris, vera] };
    const { threadId } = await startGroup(node, by(anna), anna, others);
    const sender = { accountId: anna, isAgent: false };
    const text = { threadId, kind: 'text', body: 'Hi', mentions: [boris, vera], attachments: [] } as const;
    const more = { replyTo: null, clientMessageId: null };
    const send = async () => {
      const sent = await sendMessage(node, by(anna), sender, { ...text, ...more });
      return knownMessage(threadId, sent, now());
    };
    const sent = await send();
    const edit = (...mentions: string[]) => editMessage(node, by(anna), sender, sent, { body: 'Hi', mentions });
    const mentionsOf = async (person: string) =>
      (await listOf(person)).filter(({ type }) => type === 'chat_mention').length;
    await work(3);
    expect([await mentionsOf(boris), await mentionsOf(vera)]).toEqual([1, 1]);
    const [told] = (await listOf(vera)).filter(({ type }) => type === 'chat_mention');
    await markRead(node, now(), vera, told?.id ?? '');
    await edit();
    await work(3);
    // What was read is history.
    expect([await mentionsOf(boris), await mentionsOf(vera)]).toEqual([0, 1]);
    expect((await toldLive(boris)).filter(({ type }) => type === 'notification.removed')).toHaveLength(1);
    await edit(boris);
    await work(3);
    expect([await mentionsOf(boris), await mentionsOf(vera)]).toEqual([1, 1]);
    // Removed before it was told.
    await editMessage(node, by(anna), sender, await send(), { body: 'Hi', mentions: [vera] });
    await work(3);
    expect([await mentionsOf(boris), await mentionsOf(vera)]).toEqual([1, 2]);
    // With its message, whoever deletes that.
    await deleteMessage(node, by(anna), sender, sent);
    await work(3);
    expect([await mentionsOf(boris), await mentionsOf(vera)]).toEqual([0, 2]);
    await removeMessage(node, by(boris), await send(), { by: boris, reason: 'Rude' });
    await work(3);
    expect([await mentionsOf(boris), await mentionsOf(vera)]).toEqual([0, 2]);
  });

  it('tells nobody of a mention by somebody who was erased since', async () => {
    const [anna, boris] = [await open('Anna'), await open('Boris')];
    const { threadId } = await startGroup(node, by(anna), anna, { title: 'Skiers', memberIds: [boris] });
    await say(threadId, anna, [boris]);
    await node.aggregates.handle(account, anna, { type: 'ErasePerson' }, by(anna));
    await work(3);
    expect((await listOf(boris)).filter(({ type }) => type === 'chat_mention')).toEqual([]);
  });

  it('tells nothing of what was read by then, nor of a chat that is muted, except mentions', async () => {
    const [anna, boris, vera] = [await open('Anna'), await open('Boris'), await open('Vera')];
    const { threadId } = await startGroup(node, by(anna), anna, { title: 'Skiers', memberIds: [boris, vera] });
    await say(threadId, anna, [vera]);
    await readThread(node, by(boris), { threadId, accountId: boris }, 1);
    await work(32);
    expect(await listOf(boris)).toEqual([]);
    expect((await listOf(vera)).map(({ type }) => type).toSorted()).toEqual(['chat_mention', 'chat_messages']);
    await readThread(node, by(vera), { threadId, accountId: vera }, 1);
    await work();
    expect(await unread(vera), 'the mention, too').toBe(0);
    await say(threadId, anna, [vera]);
    await work(3);
    await readThread(node, by(vera), { threadId, accountId: vera }, 1);
    await work();
    // The end of the chat's stretch of time may lie within these seconds: then its messages are told, too.
    const unreadOnes = (await listOf(vera)).filter((each) => each.read_at === null);
    expect(
      unreadOnes.map(({ type }) => type),
      'the next mention was not read',
    ).toContain('chat_mention');
    await say(threadId, vera);
    await work();
    expect(await unread(vera), 'who writes has seen it').toBe(0);
  });

  it('is pushed once to who is mentioned in a group, and listed twice', async () => {
    const [anna, boris, vera] = [await open('Anna'), await open('Boris'), await open('Vera')];
    const { threadId } = await startGroup(node, by(anna), anna, { title: 'Skiers', memberIds: [boris, vera] });
    await say(threadId, anna, [vera]);
    await work(3);
    await work(32);
    expect(await pushesTo(boris)).toMatchObject([{ title: 'Group chat' }]);
    expect(await pushesTo(vera)).toMatchObject([{ title: 'You were mentioned' }]);
    expect((await listOf(vera)).map(({ type }) => type)).toEqual(['chat_messages', 'chat_mention']);
    await say(threadId, anna);
    await work(32);
    expect((await pushesTo(vera)).slice(1)).toMatchObject([{ title: 'Group chat', body: 'Anna I.: 2 new messages' }]);
  });

  it('tells of a mention between two people only who has muted the chat: the other is told of the message', async () => {
    const [anna, boris] = [await open('Anna'), await open('Boris')];
    const { threadId } = await startP2p(node, by(anna), anna, boris);
    await say(threadId, anna, [boris]);
    await work(3);
    expect((await listOf(boris)).map(({ type }) => type)).toEqual(['chat_messages']);
    await changeChat(node, by(boris), { threadId, accountId: boris }, { muted: true });
    await say(threadId, anna, [boris]);
    await work(3);
    expect((await listOf(boris)).map(({ type }) => type)).toEqual(['chat_mention', 'chat_messages']);
  });
});

describe('delivery', () => {
  it('waits in quiet hours, while the list fills; what is critical passes', async () => {
    const [anna, boris] = [await open('Anna'), await open('Boris')];
    const clock = (ms: number): string => instantOf(ms).slice(11, 16);
    const quiet = { from: clock(time.ms - MINUTE_MS), to: clock(time.ms + HOUR_MS), timezone: 'UTC' };
    await changePreferences(node, boris, { quiet_hours: quiet });
    await invite(node, by(anna), { by: anna, other: boris }, 'id');
    await tell(boris, 'sign-in');
    await work();
    expect(await unread(boris)).toBe(2);
    expect(await pushesTo(boris)).toMatchObject([{ kind: 'system', urgency: 'high' }]);
    await work(3_600);
    expect(await pushesTo(boris)).toMatchObject([{ kind: 'system' }, { kind: 'friend' }]);
  });

  it('does not push what is switched off, was read meanwhile, or is too old to be news', async () => {
    const [anna, boris] = [await open('Anna'), await open('Boris')];
    await changePreferences(node, boris, { friend: false });
    await invite(node, by(anna), { by: anna, other: boris }, 'id');
    await work();
    await tell(boris, 'read');
    const [first] = await listOf(boris);
    await markRead(node, now(), boris, first?.id ?? '');
    await tell(boris, 'old', instantOf(time.ms - 8 * DAY_MS));
    await work();
    expect(await pushesTo(boris)).toEqual([]);
    expect(await listOf(boris)).toHaveLength(3);
    // Of what is history for a policy that handles the whole log, nobody is told at all.
    await tell(boris, 'history', instantOf(time.ms - 60 * DAY_MS));
    expect(await listOf(boris)).toHaveLength(3);
  });
});

describe('what is no event', () => {
  it('is told when friends begin to see each other on the map, once a day', async () => {
    const [anna, boris] = [await open('Anna'), await open('Boris')];
    await invite(node, by(anna), { by: anna, other: boris }, 'id');
    await accept(node, by(boris), { by: boris, other: anna });
    const arrivalsTold = async (to: string) => (await listOf(to)).filter(({ type }) => type === 'friend_arrived');
    const until = instantOf(time.ms + HOUR_MS);
    await shareLive(node, by(anna), anna, { until, with: null });
    await cueArrival(node, by(anna), anna, [boris]);
    await work();
    expect(await arrivalsTold(boris)).toEqual([]);
    await shareLive(node, by(boris), boris, { until, with: null });
    for (let times = 0; times < 2; times += 1) {
      await cueArrival(node, by(boris), boris, [anna]);
      await work();
    }
    expect(await arrivalsTold(anna)).toMatchObject([{ body: 'Boris I. and you see each other on the map.' }]);
  });

  it('is told of a sign-in when another device has been signed in for some time', async () => {
    const person = await open('Anna');
    const session = `insert into ops.sessions (id, account_id, token_version, started_at, expires_at)
      values (gen_random_uuid(), $1, 0, $2::timestamptz, $2::timestamptz + interval '30 days')`;
    await stores.pool.query(session, [person, now()]);
    await cueSignIn(node, by(person), person);
    await work(7_200);
    expect(await listOf(person)).toEqual([]);
    await cueSignIn(node, by(person), person);
    await work();
    expect(await listOf(person)).toMatchObject([{ type: 'account_security', title: 'Sign-in from a new device' }]);
  });
});

describe('a review', () => {
  /** Anna's review of a hotel of Boris. */
  const written = async () => {
    const [anna, boris] = [await open('Anna'), await open('Boris')];
    const id = randomUUID();
    const handle = (command: ReviewCommand) => node.aggregates.handle(review, id, command, by(anna));
    await handle({ type: 'WriteReview', ...about, userId: anna, sellerId: boris });
    await work();
    return { anna, boris, handle };
  };

  it.each<[string, (anna: string) => ReviewCommand]>([
    ['is deleted', (by) => ({ type: 'DeleteReview', by })],
    ['is hidden', () => ({ type: 'HideReview', reason: 'insults' })],
  ])('of which the seller was told disappears there when it %s before it was seen', async (_, end) => {
    const { anna, boris, handle } = await written();
    expect(await listOf(boris)).toMatchObject([{ type: 'review_received', body: 'Anna I. gave you 4 of 5.' }]);
    await handle(end(anna));
    await work();
    expect(await listOf(boris)).toEqual([]);
  });

  it('that was seen stays in the list, and so does one that is only edited', async () => {
    const { anna, boris, handle } = await written();
    await handle({ type: 'EditReview', by: anna, at: about.editableUntil.replace('15', '14'), rating: 1 });
    await work();
    const [told] = await listOf(boris);
    expect(told).toMatchObject({ type: 'review_received', read_at: null });
    await markRead(node, now(), boris, told?.id ?? '');
    await handle({ type: 'DeleteReview', by: anna });
    await work();
    expect(await listOf(boris)).toMatchObject([{ id: told?.id }]);
  });

  it.each<[string, (anna: string, boris: string) => ReviewCommand]>([
    ['its answer is removed', (_, by) => ({ type: 'RemoveAnswer', by })],
    ['it is deleted', (by) => ({ type: 'DeleteReview', by })],
  ])('tells its author of an answer until %s', async (_, end) => {
    const { anna, boris, handle } = await written();
    await handle({ type: 'AnswerReview', by: boris, text: 'Thank you.' });
    await work();
    expect(await listOf(anna)).toMatchObject([{ type: 'review_answered' }]);
    await handle(end(anna, boris));
    await work();
    expect(await listOf(anna)).toEqual([]);
  });
});

it('marketing is told only to people who consent to it and have not switched it off', async () => {
  const person = await open('Anna');
  const offer = { ...security, kind: 'marketing' } as const;
  const send = (key: string) => tell(person, key, now(), offer);
  const answer = (granted: boolean) =>
    answerConsent(node, by(person), person, { purpose: 'marketing', policyVersion: '1', granted, userAgent: null });
  await send('without consent');
  await answer(true);
  await send('with consent');
  await changePreferences(node, person, { marketing: false });
  await send('switched off');
  await changePreferences(node, person, { marketing: true });
  await answer(false);
  await send('withdrawn');
  expect(await listOf(person)).toHaveLength(1);
});

describe('a message that is deleted unread', () => {
  it('leaves nothing unread, and lowers what stays', async () => {
    const [anna, boris, vera] = [await open('Anna'), await open('Boris'), await open('Vera')];
    const { threadId } = await startGroup(node, by(anna), anna, { title: 'Skiers', memberIds: [boris, vera] });
    const sender = { accountId: anna, isAgent: false };
    const text = { threadId, kind: 'text', body: 'Hi', mentions: [], attachments: [] } as const;
    const send = async () => {
      const sent = await sendMessage(node, by(anna), sender, { ...text, replyTo: null, clientMessageId: null });
      return knownMessage(threadId, sent, now());
    };
    const countOf = async (person: string) =>
      (await listOf(person)).filter(({ type }) => type === 'chat_messages').map(({ count }) => count);
    const badgesOf = async (person: string) =>
      (await toldLive(person)).filter(({ type }) => type === 'chat_badge.updated').map(({ data }) => data);
    const [first, second] = [await send(), await send()];
    await work(40);
    expect([await countOf(boris), await countOf(vera), await unread(boris)]).toEqual([[2], [2], 1]);
    const badge = { thread_id: threadId, last_seq: 2 };
    expect(await badgesOf(boris), 'one frame for both messages').toEqual([{ ...badge, unread_count: 2 }]);
    // Vera has read the first: its end changes nothing for her.
    await readThread(node, by(vera), { threadId, accountId: vera }, 1);
    await work();
    await deleteMessage(node, by(anna), sender, first);
    await work();
    expect([await countOf(boris), await unread(boris)]).toEqual([[1], 1]);
    expect((await badgesOf(vera)).at(-1)).toEqual({ ...badge, unread_count: 1 });
    await deleteMessage(node, by(anna), sender, second);
    await work();
    expect([await countOf(boris), await unread(boris), await unread(vera)]).toEqual([[], 0, 0]);
    expect((await badgesOf(boris)).at(-1)).toEqual({ ...badge, unread_count: 0 });
    // Deleted before anybody was told.
    const third = await send();
    await deleteMessage(node, by(anna), sender, third);
    await work(40);
    expect([await unread(boris), await unread(vera)]).toEqual([0, 0]);
    // What comes then counts from the same position.
    await send();
    await work(40);
    expect([await countOf(boris), await unread(boris)]).toEqual([[1], 1]);
  });
});
