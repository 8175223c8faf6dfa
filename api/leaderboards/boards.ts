/** Leaderboards, as everybody sees them. */
import { type Static, Type } from '@sinclair/typebox';
import { todayIn } from '../../domain/core/dates.ts';
import { DateOnly, Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { boardOf, closesAt, isClosed } from '../../domain/leaderboards/board.ts';
import { metricNames } from '../../domain/leaderboards/score.ts';
import { type PeriodKind, periodKinds, periodOf } from '../../domain/tracking/periods.ts';
import { type Page, type Paging, pageFrom } from '../../infra/paging.ts';
import { friendIds, friendships } from '../../projections/friends/friendships.ts';
import { leaderboardBuckets } from '../../projections/leaderboards/buckets.ts';
import { leaderboardPeople, peopleOf } from '../../projections/leaderboards/displayNames.ts';
import {
  type Order,
  type Ranked,
  rankedAmong,
  rankedAround,
  rankedPage,
} from '../../projections/leaderboards/ranking.ts';
import { columnOf, leaderboardScores, Scores } from '../../projections/leaderboards/scores.ts';
import { configRevisions, timezoneNow } from '../../projections/platform/config.ts';
import type { App } from '../http/app.ts';
import { HttpError } from '../http/errors.ts';
import { ListOf, listOf, pagingOf, pagingQuery } from '../http/paging.ts';
import { route } from '../http/route.ts';

const Entry = Type.Object(
  {
    rank: Type.Integer({ minimum: 1, description: 'Equal scores share a rank: 1, 2, 2, 4.' }),
    display_name: Nullable({ ...Type.String(), description: 'null: a moderator removed the name.' }),
    name_id: Nullable({ ...Uuid, description: 'The name is reported by it. It does not say whose it is.' }),
    score: Type.Integer({ description: 'Metres, or a number.' }),
    is_me: Type.Boolean(),
    details: Type.Optional(Type.Object(Scores.properties, { description: 'Only with `detailed=1`.' })),
  },
  { $id: 'LeaderboardEntry' },
);

const Period = OneOf(periodKinds);
const Leaderboard = Type.Object(
  {
    period: Period,
    metric: OneOf(metricNames),
    starts_on: DateOnly,
    ends_on: DateOnly,
    closes_at: { ...Instant, description: 'Tracks of the period count until then: 72 hours after its end.' },
    is_closed: Type.Boolean(),
    ...ListOf(Entry).properties,
    me: Nullable(
      Type.Object(
        { rank: Entry.properties.rank, score: Entry.properties.score, neighbours: Type.Array(Entry) },
        { description: 'The caller, among the two people above and below; null for people who are not on the board.' },
      ),
    ),
  },
  { $id: 'Leaderboard' },
);

const isOne = OneOf(['0', '1']);
const query = Type.Object({
  ...pagingQuery,
  metric: Type.Optional(OneOf(metricNames, { default: 'vertical' })),
  date: Type.Optional({ ...DateOnly, description: 'A day of the period, at the resort; today unless given.' }),
  friends: Type.Optional({ ...isOne, description: '1: only the caller and friends, with ranks among them.' }),
  detailed: Type.Optional({ ...isOne, description: '1: with what every score is made of.' }),
});
const reads = [leaderboardScores, leaderboardBuckets, leaderboardPeople, friendships, configRevisions];
const NEIGHBOURS = 2;
/** Somebody whose name was removed, or who left between two reads. */
const unnamed = { display_name: null, name_id: null } as const;

interface Found extends Page<Ranked> {
  /** The caller among those next to them; none: not on the board. */
  readonly around: Ranked[];
}

const ofEverybody = async ({ db }: App, order: Order, callerId: string | undefined, paging: Paging): Promise<Found> => {
  const [page, around] = await Promise.all([
    rankedPage(db, order, paging),
    callerId ? rankedAround(db, order, callerId, NEIGHBOURS) : undefined,
  ]);
  return { ...page, around: around ?? [] };
};

const ofFriends = async ({ db }: App, order: Order, callerId: string, paging: Paging): Promise<Found> => {
  const all = await rankedAmong(db, order, [callerId, ...(await friendIds(db, callerId))]);
  const own = all.findIndex(({ account_id }) => account_id === callerId);
  return {
    ...pageFrom(all, paging),
    around: own < 0 ? [] : all.slice(Math.max(0, own - NEIGHBOURS), own + NEIGHBOURS + 1),
  };
};

const shown = async (
  app: App,
  kind: PeriodKind,
  { metric = 'vertical', date, friends, detailed, ...given }: Static<typeof query>,
  callerId: string | undefined,
  at: string,
): Promise<Static<typeof Leaderboard>> => {
  const timezone = await timezoneNow(app);
  const period = periodOf(kind, date ?? todayIn(timezone, at), app.settings.resortSeasonBegins);
  const order = { board: boardOf(kind, period), metric };
  const paging = pagingOf(given);
  if (friends === '1' && !callerId) throw new HttpError('unauthenticated', 'Sign in to see the board of your friends.');
  const { rows, total, around } = await (friends === '1' && callerId
    ? ofFriends(app, order, callerId, paging)
    : ofEverybody(app, order, callerId, paging));
  const people = await peopleOf(app.db, [...new Set([...rows, ...around].map(({ account_id }) => account_id))]);
  const entryOf = ({ board: _, account_id, rank, ...details }: Ranked): Static<typeof Entry> => {
    const person = people.get(account_id);
    const { display_name, name_id } = person?.display_name ? person : unnamed;
    const score = details[columnOf[metric]];
    const is_me = account_id === callerId;
    return { rank, display_name, name_id, score, is_me, ...(detailed === '1' && { details }) };
  };
  const own = around.find(({ account_id }) => account_id === callerId);
  return {
    period: kind,
    metric,
    starts_on: period.startsOn,
    ends_on: period.endsOn,
    closes_at: closesAt(period, { timezone }),
    is_closed: isClosed(period, at, { timezone }),
    ...listOf({ rows: rows.map(entryOf), total }, paging),
    me: own ? { rank: own.rank, score: own[columnOf[metric]], neighbours: around.map(entryOf) } : null,
  };
};

const description =
  'Of those who take part (`PUT /leaderboard/me`), by verified tracks: `vertical` and `distance` in metres, `runs`, ski `days`; never by speed. Periods are those of the resort. Whoever is signed in also sees their own rank. Tracks that were set aside do not count.';

const current = route('GET /api/v1/leaderboard', {
  id: 'getLeaderboard',
  access: 'public',
  summary: 'Get the leaderboard of the season',
  description,
  query,
  reply: Leaderboard,
  errors: ['unauthenticated'],
  reads,
  handle: ({ query: given, caller, context }, app) => shown(app, 'season', given, caller?.id, context.at),
});

const ofPeriod = route('GET /api/v1/leaderboard/:period', {
  id: 'getLeaderboardOfPeriod',
  access: 'public',
  summary: 'Get the leaderboard of a day, week, month or season',
  description,
  params: Type.Object({ period: Period }),
  query,
  reply: Leaderboard,
  errors: ['unauthenticated'],
  reads,
  handle: ({ params, query: given, caller, context }, app) => shown(app, params.period, given, caller?.id, context.at),
});

export const boardRoutes = [current, ofPeriod];
