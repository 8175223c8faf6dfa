/** Badges, and how far the caller is. */
import { Type } from '@sinclair/typebox';
import { factsOf } from '../../commands/badges/badgeFacts.ts';
import { progressPct, valueOn } from '../../domain/badges/rule.ts';
import { todayIn } from '../../domain/core/dates.ts';
import { Instant, Nullable } from '../../domain/core/schema.ts';
import { pageFrom } from '../../infra/paging.ts';
import { awardsOf, badgeAwards } from '../../projections/badges/awards.ts';
import { badges, badgesFor, listBadges } from '../../projections/badges/badges.ts';
import { configRevisions, timezoneNow } from '../../projections/platform/config.ts';
import { callersChannel } from '../accounts/channels.ts';
import { ListOf, listOf, paged, pagingOf, pagingQuery } from '../http/paging.ts';
import { route } from '../http/route.ts';
import { ShownBadge, shownBadge } from './wire.ts';

const OwnBadge = Type.Object(
  {
    ...ShownBadge.properties,
    value: Type.Integer({
      minimum: 0,
      description:
        'What counts now: in the current day, week, month or season, or ever; 0 outside of the season of the badge. In the unit of `threshold`.',
    }),
    progress_pct: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Rounded down; 100 once it is awarded, at most 99 before.',
    }),
    awarded_at: Nullable(Instant),
  },
  { $id: 'OwnBadge' },
);

const list = route('GET /api/v1/badges', {
  id: 'listBadges',
  access: 'public',
  summary: 'List badges that can be earned',
  query: Type.Object(pagingQuery),
  reply: ListOf(ShownBadge),
  reads: [badges],
  handle: ({ query }, { db }) => paged(query, (paging) => listBadges(db, paging), shownBadge),
});

const own = route('GET /api/v1/badges/me', {
  id: 'listOwnBadges',
  access: 'user',
  summary: 'List own badges with progress',
  description:
    'All that can be earned, and those of the caller that were retired since. Only verified tracks count. What is done counts within seconds.',
  query: Type.Object(pagingQuery),
  reply: ListOf(OwnBadge),
  reads: [badges, badgeAwards, configRevisions],
  channel: callersChannel,
  handle: async ({ query, caller, context }, app) => {
    const { db, pool, settings } = app;
    const paging = pagingOf(query);
    const [awards, facts] = await Promise.all([awardsOf(db, caller.id), factsOf(pool, caller.id)]);
    const all = await badgesFor(db, [...awards.keys()]);
    const today = todayIn(await timezoneNow(app), context.at);
    const { rows, total } = pageFrom(all, paging);
    const shown = rows.map((row) => {
      const awarded_at = awards.get(row.id) ?? null;
      const value = valueOn(row, facts, today, settings.resortSeasonBegins);
      return {
        ...shownBadge(row),
        value,
        progress_pct: progressPct(value, row.threshold, awarded_at !== null),
        awarded_at,
      };
    });
    return listOf({ rows: shown, total }, paging);
  },
});

export const badgeRoutes = [list, own];
