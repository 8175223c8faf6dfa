/** What is unread of the forums: a post that is gone leaves nothing unread. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createCategory } from '../../commands/forums/categories.ts';
import {
  deletePost,
  editPost,
  type KnownPost,
  type Reply,
  removePost,
  writePost,
} from '../../commands/forums/posts.ts';
import { removeTopic, startTopic } from '../../commands/forums/topics.ts';
import { contextOf } from '../kit/context.ts';
import { freshStores } from '../kit/stores.ts';
import { createNotificationStage } from '../notifications/stage.ts';

const stores = await freshStores();
const stage = createNotificationStage(stores);
const { node, by, open, listOf, unread, work } = stage;
beforeEach(() => stage.pass(3_600));

const none = { mentions: [], pictureIds: [], clientPostId: null };
const unreported = async () => 0;
const writer = (accountId: string) => ({ accountId, isModerator: false });
const start = async (author: string): Promise<string> => {
  const details = { title: 'Snow', description: '', position: 0, adminsStart: false };
  const categoryId = (await createCategory(node, contextOf(randomUUID(), 'admin'), details)).id;
  const topic = { categoryId, title: 'Powder', post: { ...none, body: 'Where?' } };
  return (await startTopic(node, by(author), writer(author), topic, unreported)).topicId;
};
const write = async (
  author: string,
  topicId: string,
  more: Partial<Reply> = {},
): Promise<KnownPost & { seq: number }> => {
  const reply = { ...none, topicId, replyTo: null, quotes: [], body: 'Here', ...more };
  const written = await writePost(node, by(author), writer(author), reply, unreported);
  if (!written) throw new Error('not written');
  const { postId: id, seq, body, mentions } = written;
  return { id, seq, of: { topicId, authorId: author }, writtenAt: stage.now(), files: [], body, mentions };
};
const gone = {
  'deleted by its author': ({ seq: _, ...post }: KnownPost & { seq: number }) =>
    deletePost(node, by(post.of.authorId), post, { by: post.of.authorId, isReported: false }),
  'removed by an admin': ({ seq: _, ...post }: KnownPost & { seq: number }) =>
    removePost(node, contextOf(randomUUID(), 'admin', stage.now()), post, 'Rude'),
};
/** Answers of a minute are told together. */
const TOLD_S = 70;

describe.each(Object.entries(gone))('a post that is %s', (_, takeAway) => {
  it('leaves its topic without an unread answer', async () => {
    const [anna, boris] = [await open('Anna'), await open('Boris')];
    const post = await write(boris, await start(anna));
    await work(TOLD_S);
    expect(await unread(anna)).toBe(1);
    await takeAway(post);
    await work();
    expect(await unread(anna)).toBe(0);
    expect(await listOf(anna)).toEqual([]);
  });

  it('is not counted among the answers, before they are told and after', async () => {
    const [anna, boris] = [await open('Anna'), await open('Boris')];
    const topicId = await start(anna);
    const posts = [await write(boris, topicId), await write(boris, topicId), await write(boris, topicId)];
    const [first, second, last] = posts as [(typeof posts)[0], (typeof posts)[0], (typeof posts)[0]];
    await takeAway(second);
    await work(TOLD_S);
    expect(await listOf(anna)).toMatchObject([{ body: 'Boris I.: 2 new answers', read_at: null }]);
    await takeAway(first);
    await work();
    expect(await listOf(anna)).toMatchObject([{ body: 'Boris I.: a new answer', read_at: null }]);
    await takeAway(last);
    await work();
    expect(await unread(anna)).toBe(0);
    await write(boris, topicId);
    await work(TOLD_S);
    expect(await listOf(anna)).toMatchObject([{ body: 'Boris I.: a new answer', read_at: null }]);
  });

  it('leaves nothing unread of its reply and its mentions', async () => {
    const [anna, boris, vera, gleb] = [await open('Anna'), await open('Boris'), await open('Vera'), await open('Gleb')];
    const topicId = await start(anna);
    const { id, seq } = await write(vera, topicId);
    const post = await write(boris, topicId, { replyTo: { id, seq, authorId: vera }, mentions: [gleb] });
    await work(TOLD_S);
    expect([await unread(vera), await unread(gleb)]).toEqual([1, 1]);
    await takeAway(post);
    await work();
    expect([await unread(vera), await unread(gleb)]).toEqual([0, 0]);
    expect(await listOf(anna)).toMatchObject([{ body: expect.stringMatching(/: a new answer$/) }]);
  });
});

it('what was read stays as it was', async () => {
  const [anna, boris] = [await open('Anna'), await open('Boris')];
  const topicId = await start(anna);
  const post = await write(boris, topicId);
  await work(TOLD_S);
  await write(anna, topicId);
  await work();
  const before = await listOf(anna);
  expect(before).toMatchObject([{ read_at: expect.any(String) }]);
  await gone['deleted by its author'](post);
  await work();
  expect(await listOf(anna)).toEqual(before);
});

it('a topic that is removed leaves nothing unread', async () => {
  const [anna, boris, vera] = [await open('Anna'), await open('Boris'), await open('Vera')];
  const topicId = await start(anna);
  await write(boris, topicId, { mentions: [vera] });
  await work(TOLD_S);
  expect([await unread(anna), await unread(vera)]).toEqual([1, 1]);
  await removeTopic(node, contextOf(randomUUID(), 'admin', stage.now()), topicId, 'Spam');
  await work();
  expect(await unread(vera)).toBe(0);
  expect((await listOf(anna)).map(({ type }) => type)).toEqual(['forum_moderation']);
});

it('a mention that is edited out is taken back, one that stays is told once, and one that comes again is told again', async () => {
  const [anna, boris, vera] = [await open('Anna'), await open('Boris'), await open('Vera')];
  const { seq: _, ...post } = await write(boris, await start(anna), { mentions: [vera] });
  await work(TOLD_S);
  let body = 0;
  const edit = async (mentions: string[]) => {
    body += 1;
    await editPost(node, by(boris), writer(boris), post, { body: `Here ${body}`, mentions });
    await work();
  };
  const told = (await listOf(vera))[0]?.seq;
  await edit([vera]);
  expect(await listOf(vera)).toMatchObject([{ seq: told, read_at: null }]);
  await edit([]);
  expect([await unread(vera), await listOf(vera)]).toEqual([0, []]);
  await edit([vera]);
  expect(await listOf(vera)).toMatchObject([{ type: 'forum_reply', read_at: null }]);
});
