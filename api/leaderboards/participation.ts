/** Whether the caller is shown on leaderboards. */
import { Type } from '@sinclair/typebox';
import { joinLeaderboard, leaveLeaderboard } from '../../commands/leaderboards/participation.ts';
import { Nullable } from '../../domain/core/schema.ts';
import { DisplayName } from '../../domain/leaderboards/skier.ts';
import { leaderboardBuckets } from '../../projections/leaderboards/buckets.ts';
import { leaderboardPeople, peopleOf } from '../../projections/leaderboards/displayNames.ts';
import { leaderboardScores } from '../../projections/leaderboards/scores.ts';
import { NO_CONTENT, route } from '../http/route.ts';

const Participation = Type.Object(
  {
    takes_part: Type.Boolean(),
    display_name: Nullable({ ...Type.String(), description: 'Everybody sees it; null: removed, or no part taken.' }),
    removal_reason: Nullable({ ...Type.String(), description: 'Why a moderator removed the name.' }),
  },
  { $id: 'LeaderboardParticipation' },
);
const projections = [leaderboardPeople, leaderboardScores, leaderboardBuckets];

const get = route('GET /api/v1/leaderboard/me', {
  id: 'getLeaderboardParticipation',
  access: 'user',
  summary: 'Get whether the caller takes part in leaderboards',
  reply: Participation,
  reads: [leaderboardPeople],
  handle: async ({ caller }, { db }) => {
    const {
      display_name = null,
      removal_reason = null,
      ...own
    } = (await peopleOf(db, [caller.id])).get(caller.id) ?? {};
    return { takes_part: 'account_id' in own, display_name, removal_reason };
  },
});

const join = route('PUT /api/v1/leaderboard/me', {
  id: 'joinLeaderboard',
  access: 'user',
  summary: 'Take part in leaderboards',
  description:
    'Under a name that everybody sees, which need not be your own; again: under another name. A name that a moderator removed is refused. Boards that are not closed show what was done since they began.',
  body: Type.Object({ display_name: DisplayName }),
  reply: Participation,
  errors: ['invalid'],
  projections,
  handle: async ({ body, caller, context }, app) => {
    await joinLeaderboard(app, context, caller.id, body.display_name);
    return { takes_part: true, ...body, removal_reason: null };
  },
});

const leave = route('DELETE /api/v1/leaderboard/me', {
  id: 'leaveLeaderboard',
  access: 'user',
  summary: 'Leave the leaderboards',
  description: 'No board shows the caller any more, closed ones included.',
  ...NO_CONTENT,
  projections,
  handle: async ({ caller, context }, app) => {
    await leaveLeaderboard(app, context, caller.id);
    return null;
  },
});

export const participationRoutes = [get, join, leave];
