/** Badges, written by admins. */

import { type Static, Type } from '@sinclair/typebox';
import { countReached } from '../../commands/badges/badgeFacts.ts';
import { changeBadge, defineBadge, retireBadge } from '../../commands/badges/catalogue.ts';
import { Badge } from '../../domain/badges/catalogue.ts';
import { BadgeRule, checkRule } from '../../domain/badges/rule.ts';
import { notFound } from '../../domain/core/decider.ts';
import { Count, Uuid } from '../../domain/core/schema.ts';
import { badgeAwards, countHolders } from '../../projections/badges/awards.ts';
import { badgeById, badges } from '../../projections/badges/badges.ts';
import type { App } from '../http/app.ts';
import { ById, NO_CONTENT, route, WRITES_NOTHING } from '../http/route.ts';

const BADGES = { none: 'texts and rules of badges, which can be changed back' };

const AdminBadge = Type.Object(
  {
    ...badges.row.properties,
    holders: { ...Count, description: 'Who has it.' },
    qualifying: { ...Count, description: 'Who has reached it by the rule as it is now.' },
  },
  { $id: 'AdminBadge' },
);
const { season, ...required } = Badge.properties;
const Input = Type.Object({ ...required, season: Type.Optional(season) }, { $id: 'NewBadge' });
const badgeOf = ({ season: year = null, ...given }: Static<typeof Input>): Badge => ({ ...given, season: year });

/** A badge after a command. */
const Written = Type.Object({ id: Uuid, ...Badge.properties, qualifying: Count }, { $id: 'WrittenBadge' });
const written = async ({ pool, settings }: App, id: string, badge: Badge): Promise<Static<typeof Written>> => ({
  id,
  ...badge,
  qualifying: await countReached(pool, badge, settings.resortSeasonBegins),
});

const reads = [badges, badgeAwards];

const shown = async ({ db, pool, settings }: App, id: string): Promise<Static<typeof AdminBadge>> => {
  const row = await badgeById(db, id);
  if (!row) throw notFound('badge');
  const [holders, qualifying] = await Promise.all([
    countHolders(db, id),
    countReached(pool, row, settings.resortSeasonBegins),
  ]);
  return { ...row, holders, qualifying };
};

const preview = route('POST /api/v1/badges/admin/preview', {
  id: 'previewBadge',
  previews: 'POST /api/v1/badges/admin',
  ignoresKey: WRITES_NOTHING,
  access: 'admin',
  harm: BADGES,
  summary: 'Count who would get a badge',
  description: 'By what has been done so far. Nothing is stored.',
  body: Type.Object({ ...BadgeRule.properties, season: Type.Optional(season) }, { $id: 'BadgePreview' }),
  reply: Type.Object({ qualifying: Count }),
  errors: ['invalid'],
  handle: async ({ body: { season: year = null, ...given } }, { pool, settings }) => {
    const rule = { ...given, season: year };
    checkRule(rule);
    return { qualifying: await countReached(pool, rule, settings.resortSeasonBegins) };
  },
});

const create = route('POST /api/v1/badges/admin', {
  id: 'createBadge',
  access: 'admin',
  harm: BADGES,
  summary: 'Add a badge',
  description:
    'It is awarded once to everybody who reaches `threshold`, and within minutes to those who have reached it before. It is never taken back because a rule changes; only when a record behind it is disqualified.',
  body: Input,
  reply: Written,
  status: 201,
  errors: ['invalid', 'conflict'],
  projections: [badges],
  handle: async ({ body, context }, app) => {
    const badge = badgeOf(body);
    return written(app, await defineBadge(app, context, badge), badge);
  },
});

const get = route('GET /api/v1/badges/admin/:id', {
  id: 'getBadge',
  access: 'admin',
  harm: BADGES,
  summary: 'Get a badge, and how many people have it or have reached it',
  params: ById,
  reply: AdminBadge,
  reads,
  errors: ['not_found'],
  handle: ({ params }, app) => shown(app, params.id),
});

const change = route('PUT /api/v1/badges/admin/:id', {
  id: 'replaceBadge',
  access: 'admin',
  harm: BADGES,
  summary: 'Replace the texts and the rule of a badge',
  description: 'People who have the badge keep it. People who have reached the new rule get it within minutes.',
  params: ById,
  body: Input,
  reply: Written,
  errors: ['not_found', 'invalid', 'invalid_transition'],
  projections: [badges],
  handle: async ({ params, body, context }, app) => {
    const badge = badgeOf(body);
    await changeBadge(app, context, params.id, badge);
    return written(app, params.id, badge);
  },
});

const retire = route('DELETE /api/v1/badges/admin/:id', {
  id: 'retireBadge',
  access: 'admin',
  harm: BADGES,
  summary: 'Retire a badge',
  description: 'Nobody gets it any more. People who have it keep it.',
  params: ById,
  ...NO_CONTENT,
  errors: ['not_found'],
  projections: [badges],
  handle: async ({ params, context }, app) => {
    await retireBadge(app, context, params.id);
    return null;
  },
});

export const adminBadgeRoutes = [preview, create, get, change, retire];
