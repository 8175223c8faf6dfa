/** Stories of people, and what viewers do with them. */
import { Type } from '@sinclair/typebox';
import { deleteStory, postStory, seesOwn } from '../../commands/stories/stories.ts';
import { recordLike, recordView, withdrawLike } from '../../commands/stories/views.ts';
import { Uuid } from '../../domain/core/schema.ts';
import { MAX_VIDEO_S, StoryText } from '../../domain/stories/story.ts';
import { accounts } from '../../projections/accounts/accounts.ts';
import { DELETED_USER, shortNamesOf } from '../../projections/accounts/shortNames.ts';
import { hasOpenReport } from '../../projections/reports/reports.ts';
import { ownStories, storiesOf, storyAuthors } from '../../projections/stories/queries.ts';
import { postedRow, stories } from '../../projections/stories/stories.ts';
import { ListOf, listOf, paged, pagingOf, pagingQuery } from '../http/paging.ts';
import { ById, NO_CONTENT, route } from '../http/route.ts';
import { OwnStory, ownStoryOf, StoryGroup, storyOf } from './wire.ts';

/** An operation on one story that answers with nothing. */
const CHANGE = { access: 'user', params: ById, ...NO_CONTENT } as const;
const SEEN_AT_ONCE = 'The change is seen at once.';

const list = route('GET /api/v1/stories', {
  id: 'listStories',
  access: 'user',
  summary: 'List stories by their authors',
  description:
    'Authors with unseen stories first, the resort before people, then the newest. People who have blocked each other do not see each other. Pages count authors.',
  query: Type.Object(pagingQuery),
  reply: ListOf(StoryGroup),
  reads: [stories],
  handle: async ({ query, caller, context: { at } }, { db }) => {
    const paging = pagingOf(query);
    const viewer = { id: caller.id, role: caller.role, at };
    const { rows: authors, total } = await storyAuthors(db, viewer, paging);
    const ids = authors.flatMap(({ author_id }) => author_id ?? []);
    const [found, nameOf] = await Promise.all([storiesOf(db, viewer, authors), shortNamesOf(db, accounts, ids)]);
    const rows = authors.flatMap(({ author_id: id, is_seen }) => {
      const own = found.filter(({ author_id }) => author_id === id);
      // All of them may have ended meanwhile.
      if (own.length === 0) return [];
      return [
        {
          author: id === null ? null : { id, name: nameOf(id) ?? DELETED_USER },
          is_own: id === caller.id,
          is_seen,
          stories: own.map((row) => storyOf(row, at)),
        },
      ];
    });
    return listOf({ rows, total }, paging);
  },
});

const mine = route('GET /api/v1/stories/mine', {
  id: 'listOwnStories',
  access: 'user',
  summary: 'List own stories',
  description: 'The newest first. Expired ones and those that an admin has removed are included while they are kept.',
  query: Type.Object(pagingQuery),
  reply: ListOf(OwnStory),
  reads: [stories],
  handle: ({ query, caller, context: { at } }, { db }) =>
    paged(
      query,
      (paging) => ownStories(db, caller.id, paging),
      (row) => ownStoryOf(row, at),
    ),
});

const post = route('POST /api/v1/stories', {
  id: 'postStory',
  access: 'user',
  summary: 'Post a story',
  description: `A picture, or a video of at most ${MAX_VIDEO_S} s, which everybody who is signed in sees for 24 hours.`,
  body: Type.Object(
    {
      media_id: { ...Uuid, description: 'A file of yours that was uploaded to the folder `stories`.' },
      text: Type.Optional({ ...StoryText, default: '' }),
    },
    { $id: 'NewStory' },
  ),
  reply: OwnStory,
  status: 201,
  errors: ['not_found', 'invalid', 'conflict', 'too_many_attempts'],
  projections: [stories],
  handle: async ({ body: { media_id: mediaId, text = '' }, context }, app) => {
    const { storyId, story } = await postStory(app, context, { mediaId, text });
    return ownStoryOf({ ...postedRow(storyId, story, context.at), views: 0, likes: 0 }, context.at);
  },
});

const remove = route('DELETE /api/v1/stories/:id', {
  id: 'deleteStory',
  summary: 'Delete your story',
  description:
    'With its picture or video. While a report of it is open, admins still see both, for 30 days at most; nobody else does.',
  ...CHANGE,
  errors: ['not_found'],
  projections: [stories],
  handle: async ({ params, context }, app) => {
    const isReported = await hasOpenReport(app.db, { kind: 'story', id: params.id });
    await deleteStory(app, context, params.id, isReported);
    return null;
  },
});

const view = route('POST /api/v1/stories/:id/view', {
  id: 'viewStory',
  summary: 'Say that you have seen a story',
  description: `Safe to repeat; own stories are not counted. ${SEEN_AT_ONCE}`,
  ...CHANGE,
  errors: ['not_found'],
  handle: async ({ params: { id: storyId }, caller, context: { at } }, app) => {
    const isOwn = await seesOwn(app, caller, storyId, at);
    if (!isOwn) await recordView(app.pool, { storyId, personId: caller.id }, at);
    return null;
  },
});

const like = route('POST /api/v1/stories/:id/like', {
  id: 'likeStory',
  summary: 'Like a story',
  description: `Safe to repeat; likes of own stories are not counted. ${SEEN_AT_ONCE}`,
  ...CHANGE,
  errors: ['not_found'],
  handle: async ({ params: { id: storyId }, caller, context: { at } }, app) => {
    const isOwn = await seesOwn(app, caller, storyId, at);
    if (!isOwn) await recordLike(app.pool, { storyId, personId: caller.id }, at);
    return null;
  },
});

const unlike = route('DELETE /api/v1/stories/:id/like', {
  id: 'unlikeStory',
  summary: 'Take back that you like a story',
  description: `Safe to repeat. ${SEEN_AT_ONCE}`,
  ...CHANGE,
  handle: async ({ params: { id: storyId }, caller }, app) => {
    await withdrawLike(app.pool, { storyId, personId: caller.id });
    return null;
  },
});

export const storyRoutes = [list, mine, post, remove, view, like, unlike];
