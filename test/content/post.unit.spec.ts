/** Posts: drafted, scheduled, published and expired; and who comes to an event. */
import { describe, expect, it } from 'vitest';
import { acceptedLanguage } from '../../api/content/language.ts';
import { attendance } from '../../domain/content/attendance.ts';
import {
  nextChangeOf,
  type PostCommand,
  type PostContent,
  type PostEvent,
  type PostKind,
  post,
  postStateAt,
  textIn,
} from '../../domain/content/post.ts';
import { at, GUEST, id } from '../bookings/bookingFixtures.ts';
import { specification } from '../kit/given.ts';
import { EN, happening, postContent, RU } from './postFixtures.ts';

const given = specification(post);
const content = (more: Partial<PostContent> = {}): PostContent => ({ ...postContent, ...more });
const created = (more: Partial<PostContent> = {}, kind: PostKind = 'news'): PostEvent => ({
  type: 'PostCreated',
  data: { kind, content: content(more) },
});
const create = (minutes: number, more: Partial<PostContent> = {}, kind: PostKind = 'news'): PostCommand => ({
  ...{ type: 'CreatePost', kind, content: content(more), at: at(minutes) },
});
const changed = (more: Partial<PostContent>): PostEvent => ({ type: 'PostChanged', data: { content: content(more) } });
const change = (minutes: number, more: Partial<PostContent>): PostCommand => ({
  ...{ type: 'ChangePost', content: more, at: at(minutes) },
});
const refresh = (minutes: number): PostCommand => ({ type: 'RefreshPost', at: at(minutes) });
const published: PostEvent = { type: 'PostPublished', data: {} };
const unpublished: PostEvent = { type: 'PostUnpublished', data: {} };

it.each([
  [{ publishAt: null }, 30, 'draft', null],
  [{}, -1, 'scheduled', at(0)],
  [{}, 0, 'published', at(60)],
  [{}, 59, 'published', at(60)],
  [{}, 60, 'expired', null],
  [{ expiresAt: null }, 9_999, 'published', null],
])('with %j at minute %i is %s', (more, minutes, state, next) => {
  expect(postStateAt(content(more), at(minutes))).toBe(state);
  expect(nextChangeOf(content(more), at(minutes))).toBe(next);
});

describe('a post', () => {
  it('tells listeners when it is published and when it expires, once', () => {
    given([]).when(create(5)).thenOnce([created(), published]);
    given([]).when(create(-5)).thenOnce([created()]);
    given([created()]).when(refresh(-1)).then([]);
    given([created()]).when(refresh(0)).thenOnce([published]);
    given([created(), published]).when(refresh(60)).thenOnce([unpublished]);
    // The job was late for both.
    given([created()]).when(refresh(61)).then([]);
  });
  it('is changed, taken back to the drafts, and deleted', () => {
    given([created(), published])
      .when(change(5, { link: 'https://resort.test' }))
      .thenOnce([changed({ link: 'https://resort.test' })]);
    given([created(), published])
      .when(change(5, { publishAt: null }))
      .thenOnce([changed({ publishAt: null }), unpublished]);
    given([created({ publishAt: null })])
      .when(change(5, { publishAt: at(5) }))
      .thenOnce([changed({ publishAt: at(5) }), published]);
    given([created()])
      .when({ type: 'DeletePost' })
      .thenOnce([{ type: 'PostDeleted', data: {} }]);
    const deleted = [created(), { type: 'PostDeleted', data: {} } as const];
    given(deleted)
      .when(change(5, { link: null }))
      .then('not_found');
    given(deleted).when(refresh(5)).then([]);
  });
  it.each<[string, Partial<PostContent>, PostKind]>([
    ['no text', { texts: { ru: null, en: null } }, 'news'],
    ['an event without a place', {}, 'event'],
    ['news with a place', { happening }, 'news'],
    ['news with a promo code', { promoCode: 'SNOW' }, 'news'],
    ['an event that ends before it starts', { happening: { ...happening, endsAt: at(600) } }, 'event'],
    ['an unknown time zone', { happening: { ...happening, timezone: 'Mars/Olympus' } }, 'event'],
    ['an expiry before the publication', { expiresAt: at(0) }, 'news'],
  ])('is refused with %s', (_, more, kind) =>
    given([])
      .when(create(5, more, kind))
      .then('invalid'),
  );
});

it('a text comes in the language that was asked for, or in the other', () => {
  expect(textIn({ ru: RU, en: EN }, 'en')).toEqual({ lang: 'en', ...EN });
  expect(textIn({ ru: RU, en: EN }, 'ru')).toEqual({ lang: 'ru', ...RU });
  expect(textIn({ ru: RU, en: null }, 'en')).toEqual({ lang: 'ru', ...RU });
  expect(textIn({ ru: null, en: EN }, 'ru')).toEqual({ lang: 'en', ...EN });
});

it.each([
  ['', 'ru'],
  ['de', 'ru'],
  ['en-GB,en;q=0.9', 'en'],
  ['de, en;q=0.5, ru;q=0.7', 'ru'],
  ['ru;q=0, en;q=0.1', 'en'],
  ['*', 'ru'],
])('Accept-Language %j leads to %s', (header, language) => expect(acceptedLanguage(header)).toBe(language));

it('a person announces that they come, and takes it back', () => {
  const of = { postId: id(7), userId: GUEST };
  const announced = { type: 'AttendanceAnnounced', data: of } as const;
  const withdrawn = { type: 'AttendanceWithdrawn', data: of } as const;
  const about = specification(attendance);
  about([])
    .when({ type: 'AnnounceAttendance', ...of })
    .thenOnce([announced]);
  about([announced])
    .when({ type: 'WithdrawAttendance', ...of })
    .thenOnce([withdrawn]);
  about([announced, withdrawn])
    .when({ type: 'WithdrawAttendance', ...of })
    .then([]);
});
