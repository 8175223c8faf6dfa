/** Forums on the real stores: writing at the same time, limits, and how often somebody is reported. */

import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { postRoutes } from '../../api/forums/posts.ts';
import { topicRoutes } from '../../api/forums/topics.ts';
import type { App } from '../../api/http/app.ts';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { erasePerson } from '../../commands/core/erasure.ts';
import { createCategory } from '../../commands/forums/categories.ts';
import type { WritingDeps } from '../../commands/forums/deps.ts';
import { deletePost, type Reply, removePost, writePost } from '../../commands/forums/posts.ts';
import { deleteTopic, removeTopic, startTopic } from '../../commands/forums/topics.ts';
import { type CommandDeps, moduleErasures } from '../../commands/modules.ts';
import { reportContent, resolveReport } from '../../commands/reports/reports.ts';
import { Contended, type Rejected } from '../../domain/core/decider.ts';
import { DAY_MS, HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import { ERASED } from '../../domain/core/schema.ts';
import { jsonOf } from '../../infra/jsonText.ts';
import { createTombstones } from '../../infra/tombstones.ts';
import { allMigrations } from '../../ops/tables.ts';
import { shortNamesOf } from '../../projections/accounts/shortNames.ts';
import { groupOf } from '../../projections/engine/groups.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import { forumAuthors } from '../../projections/forums/authors.ts';
import { readModels } from '../../projections/forums/index.ts';
import { historyOf } from '../../projections/forums/postEdits.ts';
import { pageOfPosts, postById } from '../../projections/forums/posts.ts';
import { REPORTED, reportersOf } from '../../projections/forums/queries.ts';
import { reports } from '../../projections/reports/reports.ts';
import { newPhone } from '../accounts/sms.ts';
import { interruptedBefore } from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { changed, type Node, testDeps } from '../kit/deps.ts';
import { startProjector } from '../kit/projector.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { uploaded, usageOfFile } from '../kit/uploads.ts';

let stores: Stores;
let node: Node;
let categoryId: string;
beforeAll(async () => {
  stores = await freshStores();
  node = testDeps(stores);
  const groups = [groupOf('forums', [...readModels, reports])];
  await startProjector({ ...node, groups });
  const details = { title: 'Snow', description: '', position: 0, adminsStart: false };
  categoryId = (await createCategory(node, contextOf(randomUUID(), 'admin'), details)).id;
});

const person = async (): Promise<string> => {
  const opening = { role: 'tourist', phone: newPhone(), firstName: 'Anna', lastName: 'Orlova' } as const;
  return (await openAccount(node, contextOf(randomUUID()), opening)).accountId;
};
const none = { mentions: [], pictureIds: [], clientPostId: null };
const unreported = async () => 0;
const start = async (by: string, deps: WritingDeps = node) => {
  const topic = { categoryId, title: 'Powder', post: { ...none, body: 'Where?' } };
  const { topicId } = await startTopic(deps, contextOf(by), { accountId: by, isModerator: false }, topic, unreported);
  return topicId;
};
const write = (
  by: string,
  topicId: string,
  more: Partial<Reply> = {},
  reporters = unreported,
  deps: WritingDeps = node,
) => {
  const reply = { ...none, topicId, replyTo: null, quotes: [], body: 'Here', ...more };
  return writePost(deps, contextOf(by), { accountId: by, isModerator: false }, reply, reporters);
};

it('posts that are written at once get numbers without gaps, and a repeated one is one post', async () => {
  const [anna, boris] = [await person(), await person()];
  const topicId = await start(anna);
  const other = testDeps(stores);
  const posts = await Promise.all(
    Array.from({ length: 12 }, (_, n) => {
      const more = { clientPostId: `post ${n % 6}` };
      return write(boris, topicId, more, unreported, n < 6 ? node : other);
    }),
  );
  const seqs = posts.flatMap((post) => (post ? [post.seq] : [])).toSorted((a, b) => a - b);
  expect(seqs).toEqual([2, 3, 4, 5, 6, 7]);
});

it('of two requests at once that write one post with different pictures, those of the other are free', async () => {
  const anna = await person();
  const topicId = await start(anna);
  const [first, second] = [await uploaded(node, anna, 'forums'), await uploaded(node, anna, 'forums')];
  const of = (pictureId: string) => ({ clientPostId: 'mine', pictureIds: [pictureId] });
  /** Its picture is attached, then the other request is faster. */
  const slow = interruptedBefore(node, 'WritePost', () =>
    write(anna, topicId, of(first), unreported, testDeps(stores)),
  );
  expect(await write(anna, topicId, of(second), unreported, slow)).toBeNull();
  expect([await usageOfFile(node, first), await usageOfFile(node, second)]).toEqual([
    expect.objectContaining({ kind: 'forum_post', within: topicId }),
    null,
  ]);
});

it('a post keeps its pictures also when another request for it gives way to others each time', async () => {
  const anna = await person();
  const topicId = await start(anna);
  const [shared, other] = [await uploaded(node, anna, 'forums'), await uploaded(node, anna, 'forums')];
  const of = (...pictureIds: string[]) => ({ clientPostId: 'mine', pictureIds });
  const contended = interruptedBefore(node, 'WritePost', async () => {
    await write(anna, topicId, of(shared), unreported, testDeps(stores));
    throw new Contended();
  });
  await expect(write(anna, topicId, of(shared, other), unreported, contended)).rejects.toThrow(Contended);
  expect(await usageOfFile(node, shared)).toMatchObject({ kind: 'forum_post', within: topicId });
  expect(await usageOfFile(node, other)).toBeNull();
});

it('people may write less the more others have reported them', async () => {
  const limited = changed(node, { settings: { forumPostsPerHour: 4, forumTopicsPerDay: 1, rateLimits: 1 } });
  const LIMITED = { code: 'too_many_attempts', facts: { retry_after_s: expect.any(Number) } };
  const [anna, boris] = [await person(), await person()];
  const topicId = await start(anna, limited);
  await expect(start(anna, limited)).rejects.toMatchObject(LIMITED);
  for (let n = 0; n < 3; n += 1) await write(anna, topicId, {}, unreported, limited);
  await expect(write(anna, topicId, {}, unreported, limited)).rejects.toMatchObject(LIMITED);
  const reported = async () => 1;
  for (let n = 0; n < 2; n += 1) await write(boris, topicId, {}, reported, limited);
  await expect(write(boris, topicId, {}, reported, limited)).rejects.toMatchObject(LIMITED);
});

it('counts the people who have reported somebody, without the reports that were dismissed', async () => {
  const [anna, boris, vera] = [await person(), await person(), await person()];
  const topicId = await start(anna);
  const posts = [await write(anna, topicId), await write(anna, topicId)];
  const db = readDb(stores.pool);
  const report = async (by: string, id = '') => {
    const subject = { kind: REPORTED, id, within: topicId } as const;
    return (await reportContent(node, contextOf(by), by, { subject, authorId: anna, text: 'Rude', reason: 'Rude' }))
      .reportId;
  };
  const counted = (wanted: number) =>
    until(async () => (await reportersOf(db, anna, new Date().toISOString())) === wanted);
  for (const post of posts) await report(boris, post?.postId);
  const dismissed = await report(vera, posts[0]?.postId);
  await counted(2);
  const admin = contextOf(randomUUID(), 'admin');
  await resolveReport(node, admin, dismissed, { action: 'dismissed', remove: async () => undefined, others: [] });
  await counted(1);
  expect(await reportersOf(db, anna, instantOf(Date.now() + 31 * DAY_MS))).toBe(0);
});

it('an admin whose proof is old sees of removed and deleted posts and topics what guests see', async () => {
  const anna = await person();
  const app = { db: readDb(stores.pool) } as unknown as App;
  const [topicId, removedTopic, deletedTopic] = [await start(anna), await start(anna), await start(anna)];
  const removed = (await write(anna, topicId, { body: 'Rude' }))?.postId ?? '';
  const known = (id: string, topicId: string) => ({
    ...{ id, of: { topicId, authorId: anna }, writtenAt: instantOf(Date.now()) },
    ...{ body: 'Rude', mentions: [], files: [] },
  });
  const admin = contextOf(randomUUID(), 'admin');
  await removePost(node, admin, known(removed, topicId), 'Rude');
  await removeTopic(node, admin, removedTopic, 'Rude');
  const first = async (id: string) => (await pageOfPosts(app.db, id, { after: 0 }, 1)).rows[0]?.id;
  const begun = await until(() => first(deletedTopic));
  await deleteTopic(node, contextOf(anna), known(begun, deletedTopic), { by: anna, isReported: true });
  const asked = [
    `posts/:id ${removed}`,
    `topics/:id/posts ${topicId}`,
    ...[removedTopic, deletedTopic].flatMap((id) => [`topics/:id ${id}`, `topics/:id/posts ${id}`]),
    `posts/:id ${begun}`,
  ];
  /** What each read shows somebody, as text. */
  const shownTo = (caller: object | null) =>
    Promise.all(
      asked.map(async (one) => {
        const [path, id] = one.split(' ');
        const found = [...postRoutes, ...topicRoutes].find(({ key }) => key === `GET /api/v1/forums/${path}`);
        const read = async () => found?.handle({ params: { id }, query: {}, caller }, app);
        return read().then(jsonOf, (error: Rejected) => error.code);
      }),
    );
  const byAdmin = (provedAt: number) => ({ kind: 'user', id: randomUUID(), role: 'admin', provedAt });
  const proven = byAdmin(Date.now() + HOUR_MS);
  await until(async () => !(await shownTo(proven)).includes('not_found'));
  await until(async () => {
    const all = await shownTo(proven);
    const posts = all.filter((text) => text.includes('removed_body')).length;
    // The topics follow the posts.
    return posts === 2 && /"removed".*"deleted"/s.test(all.slice(2, 6).join());
  });
  const guest = await until(async () => {
    const all = await shownTo({ kind: 'user', id: randomUUID(), role: 'tourist', provedAt: 0 });
    return all.filter((text) => text === 'not_found').length === 5 && all;
  });
  expect(await shownTo(byAdmin(0))).toEqual(guest);
});

interface Version {
  readonly body: string;
}

/** A post that its author deletes while a report of it is open. Returns its id. */
const reportedAndDeleted = async (by: string, topicId: string, body: string): Promise<string> => {
  const post = await write(by, topicId, { body });
  const id = post?.postId ?? '';
  const of = { topicId, authorId: by };
  const known = { id, of, writtenAt: instantOf(Date.now()), body, mentions: [], files: [] };
  await deletePost(node, contextOf(by), known, { by, isReported: true });
  return id;
};
const textsForAdmins = async (id: string): Promise<string[]> => {
  const db = readDb(stores.pool);
  const row = await postById(db, id);
  return row ? (await historyOf(db, row, 'admin', instantOf(Date.now()))).versions.map(({ body }) => body) : [];
};

it('of an erased author no text and no name is left, and what others wrote stays', async () => {
  const [anna, boris] = [await person(), await person()];
  const topicId = await start(anna);
  const MARK = 'zinaida was here';
  await write(anna, topicId, { body: MARK });
  const kept = await reportedAndDeleted(anna, topicId, MARK);
  await until(async () => (await textsForAdmins(kept)).includes(MARK));
  await write(boris, topicId, { body: 'Nice' });
  const shown = async () => {
    const { rows } = await stores.pool.query<{ author_id: string; body: string | null }>(
      'select author_id, body from read.forum_posts where topic_id = $1 order by seq',
      [topicId],
    );
    return rows;
  };
  await until(async () => (await shown()).some(({ body }) => body === MARK));
  const folder = path.join(tmpdir(), `resort-tombstones-${randomUUID()}`);
  const plan = {
    modules: moduleErasures,
    tables: allMigrations,
    tombstones: createTombstones(folder),
  };
  await erasePerson<CommandDeps>(node, plan, anna);
  await rm(folder, { recursive: true });
  await until(async () =>
    (await shown()).every(({ author_id, body }) => author_id !== anna || [ERASED, null].includes(body)),
  );
  await until(async () => (await textsForAdmins(kept)).length === 0);
  // Each table is erased by itself.
  await until(async () => {
    const edits = await stores.pool.query('select former from read.forum_post_edits where id = $1', [kept]);
    return isDeepStrictEqual(
      edits.rows.map(({ former }) => former.map(({ body }: Version) => body)),
      [[ERASED]],
    );
  });
  await until(async () => (await shortNamesOf(readDb(stores.pool), forumAuthors, [anna]))(anna) === null);
  await until(async () => {
    const topic = await stores.pool.query('select title from read.forum_topics where id = $1', [topicId]);
    return isDeepStrictEqual(topic.rows, [{ title: ERASED }]);
  });
  expect((await shown()).find(({ author_id }) => author_id === boris)).toMatchObject({ body: 'Nice' });
});
