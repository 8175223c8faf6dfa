/** What the read models of forums make of events, and who is told. */
import { describe, expect, it } from 'vitest';
import type { AnyEvent } from '../../domain/core/decider.ts';
import { ERASED } from '../../domain/core/schema.ts';
import { evidenceUntil } from '../../domain/files/evidence.ts';
import { toSnake } from '../../infra/naming.ts';
import { topicActivity } from '../../projections/forums/activity.ts';
import { forumCategories } from '../../projections/forums/categories.ts';
import { forumPostEdits, historyOf } from '../../projections/forums/postEdits.ts';
import { forumPosts, type PostRow, showPosts } from '../../projections/forums/posts.ts';
import { forumReactions } from '../../projections/forums/reactions.ts';
import { forumReaders } from '../../projections/forums/readers.ts';
import { forumRemovals } from '../../projections/forums/removals.ts';
import { forumSanctions } from '../../projections/forums/sanctions.ts';
import { forumTopics } from '../../projections/forums/topics.ts';
import { NO_FILES } from '../../projections/reports/textHistory.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { emptyDb, happened, projection, toldOn } from '../kit/projected.ts';
import { ANNA, AT, BORIS, CATEGORY, LATER, picture, started, TOPIC, written } from './forumFixtures.ts';

const POST = id(100);
const inTopic = <E extends AnyEvent>(event: E, at = AT) => happened('forumTopic', TOPIC, event, at);
const ofPost = <E extends AnyEvent>(event: E) => happened('forumPost', POST, event, LATER);
const about = { topicId: TOPIC, authorId: ANNA };
const edited = ofPost({
  type: 'ForumPostEdited',
  data: { ...about, body: 'Ice?', mentions: [BORIS], formerBody: 'Where is the best powder?' },
} as const);
const deleted = ofPost({ type: 'ForumPostDeleted', data: { ...about, fileIds: [] } } as const);
const removed = ofPost({ type: 'ForumPostRemoved', data: { ...about, removal: 1, reason: 'Rude' } } as const);
const restored = ofPost({ type: 'ForumPostRestored', data: about } as const);
const topicDeleted = inTopic({
  type: 'ForumTopicDeleted',
  data: { authorId: ANNA, postId: POST, fileIds: [] },
} as const);
const topicRemoved = inTopic({
  type: 'ForumTopicRemoved',
  data: { authorId: ANNA, removal: 1, reason: 'Rude' },
} as const);
const topicRestored = inTopic({ type: 'ForumTopicRestored', data: {} } as const);
const [pinned, unpinned, locked, unlocked] = (
  ['ForumTopicPinned', 'ForumTopicUnpinned', 'ForumTopicLocked', 'ForumTopicUnlocked'] as const
).map((type) => inTopic({ type, data: {} })) as [never, never, never, never];
const moved = inTopic({ type: 'ForumTopicMoved', data: { categoryId: id(11) } } as const);
const renamed = inTopic({ type: 'ForumTopicRenamed', data: { renameId: id(60), by: BORIS, title: 'Snow' } } as const);
const begun = [inTopic(started), inTopic(written({ pictures: [picture], clientPostId: 'mine' }))];

const rowsOfCategories = projection(forumCategories);
it('categories come and go', () => {
  const ofCategory = <E extends AnyEvent>(event: E) => happened('forumCategory', CATEGORY, event, AT);
  const details = { title: 'Snow', description: '', position: 1, adminsStart: true };
  const made = [
    ofCategory({ type: 'ForumCategoryCreated', data: details } as const),
    ofCategory({ type: 'ForumCategoryChanged', data: { ...details, title: 'Ice' } } as const),
  ];
  expect(rowsOfCategories(made)).toMatchObject([{ id: CATEGORY, title: 'Ice', admins_start: true, created_at: AT }]);
  expect(rowsOfCategories([...made, ofCategory({ type: 'ForumCategoryDeleted', data: {} } as const)])).toEqual([]);
});

