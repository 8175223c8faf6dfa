/** Writing posts: their pictures, promo codes and repeated requests, and who may come to an event. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { announceAttendance, withdrawAttendance } from '../../commands/content/attendance.ts';
import { changePost, createPost, deletePost, type PostInput, postUse } from '../../commands/content/posts.ts';
import type { CommandDeps } from '../../commands/modules.ts';
import { createPromoCode } from '../../commands/promotions/promoCodes.ts';
import { attendance } from '../../domain/content/attendance.ts';
import { file } from '../../domain/files/file.ts';
import { derivedId } from '../../infra/ids.ts';
import type { Pool } from '../../infra/postgres.ts';
import { signLinksWith } from '../../infra/signedLinks.ts';
import { at } from '../bookings/bookingFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { type MemoryAggregates, memoryAggregates } from '../kit/memoryAggregates.ts';
import { promoTerms } from '../promotions/promoFixtures.ts';
import { happening, postContent } from './postFixtures.ts';

signLinksWith({ key: 'a key of specs', publicUrl: 'https://api.test' });

const admin = randomUUID();
let aggregates: MemoryAggregates;
beforeEach(() => {
  aggregates = memoryAggregates();
});
/** Nothing is asked of the database but to plan the checks of files. */
const deps = () => ({ aggregates, pool: { query: async () => ({ rows: [] }) } as unknown as Pool });

const asAdmin = (minutes = 5) => contextOf(admin, 'admin', at(minutes));
const input = (more: Partial<PostInput> = {}): PostInput => ({ ...postContent, ...more });
const uploaded = (): string => {
  const id = randomUUID();
  const facts = { mime: 'image/jpeg', size: 1, width: 1, height: 1, durationS: null, thumbnailSize: 1, sha256: '' };
  aggregates.given(`file-${id}`, [
    { type: 'FileUploaded', data: { ownerId: admin, folder: 'listings', ...facts } as object },
  ]);
  return id;
};
const statusOf = (id: string) => aggregates.stateOf(file, id).status;

it('pictures belong to the post, and are deleted when it does not show them any more', async () => {
  const [one, other] = [uploaded(), uploaded()];
  const images = [one, other].map((fileId, n) => ({ fileId, isMain: n === 0 }));
  const { postId, content } = await createPost(deps(), asAdmin(), 'news', input({ images }));
  expect(content.images[0]).toEqual({ url: `https://api.test/api/v1/files/${one}`, isMain: true });
  expect(aggregates.stateOf(file, one)).toMatchObject({ usage: { kind: 'post', id: postId } });
  const isUsed = (fileId: string) =>
    postUse(deps() as unknown as CommandDeps, { kind: 'post', id: postId, fileId, attachedAt: at(5) });
  expect(await isUsed(one)).toBe(true);
  await changePost(deps(), asAdmin(), postId, { images: images.slice(0, 1) });
  expect([statusOf(one), statusOf(other)]).toEqual(['stored', 'removed']);
  expect([await isUsed(one), await isUsed(other)]).toEqual([true, false]);
  await deletePost(deps(), asAdmin(), postId);
  expect(await isUsed(one)).toBe(false);
  expect(statusOf(one)).toBe('removed');
  await expect(deletePost(deps(), asAdmin(), postId)).rejects.toMatchObject({ code: 'not_found' });
});

it('a repeated request finds the post that it has made', async () => {
  const context = asAdmin();
  const [first, again] = [
    await createPost(deps(), context, 'news', input()),
    await createPost(deps(), context, 'news', input()),
  ];
  expect(again).toEqual(first);
});

it('a promotion names a promo code that exists', async () => {
  const promotion = input({ promoCode: 'SNOW' });
  await expect(createPost(deps(), asAdmin(), 'promotion', promotion)).rejects.toMatchObject({
    code: 'invalid',
  });
  await createPromoCode(deps(), asAdmin(), 'snow', promoTerms);
  expect((await createPost(deps(), asAdmin(), 'promotion', promotion)).content.promoCode).toBe('SNOW');
});

it('people come to an event while everybody sees it and until it is over', async () => {
  const person = randomUUID();
  const come = (postId: string, minutes: number) =>
    announceAttendance(deps(), contextOf(person, 'tourist', at(minutes)), postId);
  const { postId } = await createPost(deps(), asAdmin(), 'event', input({ happening, expiresAt: null }));
  await expect(come(postId, -1)).rejects.toMatchObject({ code: 'not_found' });
  await come(postId, 5);
  const isComing = () => aggregates.stateOf(attendance, derivedId('attendance', postId, person)).isComing;
  expect(isComing()).toBe(true);
  await expect(come(postId, 720)).rejects.toMatchObject({ code: 'invalid_transition' });
  await deletePost(deps(), asAdmin(), postId);
  await withdrawAttendance(deps(), contextOf(person, 'tourist', at(6)), postId);
  expect(isComing()).toBe(false);
  const news = await createPost(deps(), asAdmin(), 'news', input());
  await expect(come(news.postId, 5)).rejects.toMatchObject({ code: 'not_found' });
});
