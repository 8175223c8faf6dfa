/** Stories on the real stores: nobody sees one after its day, it ends with its retention, and goes with its author. */

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { erasePerson } from '../../commands/core/erasure.ts';
import { startWorker, type Worker } from '../../commands/core/worker.ts';
import { createDiskStore } from '../../commands/files/diskStore.ts';
import { FileMissing, type FileStore, keysOf } from '../../commands/files/fileStore.ts';
import { filesOf } from '../../commands/files/unused.ts';
import { uploadFile } from '../../commands/files/uploads.ts';
import { type CommandDeps, jobs, moduleErasures, policies } from '../../commands/modules.ts';
import { storyEnd } from '../../commands/stories/policy.ts';
import { postStory, visibleStory } from '../../commands/stories/stories.ts';
import { recordView } from '../../commands/stories/views.ts';
import { DAY_MS, instantOf } from '../../domain/core/instants.ts';
import { SHOWN_MS } from '../../domain/stories/story.ts';
import { createTombstones } from '../../infra/tombstones.ts';
import { allMigrations } from '../../ops/tables.ts';
import { readModels as accounts } from '../../projections/accounts/index.ts';
import { groupOf } from '../../projections/engine/groups.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import { readModels as friends } from '../../projections/friends/index.ts';
import { readModels } from '../../projections/stories/index.ts';
import { ownStories, storiesOf, storyAuthors } from '../../projections/stories/queries.ts';
import { newPhone } from '../accounts/sms.ts';
import { photo } from '../files/samples.ts';
import { contextOf } from '../kit/context.ts';
import { type Node, testDeps } from '../kit/deps.ts';
import { type Projector, startProjector } from '../kit/projector.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

let stores: Stores;
let folder: string;
let fileStore: FileStore;
let node: Node;
let worker: Worker;
let projector: Projector;
beforeAll(async () => {
  stores = await freshStores();
  folder = await mkdtemp(path.join(tmpdir(), 'resort-stories-'));
  fileStore = createDiskStore(path.join(folder, 'files'));
  node = testDeps(stores, { fileStore, settings: { incomingDir: path.join(folder, 'incoming') } });
  worker = startWorker<CommandDeps>(
    node,
    policies.filter(({ name }) => ['stories', 'files'].includes(name)),
    jobs.filter(({ kind }) => kind === 'story_end'),
  );
  projector = await startProjector({
    ...node,
    groups: [groupOf('accounts', [...accounts, ...friends, ...readModels])],
  });
});
afterAll(async () => {
  await Promise.all([projector.stop(), worker.stop()]);
  await rm(folder, { recursive: true, force: true });
});

let author = '';
let viewer = '';
beforeEach(async () => {
  const person = async () => {
    const opening = { role: 'tourist', phone: newPhone(), firstName: 'Anna', lastName: 'Orlova' } as const;
    return (await openAccount(node, contextOf(randomUUID()), opening)).accountId;
  };
  [author, viewer] = [await person(), await person()];
});

interface Posted {
  readonly id: string;
  readonly fileId: string;
  /** When it was posted, in milliseconds. */
  readonly at: number;
}

/** Posts a picture, which the viewer sees, and waits until the lists and the job know of it. */
const post = async (): Promise<Posted> => {
  const at = Date.now();
  const upload = { ownerId: author, sells: false, folder: 'stories', announced: undefined } as const;
  const { id: mediaId } = await uploadFile(node, contextOf(author), upload, async (to) =>
    writeFile(to, await photo(40, 30)),
  );
  const context = contextOf(author, 'tourist', instantOf(at));
  const { storyId: id } = await postStory(node, context, { mediaId, text: 'Fresh snow' });
  await recordView(stores.pool, { storyId: id, personId: viewer }, context.at);
  await until(async () => (await isKept(id)) && (await dueAt(id)));
  return { id, fileId: mediaId, at };
};
const after = (at: number, ms: number): string => instantOf(at + ms);
const db = () => readDb(stores.pool);
const isKept = async (id: string) =>
  (await ownStories(db(), author, { page: 1, perPage: 10 })).rows.some((row) => row.id === id);
const views = async (id: string) =>
  (await stores.pool.query('select 1 from ops.story_views where story_id = $1', [id])).rowCount;
const dueAt = async (id: string): Promise<string | undefined> =>
  (await stores.pool.query(`select due_at from ops.jobs where kind = 'story_end' and id = $1`, [id])).rows[0]?.due_at;
const hasFile = async (id: string): Promise<boolean> => {
  try {
    for (const key of Object.values(keysOf(id))) (await fileStore.get(key)).destroy();
    return true;
  } catch (error) {
    if (error instanceof FileMissing) return false;
    throw error;
  }
};
/** The stories that somebody is shown at an instant. */
const seenBy = async (id: string, at: string): Promise<readonly string[]> => {
  const looking = { id, role: 'tourist', at };
  const authors = await storyAuthors(db(), looking, { page: 1, perPage: 10 });
  return (await storiesOf(db(), looking, authors.rows)).map((story) => story.id);
};
const isGone = (story: Posted) =>
  until(async () => !(await isKept(story.id)) && (await views(story.id)) === 0 && !(await hasFile(story.fileId)));

it('nobody but its author sees it after a day, to the second', async () => {
  const { id, at } = await post();
  const look = (ms: number) => visibleStory(node, { id: viewer, role: 'tourist' }, id, after(at, ms));
  expect(await seenBy(viewer, after(at, SHOWN_MS - 1))).toContain(id);
  await expect(look(SHOWN_MS - 1)).resolves.toMatchObject({ authorId: author });
  for (const somebody of [viewer, author]) expect(await seenBy(somebody, after(at, SHOWN_MS))).not.toContain(id);
  await expect(look(SHOWN_MS)).rejects.toMatchObject({ code: 'not_found' });
  expect(await isKept(id)).toBe(true);
});

it('ends with its file, its views and its row when its retention is over', async () => {
  const story = await post();
  const keptMs = node.settings.storyRetentionDays * DAY_MS;
  expect(Date.parse((await dueAt(story.id)) ?? '')).toBe(story.at + SHOWN_MS + keptMs);
  expect(await hasFile(story.fileId)).toBe(true);
  await storyEnd.runNow(stores.pool, story.id);
  await isGone(story);
});

it('goes with its author, and so do the views of a person', async () => {
  const story = await post();
  const tombstones = createTombstones(path.join(folder, 'tombstones'));
  const plan = { modules: moduleErasures, tables: allMigrations, tombstones };
  await erasePerson<CommandDeps>(node, plan, viewer);
  expect(await views(story.id)).toBe(0);
  expect(await isKept(story.id)).toBe(true);
  await recordView(stores.pool, { storyId: story.id, personId: randomUUID() }, after(story.at, 0));
  await erasePerson<CommandDeps>(node, plan, author);
  await isGone(story);
  // What is known of a file goes after its bytes.
  await until(async () => (await filesOf(stores.pool, author)).length === 0);
  const { rows } = await stores.pool.query(`select 1 from read.stories where author_id = $1`, [author]);
  expect(rows).toEqual([]);
});