const rowsOfTopics = projection(forumTopics);
describe('a topic', () => {
  it('is told on its channel while everybody sees it', () => {
    const [row] = rowsOfTopics([...begun, renamed, moved, pinned, locked]);
    expect(row).toMatchObject({ title: 'Snow', titled_by: BORIS, category_id: id(11), pinned: true, locked: true });
    expect(toldOn(forumTopics, row ?? {})).toEqual([`topic_${TOPIC}`]);
    const [gone] = rowsOfTopics([...begun, pinned, unpinned, locked, unlocked, topicRemoved]);
    expect(gone).toMatchObject({ status: 'removed', pinned: false, locked: false });
    expect(toldOn(forumTopics, gone ?? {})).toEqual([]);
    expect(rowsOfTopics([...begun, topicRemoved, topicRestored])).toMatchObject([{ status: 'open' }]);
    expect(rowsOfTopics([...begun, topicDeleted])).toMatchObject([{ status: 'deleted' }]);
    expect(forumTopics.wire.of({ ...(row as object), title: ERASED }, 'guest')).toMatchObject({ title: null });
  });
});

const rowsOfActivity = projection(topicActivity);
it('the activity of a topic follows its posts', () => {
  const answer = inTopic(written({ postId: id(101), authorId: BORIS, author: 'Boris P.', seq: 2 }), LATER);
  const [row] = rowsOfActivity([...begun, answer, moved, pinned, unpinned, topicRemoved, topicRestored]);
  expect(row).toEqual({
    ...{ id: TOPIC, category_id: id(11), author_id: ANNA, status: 'open', pinned: false },
    ...{ last_seq: 2, last_post_at: LATER },
  });
  expect(rowsOfActivity([...begun, topicDeleted])).toMatchObject([{ status: 'deleted' }]);
});

const rowsOfPosts = projection(forumPosts);
describe('a post', () => {
  const shown = async (row: PostRow, audience: 'guest' | 'admin') =>
    (await showPosts(emptyDb, [row], audience))[0]?.toJSON();

  it('shows its text and its pictures', async () => {
    const [row] = rowsOfPosts(begun) as PostRow[];
    expect(toldOn(forumPosts, row ?? {})).toEqual([`topic_${TOPIC}`]);
    const form = await shown(row as PostRow, 'guest');
    expect(form).toMatchObject({ seq: 1, author: '', client_post_id: 'mine', deletion: null, reactions: [] });
    expect(form?.image_url).toBe(form?.pictures[0]?.url);
    expect(rowsOfPosts([...begun, edited])).toMatchObject([{ body: 'Ice?', mentions: [BORIS], edited_at: LATER }]);
  });

  it('that a moderator has removed is shown to admins only', async () => {
    const [row] = rowsOfPosts([...begun, removed]) as PostRow[];
    const guest = await shown(row as PostRow, 'guest');
    expect(guest).toMatchObject({ body: null, deletion: 'moderator', pictures: [], image_url: null });
    expect(JSON.stringify(guest)).not.toContain('powder');
    const admin = await shown(row as PostRow, 'admin');
    expect(admin).toMatchObject({ body: null, deletion: 'moderator', removed_body: 'Where is the best powder?' });
    expect(admin?.pictures).toHaveLength(1);
    expect(await historyOf(emptyDb, row as PostRow, 'author', LATER)).toMatchObject({
      versions: [{ body: 'Where is the best powder?', written_at: AT }],
    });
    expect(rowsOfPosts([...begun, removed, restored])).toMatchObject([{ is_removed: false }]);
  });

  it('that is edited, removed or deleted withdraws from its channel what it said before', () => {
    const [publication] = forumPosts.publishTo;
    const [row] = rowsOfPosts(begun);
    const withdraws = (...events: Parameters<typeof rowsOfPosts>[0]) =>
      publication?.withdraws?.(row ?? {}, rowsOfPosts([...begun, ...events])[0] ?? {});
    for (const event of [edited, removed, deleted, topicDeleted])
      expect(withdraws(event)).toMatchObject({ id: row?.id });
    expect(withdraws()).toBeNull();
    expect(withdraws(removed, restored)).toBeNull();
  });

  it('that is deleted, or whose author is erased, says nothing to anybody', async () => {
    const gone = [...rowsOfPosts([...begun, removed, deleted]), ...rowsOfPosts([...begun, topicDeleted])] as PostRow[];
    for (const row of gone) {
      const form = await shown(row, 'admin');
      expect(form).toMatchObject({ body: null, deletion: 'author', pictures: [], mentions: [] });
      expect(form).not.toHaveProperty('removed_body');
    }
    const [row] = rowsOfPosts(begun) as PostRow[];
    const erased = await shown({ ...(row as PostRow), body: ERASED }, 'admin');
    expect(erased).toMatchObject({ body: null, deletion: 'erased', pictures: [] });
  });
});

