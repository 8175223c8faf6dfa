/** Resort events, their calendars, and who comes. */
import { type Static, Type } from '@sinclair/typebox';
import { announceAttendance, withdrawAttendance } from '../../commands/content/attendance.ts';
import { Happening, type PostLanguage } from '../../domain/content/post.ts';
import { addMs, DAY_MS } from '../../domain/core/instants.ts';
import { Instant } from '../../domain/core/schema.ts';
import { snakeSchema } from '../../infra/naming.ts';
import { attendances, attendeesOf, eventsAttendedBy } from '../../projections/content/attendances.ts';
import { listPosts, type PostRow, posts } from '../../projections/content/posts.ts';
import type { App } from '../http/app.ts';
import { Favorable } from '../http/favorite.ts';
import { ListOf, listOf, pagingOf, pagingQuery } from '../http/paging.ts';
import { ById, NO_CONTENT, route, saveAs, TextOf } from '../http/route.ts';
import { calendarOf } from './calendar.ts';
import { langQuery, languageHeader, languageOf } from './language.ts';
import { cache, Lang, LIVE, publishedPost, searching, shownFields, shownPost } from './publishedPosts.ts';

const attendees = Type.Integer({ description: 'How many people have said that they come.' });
const ResortEvent = Type.Object(
  { ...shownFields, ...snakeSchema(Happening).properties, attendees },
  { $id: 'ResortEvent' },
);

const shownEvents = async (
  { db }: Pick<App, 'db'>,
  rows: readonly PostRow[],
  language: PostLanguage,
): Promise<Static<typeof ResortEvent>[]> => {
  const people = await attendeesOf(
    db,
    rows.map(({ id }) => id),
  );
  return rows.flatMap((row) =>
    row.happening ? [{ ...shownPost(row, language), ...row.happening, attendees: people.get(row.id) ?? 0 }] : [],
  );
};

const ShownEvent = Favorable(ResortEvent, 'event');

const events = route('GET /api/v1/events', {
  id: 'listEvents',
  access: 'public',
  summary: 'List resort events',
  description: `In the order in which they start; without \`from\`, those that are not over. ${LIVE} It does not carry the number of attendees.`,
  query: Type.Object({
    ...searching,
    from: Type.Optional({ ...Instant, description: 'Events that end after this time.' }),
    to: Type.Optional({ ...Instant, description: 'Events that start before this time.' }),
  }),
  headers: languageHeader,
  reply: ListOf(ShownEvent),
  reads: [posts, attendances],
  cache,
  handle: async ({ query, context, request }, app) => {
    const { q, from = context.at, to, lang } = query;
    const [paging, language] = [pagingOf(query), languageOf(lang, request)];
    const filter = { kind: 'event', state: 'published', q, from, to, at: context.at } as const;
    const { rows, total } = await listPosts(app.db, { ...paging, ...filter });
    return listOf({ rows: await shownEvents(app, rows, language), total }, paging);
  },
});

const event = route('GET /api/v1/events/:id', {
  id: 'getEvent',
  access: 'public',
  summary: 'Get a resort event',
  params: ById,
  query: Lang,
  headers: languageHeader,
  reply: ShownEvent,
  reads: [posts, attendances],
  cache,
  errors: ['not_found'],
  handle: async ({ params, query, context, request }, app) => {
    const row = await publishedPost(app, 'event', params.id, context.at);
    const [shown] = await shownEvents(app, [row], languageOf(query.lang, request));
    return shown as Static<typeof ResortEvent>;
  },
});

/** Most events of a feed, and for how long it keeps those that are over. */
const MOST_IN_FEED = 500;
const PAST_IN_FEED_MS = 30 * DAY_MS;

const hostOf = ({ settings }: Pick<App, 'settings'>): string => new URL(settings.publicUrl).hostname;
/** What both calendars have in common. */
const calendar = {
  access: 'public',
  query: Lang,
  headers: languageHeader,
  reply: TextOf('text/calendar'),
  cache,
} as const;

const feed = route('GET /api/v1/events.ics', {
  ...calendar,
  id: 'getEventsCalendar',
  summary: 'Subscribe to the resort events (iCalendar)',
  description: `For calendar apps: the events of the last 30 days and all later ones, at most ${MOST_IN_FEED}.`,
  reads: [posts],
  handle: async ({ query, context: { at }, request }, app) => {
    const from = addMs(at, -PAST_IN_FEED_MS);
    const filter = { kind: 'event', state: 'published', from, at } as const;
    const { rows } = await listPosts(app.db, { ...filter, page: 1, perPage: MOST_IN_FEED });
    saveAs('events.ics', request);
    return calendarOf(rows, languageOf(query.lang, request), hostOf(app));
  },
});

const eventFile = route('GET /api/v1/events/:id/event.ics', {
  ...calendar,
  id: 'getEventCalendar',
  summary: 'Get a resort event for a calendar (iCalendar)',
  params: ById,
  reads: [posts],
  errors: ['not_found'],
  handle: async ({ params, query, context, request }, app) => {
    const row = await publishedPost(app, 'event', params.id, context.at);
    saveAs('event.ics', request);
    return calendarOf([row], languageOf(query.lang, request), hostOf(app));
  },
});

const come = route('PUT /api/v1/events/:id/attendance', {
  id: 'announceAttendance',
  access: 'user',
  summary: 'Say that you come to an event',
  params: ById,
  ...NO_CONTENT,
  errors: ['not_found', 'invalid_transition'],
  projections: [attendances],
  handle: async ({ params, context }, app) => {
    await announceAttendance(app, context, params.id);
    return null;
  },
});

const stayAway = route('DELETE /api/v1/events/:id/attendance', {
  id: 'withdrawAttendance',
  access: 'user',
  summary: 'Take back that you come to an event',
  params: ById,
  ...NO_CONTENT,
  projections: [attendances],
  handle: async ({ params, context }, app) => {
    await withdrawAttendance(app, context, params.id);
    return null;
  },
});

const mine = route('GET /api/v1/me/events', {
  id: 'listOwnEvents',
  access: 'user',
  summary: 'List the events that the current user comes to',
  description: 'Those that are not over, in the order in which they start.',
  query: Type.Object({ ...pagingQuery, ...langQuery }),
  headers: languageHeader,
  reply: ListOf(ShownEvent),
  reads: [posts, attendances],
  handle: async ({ query, caller, context, request }, app) => {
    const paging = pagingOf(query);
    const { rows, total } = await eventsAttendedBy(app.db, caller.id, context.at, paging);
    return listOf({ rows: await shownEvents(app, rows, languageOf(query.lang, request)), total }, paging);
  },
});

export const eventRoutes = [events, feed, event, eventFile, come, stayAway, mine];
