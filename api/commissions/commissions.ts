/** Commission rules, for admins. A change applies to new bookings; existing ones keep their rate. */

import { type Static, Type } from '@sinclair/typebox';
import { loadAccount } from '../../commands/accounts/accounts.ts';
import {
  commissionFor,
  removeCommissionRate,
  replaceRoleRates,
  setCommissionRate,
} from '../../commands/commissions/commissions.ts';
import { sentMinor } from '../../commands/core/amounts.ts';
import { Role, roleNamed, SellerRoleName } from '../../domain/accounts/role.ts';
import { BookingType } from '../../domain/catalog/bookableItem.ts';
import { DEFAULT_RATE, RateBps } from '../../domain/commissions/commission.ts';
import { commissionRules as aggregate, type CommissionRulesEvent } from '../../domain/commissions/commissionRules.ts';
import { inField, Rejected, streamName } from '../../domain/core/decider.ts';
import { toMajor } from '../../domain/core/money.ts';
import { Currency, Instant, Minor, Nullable, ONLY_ONE, Uuid } from '../../domain/core/schema.ts';
import { searchEvents } from '../../projections/audit/auditEvents.ts';
import {
  commissionRule,
  commissionRules,
  listCommissionRules,
  roleRules,
  scopeColumns,
} from '../../projections/commissions/commissionRules.ts';
import { withData } from '../audit/audit.ts';
import type { App } from '../http/app.ts';
import { SHOWS_FIGURES } from '../http/harm.ts';
import { ListOf, listOf, pagingOf, pagingQuery } from '../http/paging.ts';
import { NO_CONTENT, route } from '../http/route.ts';
import { bpsOf, Rate, RatePercent, rate, rateInput, rateOf } from './rates.ts';

const standard: Static<typeof Rate> = { rule: DEFAULT_RATE.rule, ...rateOf(DEFAULT_RATE.rateBps) };
const OwnerRate = Type.Object({ owner_id: Uuid, ...Rate.properties }, { $id: 'OwnerCommissionRate' });
const RoleRates = Type.Object(
  {
    rates: Type.Array(Type.Object({ role: Role, type: Nullable(BookingType), ...rate })),
  },
  { $id: 'RoleCommissionRates' },
);
const { scope, ...listed } = commissionRules.row.properties;
const Change = Type.Object(
  {
    at: Instant,
    actor_id: Type.String(),
    actor_role: Type.String(),
    rule: listed.rule,
    owner_id: listed.owner_id,
    role: listed.role,
    type: listed.type,
    rate_bps: Nullable(RateBps),
    rate_percent: Nullable(RatePercent),
  },
  { $id: 'CommissionChange' },
);
const CommissionRule = Type.Object({ ...listed, rate_percent: RatePercent }, { $id: 'CommissionRule' });
const HISTORY = 50;

/** The latest changes, newest first: found in the audit log, with their data from the event log. */
const history = async (app: App): Promise<Static<typeof Change>[]> => {
  const stream = streamName(aggregate.category, ONLY_ONE);
  const { hidden } = await withData(app, await searchEvents(app.db, { stream, order: 'newest', limit: HISTORY }));
  return hidden.map(({ at, actor, data }) => {
    const { scope, rateBps } = data as { rateBps?: number } & CommissionRulesEvent['data'];
    const changed = rateBps === undefined ? { rate_bps: null, rate_percent: null } : rateOf(rateBps);
    return { at, actor_id: actor.id, actor_role: actor.role, ...scopeColumns(scope), ...changed };
  });
};

const getAll = route('GET /api/v1/admin/commissions', {
  id: 'listCommissionRules',
  access: 'admin',
  harm: SHOWS_FIGURES,
  summary: 'List commission rules and their changes',
  description: `The first rule that exists applies, in this order: owner, type and role, role, global, default. \`history\` has the last ${HISTORY} changes, newest first; a null rate means that the rule was removed.`,
  query: Type.Object(pagingQuery),
  reply: Type.Object({
    ...ListOf(CommissionRule).properties,
    default: Rate,
    history: Type.Array(Change),
  }),
  handle: async ({ query }, app) => {
    const paging = pagingOf(query);
    const { rows, total } = await listCommissionRules(app.db, paging);
    const data = rows.map(({ scope, ...row }) => ({ ...row, ...rateOf(row.rate_bps) }));
    return { ...listOf({ rows: data, total }, paging), default: standard, history: await history(app) };
  },
});

const getGlobal = route('GET /api/v1/admin/commissions/global', {
  id: 'getGlobalCommission',
  access: 'admin',
  harm: SHOWS_FIGURES,
  summary: 'Get the global commission rate',
  description: 'Applies when no other rule does. `rule` is `default` until a global rate is set.',
  reply: Rate,
  handle: async (_, app) => {
    const found = await commissionRule(app.db, { rule: 'global' });
    return found ? { rule: found.rule, ...rateOf(found.rate_bps) } : standard;
  },
});

const putGlobal = route('PUT /api/v1/admin/commissions/global', {
  id: 'setGlobalCommission',
  access: 'admin',
  harm: 'money',
  summary: 'Set the global commission rate',
  body: Type.Object(rateInput),
  reply: Rate,
  errors: ['invalid'],
  projections: [commissionRules],
  handle: async ({ body, context }, app) => {
    const bps = bpsOf(body);
    await setCommissionRate(app, context, { rule: 'global' }, bps);
    return { rule: 'global' as const, ...rateOf(bps) };
  },
});

