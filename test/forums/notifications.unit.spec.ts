/** Who is told of a post: whoever was replied to or mentioned, unless they have read it, are blocked, or it is gone. */
import { expect, it } from 'vitest';
import { forumNotifications } from '../../commands/forums/notifications.ts';
import { readTopic } from '../../commands/forums/reading.ts';
import { pairId } from '../../commands/friends/friends.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { friendship } from '../../domain/friends/friendship.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { happened } from '../kit/projected.ts';
import { ANNA, AT, BORIS, started, TOPIC, VERA, written } from './forumFixtures.ts';

const declared = (name: string) => {
  const found = forumNotifications.find((one) => one.name === name);
  if (!found) throw new Error(`${name} is not declared`);
  return found;
};
const POST = id(101);
const answer = written({
  ...{ postId: POST, seq: 2, authorId: BORIS, author: 'Boris P.', mentions: [VERA, ANNA] },
  replyTo: { id: id(100), seq: 1, authorId: ANNA },
});
const stage = (...later: ReturnType<typeof written>[]) => {
  const aggregates = memoryAggregates();
  aggregates.given(`forumTopic-${TOPIC}`, [started, written(), answer, ...later]);
  const deps = { aggregates } as never;
  const find = async (name: string, event: ReturnType<typeof written> = answer) => {
    const declaration = declared(name);
    const recorded: Recorded = happened('forumTopic', TOPIC, event, AT);
    const [cue] = declaration.on.get('ForumPostWritten')?.(recorded as never) ?? [];
    return declaration.find(cue?.about ?? {}, { deps, at: AT, eventAt: AT } as never);
  };
  const told = async (name: string) => {
    const found = await find(name);
    return Array.isArray(found) ? found.map(({ to, params }) => [to, params.why ?? params.topic_id]) : found;
  };
  return { aggregates, deps, find, told };
};

const block = ({ handle }: ReturnType<typeof memoryAggregates>, by: string, other: string) =>
  handle(friendship, pairId(by, other), { type: 'BlockPerson', by, other }, contextOf(by));

it('a reply tells its author, and a mention everybody whom it names, each once', async () => {
  const { told } = stage();
  expect(await told('forum_reply')).toEqual([
    [ANNA, 'reply'],
    [VERA, 'mention'],
  ]);
  expect(await told('forum_answers')).toEqual([[ANNA, TOPIC]]);
});

it('whoever is told of a reply finds the new answer in the list only', async () => {
  const { find } = stage();
  expect(await find('forum_answers')).toMatchObject([{ to: ANNA, isListedOnly: true }]);
  const other = { ...answer, data: { ...answer.data, replyTo: null, mentions: [VERA] } };
  expect(await find('forum_answers', other)).toMatchObject([{ to: ANNA, isListedOnly: false }]);
});

it('replies and mentions are read with their topic', async () => {
  const settled = declared('forum_reply').settledBy.get('ForumTopicRead');
  const read = { type: 'ForumTopicRead', data: { topicId: TOPIC, accountId: ANNA, upToSeq: 2 } };
  expect(await settled?.(read as never, {} as never)).toEqual([{ to: ANNA, about: { topic_id: TOPIC }, upToSeq: 2 }]);
});

it('whoever has read the post, or has a block with its author, is not told', async () => {
  const { aggregates, deps, told } = stage();
  await readTopic(deps, contextOf(ANNA), { topicId: TOPIC, accountId: ANNA }, 2);
  expect(await told('forum_answers')).toEqual([]);
  expect(await told('forum_reply')).toEqual([[VERA, 'mention']]);
  await block(aggregates, VERA, BORIS);
  expect(await told('forum_reply')).toEqual([]);
});

it('nobody is told of a post that is gone', async () => {
  const { aggregates, told } = stage();
  const data = { topicId: TOPIC, authorId: BORIS, fileIds: [] };
  aggregates.given(`forumPost-${POST}`, [{ type: 'ForumPostDeleted', data }]);
  expect([await told('forum_reply'), await told('forum_answers')]).toEqual([[], []]);
});

const post = (seq: number, authorId: string) => written({ postId: id(99 + seq), seq, authorId });

it('whoever writes knows what was written before', async () => {
  const [own, other] = [post(3, ANNA), post(4, BORIS)];
  const { find } = stage(own, other);
  expect(await find('forum_answers', other)).toMatchObject([{ to: ANNA, of: BORIS, version: 4, known: 3 }]);
  expect(await stage(own).find('forum_answers')).toEqual([]);
  expect(await stage(own).find('forum_reply')).toMatchObject([{ to: VERA }]);
});

it('an answer is told although a later one is gone or by somebody with a block', async () => {
  const later = post(3, VERA);
  const { aggregates, find } = stage(later);
  const ofBoris = [{ to: ANNA, of: BORIS, version: 2, known: 1 }];
  await block(aggregates, ANNA, VERA);
  expect(await find('forum_answers', later)).toMatchObject(ofBoris);
  const data = { topicId: TOPIC, authorId: VERA, fileIds: [] };
  aggregates.given(`forumPost-${later.data.postId}`, [{ type: 'ForumPostDeleted', data }]);
  expect(await find('forum_answers', later)).toMatchObject(ofBoris);
});
