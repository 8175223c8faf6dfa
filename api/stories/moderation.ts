/** Reports of stories, and how admins answer them. */
import { removeStory, visibleStory } from '../../commands/stories/stories.ts';
import { JsonText } from '../../infra/jsonText.ts';
import { accounts } from '../../projections/accounts/accounts.ts';
import { shortNamesOf } from '../../projections/accounts/shortNames.ts';
import { storiesByIds } from '../../projections/stories/queries.ts';
import { type StoryRow, stories } from '../../projections/stories/stories.ts';
import { filingRoute, reportRoutes } from '../reports/reportRoutes.ts';
import { ReportedStory, reportedStoryOf } from './wire.ts';

const report = filingRoute('POST /api/v1/stories/:id/report', {
  id: 'reportStory',
  summary: 'Report a story to the admins',
  param: 'id',
  find: async (app, caller, id) => {
    const { authorId, text } = await visibleStory(app, caller, id, new Date().toISOString());
    return { subject: { kind: 'story', id, within: null }, authorId, text };
  },
});

const answers = reportRoutes({
  path: 'story-reports',
  kinds: ['story'],
  what: 'stories',
  name: 'StoryReport',
  content: ReportedStory,
  show: async (app, ids) => {
    const at = new Date().toISOString();
    const found = await storiesByIds(app.db, ids);
    const nameOf = await shortNamesOf(
      app.db,
      accounts,
      found.flatMap(({ author_id }) => author_id ?? []),
    );
    const shown = (row: StoryRow) => reportedStoryOf(row, row.author_id === null ? null : nameOf(row.author_id), at);
    return new Map(found.map((row) => [row.id, new JsonText(JSON.stringify(shown(row)))]));
  },
  removal: 'only its author and admins see the story then.',
  reasonFor: 'the author of the story',
  remove: async (app, context, { subject_id: id }, { reason }) => {
    await removeStory(app, context, id, reason);
  },
  projections: [stories],
});

export const storyModerationRoutes = [report, ...answers];
