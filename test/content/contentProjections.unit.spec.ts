/** What posts and attendances look like when they are read, who is told, and the calendar that calendar apps read. */
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { calendarOf } from '../../api/content/calendar.ts';
import type { PostEvent } from '../../domain/content/post.ts';
import { attendances } from '../../projections/content/attendances.ts';
import { type PostRow, posts } from '../../projections/content/posts.ts';
import { withDerived } from '../../projections/engine/tables.ts';
import { at, GUEST, id } from '../bookings/bookingFixtures.ts';
import { happened, projection, toldOn } from '../kit/projected.ts';
import { happening, postContent, RU } from './postFixtures.ts';

const rowsAfter = projection(posts);
const peopleAfter = projection(attendances);
const POST = id(7);
const content = { ...postContent, happening };
const on = (event: PostEvent, minutes: number) => happened('post', POST, event, at(minutes));
const created = on({ type: 'PostCreated', data: { kind: 'event', content } }, -5);
const published = on({ type: 'PostPublished', data: {} }, 0);
const changed = on({ type: 'PostChanged', data: { content: { ...content, texts: { ru: RU, en: null } } } }, 1);

describe('a post', () => {
  it('has its texts, its times, and all its words for the search', () => {
    const [row] = rowsAfter([created]) as PostRow[];
    expect(row).toMatchObject({
      ...{
        id: POST,
        kind: 'event',
        sequence: 0,
        is_published: false,
        publish_at: at(0),
        starts_at: happening.startsAt,
      },
      ...{ created_at: at(-5), updated_at: at(-5) },
    });
    const words = withDerived(posts, row as never).folded_words;
    expect(words).toContain('night skiing');
    expect(words).toContain('южный склон');
  });
  it('is told of on the channel while it is published', () => {
    const states = [[created], [created, published], [created, published, changed]].map(
      (events) => rowsAfter(events)[0],
    );
    expect(states.map((row) => row && toldOn(posts, row))).toEqual([[], ['content'], ['content']]);
    const unpublished = on({ type: 'PostUnpublished', data: {} }, 60);
    const [after] = rowsAfter([created, published, changed, unpublished]);
    expect(after && toldOn(posts, after)).toEqual([]);
    expect(after).toMatchObject({ sequence: 1, texts: { en: null } });
  });
  it('is gone once it was deleted', () =>
    expect(rowsAfter([created, on({ type: 'PostDeleted', data: {} }, 2)])).toEqual([]));
});

it('an attendance is there until it is withdrawn', () => {
  const data = { postId: POST, userId: GUEST };
  const announced = happened('attendance', id(8), { type: 'AttendanceAnnounced' as const, data }, at(1));
  expect(peopleAfter([announced])).toEqual([{ post_id: POST, user_id: GUEST, at: at(1) }]);
  const withdrawn = happened('attendance', id(8), { type: 'AttendanceWithdrawn' as const, data }, at(2));
  expect(peopleAfter([announced, withdrawn])).toEqual([]);
});

describe('the calendar', () => {
  const rows = rowsAfter as (events: Parameters<typeof rowsAfter>[0]) => PostRow[];
  const written = (title: string, body: string) =>
    calendarOf(
      rows([
        on(
          {
            type: 'PostCreated',
            data: { kind: 'event', content: { ...content, texts: { ru: null, en: { title, summary: '', body } } } },
          },
          -5,
        ),
      ]),
      'en',
      'resort.test',
    );
  const read = (text: string) => {
    const [event] = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
    return new ICAL.Event(event);
  };

  it('has the place, the times and an id that stays', () => {
    const event = read(written('Night skiing', 'Bring a lamp.'));
    expect(event).toMatchObject({ uid: `${POST}@resort.test`, summary: 'Night skiing', description: 'Bring a lamp.' });
    expect(event.location).toContain('Южный склон');
    expect(event.startDate.toJSDate().toISOString()).toBe(happening.startsAt);
    expect(event.endDate.toJSDate().toISOString()).toBe(happening.endsAt);
  });
  it('survives what RFC 5545 escapes, and long lines in any script', () => {
    const title = `Commas, semicolons; back\\slashes "quotes" BEGIN:VEVENT`;
    const body = `${'Катание до полуночи, музыка; чай. '.repeat(20)}\nEND:VEVENT\nсо звёздами 🎿`;
    const text = written(title, body);
    expect(read(text)).toMatchObject({ summary: title, description: body });
    const longest = Math.max(...text.split('\r\n').map((line) => Buffer.byteLength(line)));
    expect(longest).toBeLessThanOrEqual(75);
  });
  it('counts changes, so that calendars take the newest', () => {
    const text = calendarOf(rows([created, published, changed]), 'ru', 'resort.test');
    expect(read(text)).toMatchObject({ sequence: 1, summary: RU.title });
  });
});
