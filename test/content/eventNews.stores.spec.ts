/** Whoever said that they come to an event hears that it is moved or cancelled. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { announceAttendance, withdrawAttendance } from '../../commands/content/attendance.ts';
import { guestsOf } from '../../commands/content/guests.ts';
import { changePost, createPost, deletePost } from '../../commands/content/posts.ts';
import { instantOf } from '../../domain/core/instants.ts';
import { NIL_ID } from '../../infra/ids.ts';
import { contextOf } from '../kit/context.ts';
import { freshStores } from '../kit/stores.ts';
import { createNotificationStage } from '../notifications/stage.ts';
import { EN, postContent, RU } from './postFixtures.ts';

const stores = await freshStores();
const { node, by, now, open, listOf, work } = createNotificationStage(stores);

const DAY_MS = 86_400_000;
const inDays = (days: number) => instantOf(Date.parse(now()) + days * DAY_MS);
const asAdmin = () => contextOf(randomUUID(), 'admin', now());
const happening = (days: number, place = 'Lower station') => ({
  place,
  location: null,
  startsAt: inDays(days),
  endsAt: inDays(days + 0.1),
  timezone: 'Europe/Moscow',
});
const announce = (days: number) =>
  createPost(node, asAdmin(), 'event', {
    ...postContent,
    images: [],
    promoCode: null,
    happening: happening(days),
    publishAt: now(),
    expiresAt: null,
  });
const newsOf = async (person: string) =>
  (await listOf(person)).filter(({ type }) => type.startsWith('event_')).map(({ type, body }) => [type, body]);
const settle = async () => {
  for (let batch = 0; batch < 4; batch += 1) await work(1);
};
/** Other people who come, whose ids come first. */
const crowd = (postId: string, people: number) =>
  stores.pool.query(
    `insert into ops.event_guests (post_id, person_id, revision, is_coming)
     select $1, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 0, true from generate_series(1, $2::int) as n`,
    [postId, people],
  );

let anna: string;
let boris: string;
let vera: string;
beforeAll(async () => {
  [anna, boris, vera] = [await open('Anna'), await open('Boris', 'ru'), await open('Vera')];
});

it('in their language, beyond the first batch, and not who does not come any more', async () => {
  const { postId } = await announce(3);
  for (const person of [anna, boris, vera]) await announceAttendance(node, by(person), postId);
  await withdrawAttendance(node, by(vera), postId);
  await settle();
  expect(await guestsOf(node, postId, NIL_ID, 10)).toEqual([anna, boris].toSorted());
  await crowd(postId, 450);
  await changePost(node, asAdmin(), postId, { link: 'https://resort.test/night' });
  await settle();
  expect(await newsOf(anna), 'a change of something else').toEqual([]);

  await changePost(node, asAdmin(), postId, { happening: happening(4, 'Upper station') });
  await settle();
  expect(await newsOf(anna)).toEqual([['event_moved', expect.stringMatching(`“${EN.title}”: .+, Upper station.$`)]]);
  expect(await newsOf(boris)).toEqual([['event_moved', expect.stringMatching(`«${RU.title}»: .+, Upper station.$`)]]);
  expect(await newsOf(vera)).toEqual([]);

  await deletePost(node, asAdmin(), postId);
  await settle();
  expect((await newsOf(anna))[0]).toEqual(['event_cancelled', expect.stringContaining('does not take place')]);
  expect((await newsOf(boris))[0]).toEqual(['event_cancelled', expect.stringContaining('не состоится')]);
});

it('also when it is taken back; not when it is over', async () => {
  const [next, over] = [await announce(2), await announce(2)];
  const before = (await newsOf(anna)).length;
  for (const { postId } of [next, over]) await announceAttendance(node, by(anna), postId);
  await settle();
  await changePost(node, asAdmin(), over.postId, { happening: { ...happening(-3), endsAt: inDays(-2) } });
  await settle();
  const moved = (await newsOf(anna)).length;
  await deletePost(node, asAdmin(), over.postId);
  await settle();
  expect((await newsOf(anna)).length, 'it was over before it was deleted').toBe(moved);
  await changePost(node, asAdmin(), next.postId, { publishAt: null });
  await settle();
  expect((await newsOf(anna)).length).toBe(moved + 1);
  expect(moved).toBe(before + 1);
});