const rowsOfEdits = projection(forumPostEdits);
it('former texts are kept until the post is deleted', () => {
  expect(rowsOfEdits([edited])).toEqual([
    {
      ...{ id: POST, topic_id: TOPIC, author_id: ANNA, is_deleted: false },
      former: [{ body: 'Where is the best powder?', replaced_at: LATER }],
      ...NO_FILES,
    },
  ]);
  expect(rowsOfEdits([edited, deleted])).toEqual([]);
  expect(rowsOfEdits([edited, topicDeleted])).toEqual([]);
});

describe('what a reported post said', () => {
  const formerBody = 'Ice?';
  const reportedDeleted = ofPost({ ...deleted, data: { ...deleted.data, formerBody } });
  const reportedTopicDeleted = inTopic({ ...topicDeleted, data: { ...topicDeleted.data, formerBody } }, LATER);
  const kept = {
    ...{ id: POST, topic_id: TOPIC, author_id: ANNA, is_deleted: true },
    former: [{ body: formerBody, replaced_at: LATER }],
    ...NO_FILES,
  };

  it('is kept with its pictures, which have an end', () => {
    const keptFiles = [picture];
    for (const gone of [reportedDeleted, reportedTopicDeleted]) {
      const withPictures = { ...gone, data: { ...gone.data, keptFiles } };
      const files = { kept_files: toSnake(keptFiles), kept_until: evidenceUntil(LATER) };
      expect(rowsOfEdits([withPictures])).toEqual([{ ...kept, ...files }]);
    }
  });

  it('is kept when its author deletes it, or the topic', () => {
    for (const gone of [reportedDeleted, reportedTopicDeleted]) {
      expect(rowsOfEdits([gone])).toEqual([kept]);
      expect(rowsOfEdits([edited, gone])).toMatchObject([
        { former: [{ body: 'Where is the best powder?' }, { body: formerBody }] },
      ]);
      expect(rowsOfPosts([...begun, edited, gone])).toMatchObject([{ body: null, is_deleted: true }]);
    }
  });

  it('stays when its author deletes the post, then the topic', () => {
    for (const later of [topicDeleted, reportedTopicDeleted])
      expect(rowsOfEdits([reportedDeleted, later])).toEqual([kept]);
  });
});

it('a post that is deleted, or of an erased author, has no history', async () => {
  const [row] = rowsOfPosts(begun) as [PostRow];
  for (const reader of ['author', 'admin'] as const)
    for (const gone of [{ body: null, is_deleted: true }, { body: ERASED }])
      expect(await historyOf(emptyDb, { ...row, ...gone }, reader, LATER)).toEqual({
        ...{ post_id: POST, versions: [], pictures: [] },
      });
});

