/** A promotion is told to those who consent to marketing, once each, however many they are. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { answerConsent } from '../../commands/consents/consents.ts';
import { changePost, createPost, deletePost } from '../../commands/content/posts.ts';
import { contextOf } from '../kit/context.ts';
import { freshStores } from '../kit/stores.ts';
import { createNotificationStage } from '../notifications/stage.ts';
import { EN, postContent, RU } from './postFixtures.ts';

const stores = await freshStores();
const { node, by, now, open, listOf, pushesTo, work } = createNotificationStage(stores);

const asAdmin = () => contextOf(randomUUID(), 'admin', now());
const answer = (person: string, granted: boolean) =>
  answerConsent(node, by(person), person, { purpose: 'marketing', policyVersion: '1', granted, userAgent: null });
const publish = (kind: 'promotion' | 'news', texts = postContent.texts) =>
  createPost(node, asAdmin(), kind, { ...postContent, images: [], texts, publishAt: now(), expiresAt: null });
const offersTo = async (person: string) =>
  (await listOf(person)).filter(({ type }) => type === 'promotion_published').map(({ body }) => body);

/** People of other accounts, whose ids come first. */
const crowd = (people: number) =>
  stores.pool.query(
    `insert into ops.consenting_people (person_id, purpose, policy_version, revision)
     select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'marketing', '1', 0 from generate_series(1, $1::int) as n`,
    [people],
  );

it('tells who consents, in their language, once a promotion, and beyond the first batch', async () => {
  const [anna, boris, vera] = [await open('Anna'), await open('Boris', 'ru'), await open('Vera')];
  await answer(anna, true);
  await answer(boris, true);
  await answer(vera, true);
  await answer(vera, false);
  await work();
  await crowd(450);
  const { postId } = await publish('promotion');
  for (let batch = 0; batch < 4; batch += 1) await work(1);
  expect([await offersTo(anna), await offersTo(boris), await offersTo(vera)]).toEqual([[EN.title], [RU.title], []]);
  expect(await pushesTo(anna)).toMatchObject([
    { title: 'New offer', kind: 'marketing', link: `/promotions/${postId}` },
  ]);

  await changePost(node, asAdmin(), postId, { publishAt: null });
  await work(1);
  await answer(vera, true);
  await answer(boris, false);
  await changePost(node, asAdmin(), postId, { publishAt: now() });
  for (let batch = 0; batch < 4; batch += 1) await work(1);
  expect(
    [await offersTo(anna), await offersTo(boris), await offersTo(vera)],
    'whoever was told is not told again',
  ).toEqual([[EN.title], [RU.title], [EN.title]]);
});

it('tells nothing of news, nor of a promotion that is gone by then', async () => {
  const person = await open('Anna');
  await answer(person, true);
  await work();
  await publish('news');
  const { postId } = await publish('promotion');
  await deletePost(node, asAdmin(), postId);
  for (let batch = 0; batch < 4; batch += 1) await work(1);
  expect(await offersTo(person)).toEqual([]);
});
