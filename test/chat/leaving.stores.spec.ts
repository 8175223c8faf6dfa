/** What is left of a membership in a group once it has ended. */
import { beforeEach, expect, it } from 'vitest';
import { leaveThread } from '../../commands/chat/leaving.ts';
import { chatPolicy } from '../../commands/chat/policy.ts';
import { addMember, removeMember, startGroup, startP2p } from '../../commands/chat/threads.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { addMs, DAY_MS } from '../../domain/core/instants.ts';
import { contextOf } from '../kit/context.ts';
import { freshStores } from '../kit/stores.ts';
import { createNotificationStage } from '../notifications/stage.ts';

const stores = await freshStores();
const stage = createNotificationStage(stores);
const { node, by, open, listOf, unread, toldLive, say, work, pass } = stage;
beforeEach(() => pass(3_600));

/** Who has left can be added again by others. */
const aWeekLater = (person: string) => contextOf(person, 'tourist', addMs(stage.now(), 8 * DAY_MS));

/** How memberships of others end: by themselves, or by the admin. */
const ends = {
  'who leaves': (threadId: string, _: string, accountId: string) =>
    leaveThread(node, by(accountId), { threadId, accountId }),
  'who is removed': (threadId: string, admin: string, accountId: string) =>
    removeMember(node, by(admin), threadId, { by: admin, accountId }),
} as const;

const typesOf = async (person: string): Promise<string[]> => (await listOf(person)).map(({ type }) => type).toSorted();

it.each(Object.entries(ends))(
  'takes back what is unread of the group from %s, until they are in it again',
  async (_, end) => {
    const [anna, boris, vera] = [await open('Anna'), await open('Boris'), await open('Vera')];
    const { threadId } = await startGroup(node, by(anna), anna, { title: 'Skiers', memberIds: [boris, vera] });
    const other = await startGroup(node, by(anna), anna, { title: 'Boarders', memberIds: [boris] });
    const pair = await startP2p(node, by(anna), anna, boris);
    await say(threadId, anna, [boris, vera]);
    await say(other.threadId, anna, [boris]);
    await say(pair.threadId, anna);
    await work(3);
    await work(32);
    const elsewhere = ['chat_mention', 'chat_messages', 'chat_messages'];
    expect(await typesOf(boris)).toEqual(['chat_mention', ...elsewhere, 'chat_messages']);

    // One that was not told yet is told no more.
    await say(threadId, anna, [boris]);
    await end(threadId, anna, boris);
    await work(32);
    expect(await typesOf(boris)).toEqual(elsewhere);
    expect(await unread(boris)).toBe(3);
    expect((await toldLive(boris)).filter(({ type }) => type === 'notification.removed')).toHaveLength(2);
    expect(await typesOf(vera), 'who stays is told').toEqual(['chat_mention', 'chat_messages']);

    await addMember(node, aWeekLater(anna), threadId, { by: anna, accountId: boris });
    await say(threadId, anna, [boris]);
    await work(3);
    await work(32);
    expect(await typesOf(boris)).toEqual(['chat_mention', ...elsewhere, 'chat_messages']);
    const [news] = (await listOf(boris)).filter(
      ({ link, type }) => link === `/chats/${threadId}` && type === 'chat_messages',
    );
    expect(news).toMatchObject({ count: 1, read_at: null });
  },
);

it.each(Object.entries(ends))('forgets that %s was in the group, also when it is told of it again', async (_, end) => {
  const [anna, boris] = [await open('Anna'), await open('Boris')];
  const { threadId } = await startGroup(node, by(anna), anna, { title: 'Skiers', memberIds: [boris] });
  const remembered = async () => {
    const select = 'select person_id from ops.chat_group_members where thread_id = $1';
    const { rows } = await stores.pool.query<{ person_id: string }>(select, [threadId]);
    return rows.map(({ person_id }) => (person_id === anna ? 'anna' : 'boris')).toSorted();
  };
  /** The policy handles all events of the group, as a worker that comes to them late. */
  const follow = async () => {
    const events = await node.codec.decodeWithoutAddress<Recorded>(await stores.store.read(`thread-${threadId}`));
    for (const event of events)
      await chatPolicy.handlers.get(event.type)?.(event as never, { deps: node, context: contextOf('chat', 'system') });
  };
  await end(threadId, anna, boris);
  await follow();
  expect(await remembered()).toEqual(['anna']);
  await follow();
  expect(await remembered()).toEqual(['anna']);
  await addMember(node, aWeekLater(anna), threadId, { by: anna, accountId: boris });
  expect(await remembered()).toEqual(['anna', 'boris']);
  await follow();
  expect(await remembered()).toEqual(['anna', 'boris']);
});