const deleteGlobal = route('DELETE /api/v1/admin/commissions/global', {
  id: 'resetGlobalCommission',
  access: 'admin',
  harm: 'money',
  summary: 'Reset the global commission rate to the default',
  ...NO_CONTENT,
  projections: [commissionRules],
  handle: async ({ context }, app) => {
    await removeCommissionRate(app, context, { rule: 'global' });
    return null;
  },
});

const getRoles = route('GET /api/v1/admin/commissions/roles', {
  id: 'getRoleCommissions',
  access: 'admin',
  harm: SHOWS_FIGURES,
  summary: 'Get the commission rates of roles',
  description: 'A rate with a `type` applies only to bookings of that type.',
  reply: RoleRates,
  handle: async (_, app) => ({
    rates: (await roleRules(app.db)).flatMap(({ role, type, rate_bps }) =>
      role === null ? [] : [{ role, type, ...rateOf(rate_bps) }],
    ),
  }),
});

const putRoles = route('PUT /api/v1/admin/commissions/roles', {
  id: 'setRoleCommissions',
  access: 'admin',
  harm: 'money',
  summary: 'Replace the commission rates of all roles',
  description: 'Rates that are left out are removed.',
  body: Type.Object({
    rates: Type.Array(Type.Object({ role: SellerRoleName, type: Type.Optional(Nullable(BookingType)), ...rateInput }), {
      maxItems: 100,
    }),
  }),
  reply: RoleRates,
  errors: ['invalid'],
  projections: [commissionRules],
  handle: async ({ body, context }, app) => {
    const rates = body.rates.map(({ role, type = null, ...given }, index) => ({
      role: roleNamed(role),
      type,
      rateBps: inField(`rates/${index}`, () => bpsOf(given)),
    }));
    await replaceRoleRates(app, context, rates);
    return { rates: rates.map(({ rateBps, ...each }) => ({ ...each, ...rateOf(rateBps) })) };
  },
});

const Owner = Type.Object({ owner_id: Uuid });

const getOwner = route('GET /api/v1/admin/commissions/owners/:owner_id', {
  id: 'getOwnerCommission',
  access: 'admin',
  harm: SHOWS_FIGURES,
  summary: 'Get the commission rate of an owner',
  params: Owner,
  reply: OwnerRate,
  errors: ['not_found'],
  handle: async ({ params: { owner_id } }, app) => {
    const found = await commissionRule(app.db, { rule: 'owner', ownerId: owner_id });
    if (!found) throw new Rejected('not_found', 'This owner has no commission rate of their own.');
    return { owner_id, rule: found.rule, ...rateOf(found.rate_bps) };
  },
});

const putOwner = route('PUT /api/v1/admin/commissions/owners/:owner_id', {
  id: 'setOwnerCommission',
  access: 'admin',
  harm: 'money',
  summary: 'Set the commission rate of an owner',
  params: Owner,
  body: Type.Object(rateInput),
  reply: OwnerRate,
  errors: ['not_found', 'invalid'],
  projections: [commissionRules],
  handle: async ({ params: { owner_id }, body, context }, app) => {
    const bps = bpsOf(body);
    await setCommissionRate(app, context, { rule: 'owner', ownerId: owner_id }, bps);
    return { owner_id, rule: 'owner' as const, ...rateOf(bps) };
  },
});

const deleteOwner = route('DELETE /api/v1/admin/commissions/owners/:owner_id', {
  id: 'removeOwnerCommission',
  access: 'admin',
  harm: 'money',
  summary: 'Remove the commission rate of an owner',
  description: 'Succeeds also if the owner has no rate.',
  params: Owner,
  ...NO_CONTENT,
  projections: [commissionRules],
  handle: async ({ params: { owner_id }, context }, app) => {
    await removeCommissionRate(app, context, { rule: 'owner', ownerId: owner_id });
    return null;
  },
});

const preview = route('GET /api/v1/admin/commissions/preview', {
  id: 'previewCommission',
  previews: 'POST /api/v1/bookings/create',
  access: 'admin',
  harm: SHOWS_FIGURES,
  summary: 'Preview the commission of a booking',
  query: Type.Object({
    owner_id: Uuid,
    type: BookingType,
    total: Type.Number({ minimum: 0, maximum: 1e10, description: 'In major units.' }),
    currency: Type.Optional({ ...Currency, default: 'RUB' }),
  }),
  reply: Type.Object({
    ...Rate.properties,
    total: Type.Number(),
    total_minor: Minor,
    commission: Type.Number(),
    commission_minor: Minor,
    provider: Type.Number(),
    provider_minor: Minor,
    currency: Currency,
  }),
  errors: ['not_found', 'invalid'],
  handle: async ({ query: { owner_id: ownerId, type, total, currency = 'RUB' } }, app) => {
    await loadAccount(app, ownerId);
    const total_minor = sentMinor('total', total, currency);
    const { rule, rateBps, commissionMinor, providerMinor } = await commissionFor(app, {
      ownerId,
      type,
      totalMinor: total_minor,
    });
    return {
      rule,
      ...rateOf(rateBps),
      total,
      total_minor,
      commission: toMajor(commissionMinor, currency),
      commission_minor: commissionMinor,
      provider: toMajor(providerMinor, currency),
      provider_minor: providerMinor,
      currency,
    };
  },
});

export const commissionRoutes = [
  getAll,
  preview,
  getRoles,
  putRoles,
  getGlobal,
  putGlobal,
  deleteGlobal,
  getOwner,
  putOwner,
  deleteOwner,
];