const rowsOfReactions = projection(forumReactions);
it('a reaction is told by its post, which has the new number: the channel names nobody who reacts', () => {
  const data = { topicId: TOPIC, postId: POST, accountId: BORIS };
  const given = happened(
    'forumReaction',
    id(70),
    { type: 'ForumReactionGiven', data: { ...data, kind: 'like' } } as const,
    AT,
  );
  const withdrawn = happened('forumReaction', id(70), { type: 'ForumReactionWithdrawn', data } as const, AT);
  const [row] = rowsOfReactions([given]);
  expect(row).toEqual({ post_id: POST, account_id: BORIS, topic_id: TOPIC, kind: 'like' });
  expect(toldOn(forumReactions, row ?? {})).toEqual([]);
  expect(rowsOfReactions([given, withdrawn])).toEqual([]);
  const posted = inTopic(written());
  const [post] = rowsOfPosts([posted]);
  for (const after of [[given], [given, withdrawn]]) expect(rowsOfPosts([posted, ...after])).toEqual([post]);
  expect(rowsOfPosts([given])).toEqual([]);
  expect(toldOn(forumPosts, post ?? {})).toEqual([`topic_${TOPIC}`]);
});

const rowsOfReaders = projection(forumReaders);
it('who writes has read, and reading never goes back', () => {
  const read = (upToSeq: number) =>
    happened(
      'forumReader',
      id(80),
      { type: 'ForumTopicRead', data: { topicId: TOPIC, accountId: ANNA, upToSeq } } as const,
      AT,
    );
  expect(rowsOfReaders([begun[1] as never, read(7), read(3)])).toEqual([
    { topic_id: TOPIC, account_id: ANNA, last_read_seq: 7 },
  ]);
  expect(rowsOfReaders([read(7), inTopic(written({ seq: 9 }))])).toMatchObject([{ last_read_seq: 9 }]);
});

const rowsOfRemovals = projection(forumRemovals);
it('a removal is listed until it is undone, or its author deletes the post or the topic', () => {
  expect(rowsOfRemovals([removed, topicRemoved])).toEqual([
    { id: POST, kind: 'post', topic_id: TOPIC, author_id: ANNA, reason: 'Rude', removed_at: LATER },
    { id: TOPIC, kind: 'topic', topic_id: TOPIC, author_id: ANNA, reason: 'Rude', removed_at: AT },
  ]);
  expect(rowsOfRemovals([removed, restored, topicRemoved, topicRestored])).toEqual([]);
  for (const gone of [deleted, topicDeleted]) expect(rowsOfRemovals([removed, gone])).toEqual([]);
});

const rowsOfSanctions = projection(forumSanctions);
it('who is muted or banned is told on their own channel', () => {
  const ofSanction = <E extends AnyEvent>(event: E, at = AT) => happened('forumSanction', id(90), event, at);
  const [row] = rowsOfSanctions([
    ofSanction({
      type: 'ForumSanctionImposed',
      data: { accountId: ANNA, topicId: null, number: 1, until: LATER, reason: 'Rude' },
    } as const),
    ofSanction({ type: 'ForumSanctionLifted', data: { accountId: ANNA, topicId: null } } as const, LATER),
  ]);
  expect(row).toMatchObject({ account_id: ANNA, topic_id: null, reason: 'Rude', lifted_at: LATER });
  expect(toldOn(forumSanctions, row ?? {})).toEqual([`realtime:user_${ANNA}`]);
});

it('what was kept of a deleted post ends with the evidence; the history of others stays', () => {
  const ofPost = <E extends AnyEvent>(event: E) => happened('forumPost', POST, event, AT);
  const about = { topicId: TOPIC, authorId: ANNA };
  const edited = ofPost({
    type: 'ForumPostEdited',
    data: { ...about, body: 'Kind', mentions: [], formerBody: 'Rude' },
  } as const);
  const deleted = ofPost({ type: 'ForumPostDeleted', data: { ...about, fileIds: [], formerBody: 'Kind' } } as const);
  const subject = { kind: 'forum_post', id: POST, within: TOPIC };
  const ended = happened('evidence', id(70), { type: 'EvidenceEnded', data: { subject } } as const, LATER);
  expect(rowsOfEdits([edited, deleted])).toHaveLength(1);
  expect(rowsOfEdits([edited, deleted, ended])).toEqual([]);
  expect(rowsOfEdits([edited, ended])).toHaveLength(1);
});
