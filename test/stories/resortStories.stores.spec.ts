/** The file of a story of the resort, while admins change the story at the same time. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { storyPolicy } from '../../commands/stories/policy.ts';
import { changeResortStory, createResortStory, deleteResortStory } from '../../commands/stories/resortStories.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { file } from '../../domain/files/file.ts';
import { interruptedBefore } from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { type Node, testDeps } from '../kit/deps.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { uploaded, usageOfFile } from '../kit/uploads.ts';

let stores: Stores;
let node: Node;
beforeAll(async () => {
  stores = await freshStores();
  node = testDeps(stores);
});

const times = { publishAt: '2027-01-01T00:00:00Z', expiresAt: '2027-02-01T00:00:00Z' };
const content = { title: 'Snow', text: '', link: null, roles: [], ...times };

/** A story by an admin who has uploaded the files `first` and `second`; it shows `first`. */
const started = async () => {
  const admin = randomUUID();
  const by = () => contextOf(admin, 'admin');
  const [first, second] = [await uploaded(node, admin, 'stories'), await uploaded(node, admin, 'stories')];
  const { id } = await createResortStory(node, by(), { ...content, mediaId: first });
  return {
    first,
    second,
    show: (mediaId: string, more: object = {}, on = node) =>
      changeResortStory(on, by(), id, { ...content, mediaId, ...more }),
    remove: () => deleteResortStory(node, by(), id),
    /** Has the policy handle everything that has happened to the story. */
    handleAll: async () => {
      const events = await node.codec.decodeWithoutAddress<Recorded>(await stores.store.read(`resortStory-${id}`));
      const context = contextOf('policy', 'system');
      for (const event of events) await storyPolicy.handlers.get(event.type)?.(event as never, { deps: node, context });
    },
  };
};
const statusOf = async (id: string) => (await node.aggregates.load(file, id)).state.status;

it('stays when it was dropped and is shown again, however late its removal is handled', async () => {
  const { first, second, show, remove, handleAll } = await started();
  await show(second);
  await show(first);
  await handleAll();
  expect([await statusOf(first), await statusOf(second)]).toEqual(['stored', 'removed']);
  await remove();
  await handleAll();
  expect(await statusOf(first)).toBe('removed');
});

it('stays when another change to it, made at the same time, is refused', async () => {
  const { second, show } = await started();
  const slow = interruptedBefore(node, 'ChangeResortStory', () => show(second));
  const wrong = { expiresAt: times.publishAt };
  await expect(show(second, wrong, slow)).rejects.toMatchObject({ code: 'invalid' });
  expect(await usageOfFile(node, second)).toMatchObject({ kind: 'resort_story' });
});
