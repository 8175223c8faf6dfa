/** Reports of display names, and how admins answer them. */
import { type Static, Type } from '@sinclair/typebox';
import { removeName } from '../../commands/leaderboards/participation.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { Uuid } from '../../domain/core/schema.ts';
import { JsonText } from '../../infra/jsonText.ts';
import { leaderboardPeople, peopleByNames } from '../../projections/leaderboards/displayNames.ts';
import type { App } from '../http/app.ts';
import { filingRoute, reportRoutes } from '../reports/reportRoutes.ts';

/** Whose name it is, and the name; undefined: it was changed or removed. */
const shownName = async ({ db }: Pick<App, 'db'>, nameId: string) => {
  const [person] = await peopleByNames(db, [nameId]);
  return person?.display_name ? { accountId: person.account_id, displayName: person.display_name } : undefined;
};

const report = filingRoute('POST /api/v1/leaderboard/names/:name_id/report', {
  id: 'reportLeaderboardName',
  summary: 'Report a name on the leaderboards to the admins',
  param: 'name_id',
  find: async (app, _, id) => {
    const name = await shownName(app, id);
    if (!name) throw new Rejected('not_found', 'This name is not shown any more.');
    return {
      subject: { kind: 'leaderboard_name', id, within: null },
      authorId: name.accountId,
      text: name.displayName,
    };
  },
});

const ReportedName = Type.Object({ account_id: Uuid, display_name: Type.String() }, { $id: 'ReportedLeaderboardName' });

const answers = reportRoutes({
  path: 'leaderboard-name-reports',
  kinds: ['leaderboard_name'],
  what: 'names on leaderboards',
  name: 'LeaderboardNameReport',
  content: ReportedName,
  show: async (app, ids) => {
    const people = await peopleByNames(app.db, ids);
    const shown = new Map<string, JsonText<Static<typeof ReportedName>>>();
    for (const { name_id, account_id, display_name } of people)
      if (display_name !== null) shown.set(name_id, new JsonText(JSON.stringify({ account_id, display_name })));
    return shown;
  },
  removal: 'the person is shown without a name until they choose another one.',
  reasonFor: 'the person whose name it is',
  remove: async (app, context, { subject_id }, { reason }) => {
    const name = await shownName(app, subject_id);
    if (name) await removeName(app, context, { ...name, reason });
  },
  projections: [leaderboardPeople],
});

export const nameModerationRoutes = [report, ...answers];
