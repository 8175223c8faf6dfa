/** Feature flags, for admins. */
import { Type } from '@sinclair/typebox';
import { createFlag, deleteFlag, redefineFlag } from '../../commands/flags/flags.ts';
import { notFound, Rejected } from '../../domain/core/decider.ts';
import { MODULE_FLAG } from '../../domain/core/moduleFlag.ts';
import { FlagDefinition, FlagKey, isExpiredOn } from '../../domain/flags/flag.ts';
import { ChangeReason } from '../../domain/flags/flagRules.ts';
import { type FeatureFlagRow, featureFlags, flagByKey, listFlags } from '../../projections/flags/flags.ts';
import { platformNotices } from '../../projections/platform/notices.ts';
import type { App } from '../http/app.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { NO_CONTENT, route } from '../http/route.ts';

const SHOWS_RULES = { none: 'shows rules, and ids of accounts' };

const Flag = Type.Object(
  { ...featureFlags.row.properties, expired: Type.Boolean({ description: 'Its date has come: delete the flag.' }) },
  { $id: 'FeatureFlag' },
);
const { description, condition, payload, expires } = FlagDefinition.properties;
/** What is left out is empty. */
const definition = {
  description: Type.Optional(description),
  condition: Type.Optional(Type.Partial(condition)),
  payload: Type.Optional(payload),
  expires: Type.Optional(expires),
  reason: Type.Optional(ChangeReason),
};
const Switch = Type.Optional(Type.Boolean());
type Definition = Partial<Omit<FlagDefinition, 'condition'>> & { condition?: Partial<FlagDefinition['condition']> };
const definitionOf = ({ description, condition, payload, expires }: Definition): FlagDefinition => ({
  description: description ?? '',
  condition: { strategies: [], parents: [], ...condition },
  payload: payload ?? { variants: [] },
  expires: expires ?? null,
});

const shown = (row: FeatureFlagRow, at: string) => ({ ...row, expired: isExpiredOn(row, at) });

const Key = Type.Object({ key: FlagKey });
/** Without letters that show nothing: two keys that look the same would be different flags. Keys of before stay. */
const NewKey = { ...FlagKey, pattern: `^(?!.*\\p{Default_Ignorable_Code_Point})${FlagKey.pattern?.slice(1)}` };
const found = async ({ db }: Pick<App, 'db'>, key: string): Promise<FeatureFlagRow> => {
  const row = await flagByKey(db, key);
  if (!row) throw notFound('flag');
  return row;
};

/** @throws Rejected `invalid` for a flag of a part of the product that does not exist: nothing would ask for it */
const checkPart = ({ appModules }: Pick<App, 'appModules'>, key: string): void => {
  const flags = appModules.filter(({ alwaysOpen }) => !alwaysOpen).map(({ flag }) => flag);
  if (!flags.includes(key))
    throw new Rejected('invalid', `No part of the product is opened by ${key}: there are ${flags.join(', ')}.`, {
      fields: ['key'],
    });
};

const list = route('GET /api/v1/admin/flags', {
  id: 'listFlags',
  access: 'admin',
  harm: SHOWS_RULES,
  summary: 'List feature flags',
  description: 'By key. With `expired`, only those that should have been deleted.',
  query: Type.Object({ ...pagingQuery, expired: Type.Optional(Type.Boolean()) }),
  reply: ListOf(Flag),
  handle: ({ query, context: { at } }, { db }) =>
    paged(
      query,
      (paging) => listFlags(db, { ...paging, ...(query.expired && { expiredOn: at.slice(0, 10) }) }),
      (row) => shown(row, at),
    ),
});

const create = route('POST /api/v1/admin/flags', {
  id: 'createFlag',
  access: 'admin',
  harm: 'safety',
  summary: 'Create a feature flag',
  description:
    'It is switched off unless `enabled` says otherwise. A key that begins with `module.` opens and closes a part of the product, and must name one of `GET /modules`; what it is asked for is the person and their address, never the app. All other flags are for apps, which ask for them by their keys.',
  body: Type.Object({ key: NewKey, enabled: Switch, ...definition }, { $id: 'NewFeatureFlag' }),
  reply: Flag,
  status: 201,
  errors: ['conflict', 'invalid'],
  projections: [featureFlags, platformNotices],
  handle: async ({ body: { key, enabled = false, reason = null, ...fields }, caller, context }, app) => {
    if (key.startsWith(MODULE_FLAG)) checkPart(app, key);
    const flag = definitionOf(fields);
    await createFlag(app, context, key, { enabled, definition: flag, reason });
    const row = { key, enabled, ...flag, created_at: context.at, updated_at: context.at, updated_by: caller.id };
    return shown(row, context.at);
  },
});

const get = route('GET /api/v1/admin/flags/:key', {
  id: 'getFlag',
  access: 'admin',
  harm: SHOWS_RULES,
  summary: 'Get a feature flag',
  params: Key,
  reply: Flag,
  errors: ['not_found'],
  handle: async ({ params: { key }, context: { at } }, app) => shown(await found(app, key), at),
});

const put = route('PUT /api/v1/admin/flags/:key', {
  id: 'redefineFlag',
  access: 'admin',
  harm: 'safety',
  summary: 'Replace the definition of a feature flag',
  description: 'What is left out becomes empty, but for `enabled`: then it stays switched on or off.',
  params: Key,
  body: Type.Object({ enabled: Switch, ...definition }, { $id: 'FeatureFlagDefinition' }),
  reply: Flag,
  errors: ['not_found', 'invalid'],
  projections: [featureFlags, platformNotices],
  handle: async (
    { params: { key }, body: { enabled: on, reason = null, ...fields }, caller, context: { at }, context },
    app,
  ) => {
    const { created_at } = await found(app, key);
    const flag = definitionOf(fields);
    const enabled = await redefineFlag(app, context, key, { definition: flag, enabled: on, reason });
    return shown({ key, enabled, ...flag, created_at, updated_at: at, updated_by: caller.id }, at);
  },
});

const remove = route('DELETE /api/v1/admin/flags/:key', {
  id: 'deleteFlag',
  access: 'admin',
  harm: 'safety',
  summary: 'Delete a feature flag',
  description: 'It is off from then on, because apps treat a flag that they do not know as off. Safe to repeat.',
  params: Key,
  ...NO_CONTENT,
  errors: ['conflict'],
  projections: [featureFlags, platformNotices],
  handle: async ({ params: { key }, context }, app) => {
    await deleteFlag(app, context, key);
    return null;
  },
});

export const adminFlagRoutes = [list, create, get, put, remove];
