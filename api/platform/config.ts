/** The configuration of the apps. */
import { type Static, Type } from '@sinclair/typebox';
import { patchConfig, revertConfig } from '../../commands/platform/config.ts';
import { notFound } from '../../domain/core/decider.ts';
import { Revision } from '../../domain/core/revision.ts';
import { MapOf } from '../../domain/core/schema.ts';
import { appPlatforms } from '../../domain/flags/context.ts';
import { ChangeReason } from '../../domain/flags/flagRules.ts';
import { PlatformConfig } from '../../domain/platform/config.ts';
import { patchOf } from '../../domain/platform/mergePatch.ts';
import type { ConfigState } from '../../domain/platform/platformConfig.ts';
import { featureFlags } from '../../projections/flags/flags.ts';
import { flagRulesNow } from '../../projections/flags/rules.ts';
import { configAt, configNow, configRevisions, listConfigRevisions } from '../../projections/platform/config.ts';
import { platformNotices } from '../../projections/platform/notices.ts';
import type { App } from '../http/app.ts';
import { canBeClosed } from '../http/appModule.ts';
import { askedRevisions, tellRevision } from '../http/conditional.ts';
import { HttpError } from '../http/errors.ts';
import { pointerTo } from '../http/fieldErrors.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { route } from '../http/route.ts';
import { FlagStates, nobodysContext, statesFor } from './flagContext.ts';
import { closedBy } from './modules.ts';

const { platforms, modules: _, ...common } = PlatformConfig.properties;
const AppConfig = Type.Object(
  {
    revision: { ...Revision, description: 'Rises with every change of the configuration.' },
    ...common,
    platforms: Type.Required(
      Type.Object(
        Object.fromEntries(
          appPlatforms.map((name) => [
            name,
            Type.Object({
              latest_version: common.latest_version,
              force_update_below: common.force_update_below,
              store_url: platforms.properties[name].properties.store_url,
            }),
          ]),
        ),
      ),
    ),
    modules: MapOf(Type.String(), Type.Boolean(), {
      maxProperties: 100,
      description: 'The parts of the product: false is closed for nobody in particular.',
    }),
    flags: { ...FlagStates, description: 'The feature flags of nobody in particular.' },
  },
  { $id: 'AppConfig' },
);

/** As everybody sees it. */
const shown = async (app: App, { revision, config }: ConfigState, at: string): Promise<Static<typeof AppConfig>> => {
  const rules = await flagRulesNow(app);
  const context = nobodysContext(app, at);
  const { latest_version, force_update_below } = config;
  return {
    revision,
    ...config,
    platforms: Object.fromEntries(
      appPlatforms.map((name) => [name, { latest_version, force_update_below, ...config.platforms[name] }]),
    ),
    modules: Object.fromEntries(
      app.appModules.map((module) => [module.key, closedBy({ config, rules }, module, context) === null]),
    ),
    flags: statesFor(rules, context),
  };
};

const get = route('GET /api/v1/platform/config', {
  id: 'getPlatformConfig',
  access: 'public',
  summary: 'Get the configuration of the apps',
  description:
    'The same for everybody. The channel `platform` tells when to fetch it again. Versions under `platforms` are complete: what a platform does not have of its own is the one beside.',
  reply: AppConfig,
  reads: [configRevisions, featureFlags],
  cache: { maxAge: 0, shared: true, revisionOf: ({ revision }) => revision },
  handle: async ({ context: { at } }, app) => shown(app, await configNow(app), at),
});

const CONFIGURATION = { what: 'the configuration' };

/** @throws HttpError 422 for a part of the product that does not exist, or is always open */
const checkModules = ({ appModules }: App, modules: object | null | undefined): void => {
  const closable = appModules.filter(canBeClosed).map(({ key }) => key);
  const [unknown, ...more] = Object.keys(modules ?? {}).filter((key) => !closable.includes(key));
  if (unknown === undefined) return;
  const detail = `is not one of those that can be closed: ${closable.join(', ')}`;
  const error = (key: string) => ({ pointer: pointerTo('/body/modules', key), detail, code: 'enum' });
  throw new HttpError('validation_failed', `modules: ${unknown} ${detail}.`, {
    errors: [error(unknown), ...more.map(error)],
  });
};

const patch = route('PATCH /api/v1/platform/config', {
  id: 'updatePlatformConfig',
  access: 'admin',
  harm: 'safety',
  summary: 'Change the configuration of the apps',
  description:
    'A JSON Merge Patch (RFC 7396): what is left out stays, null removes, a member that must exist goes back to its default. `reason` is no member: it is kept in the history.',
  ifMatch: CONFIGURATION,
  body: Type.Object(
    { ...patchOf(PlatformConfig).properties, reason: Type.Optional(ChangeReason) },
    { $id: 'PlatformConfigPatch' },
  ),
  bodyTypes: ['application/merge-patch+json'],
  reply: AppConfig,
  errors: ['invalid'],
  projections: [configRevisions, platformNotices],
  handle: async ({ body: { reason, ...merge }, context, request }, app) => {
    checkModules(app, (merge as { modules?: object | null }).modules);
    const ifRevision = askedRevisions(request);
    const state = await patchConfig(app, context, merge, { reason: reason ?? null, ifRevision });
    tellRevision(request, state.revision);
    return shown(app, state, context.at);
  },
});

const history = route('GET /api/v1/admin/platform/config/revisions', {
  id: 'listPlatformConfigRevisions',
  access: 'admin',
  harm: { none: 'shows what the apps show' },
  summary: 'List the revisions of the configuration',
  description: 'Newest first, each as a whole, with who changed it and why.',
  query: Type.Object(pagingQuery),
  reply: ListOf(Type.Object(configRevisions.row.properties, { $id: 'PlatformConfigRevision' })),
  handle: ({ query }, { db }) => paged(query, (paging) => listConfigRevisions(db, paging)),
});

const revert = route('POST /api/v1/admin/platform/config/revert', {
  id: 'revertPlatformConfig',
  access: 'admin',
  harm: 'safety',
  summary: 'Return to an earlier revision of the configuration',
  description: 'It becomes the newest revision; nothing is lost. 0 is the state before the first change.',
  ifMatch: CONFIGURATION,
  body: Type.Object({ revision: Revision, reason: Type.Optional(ChangeReason) }),
  reply: AppConfig,
  errors: ['not_found', 'invalid'],
  projections: [configRevisions, platformNotices],
  handle: async ({ body: { revision, reason = null }, context, request }, app) => {
    // A revision never changes, so that the read model is never wrong about it.
    const config = await configAt(app.db, revision);
    if (!config) throw notFound('revision');
    const ifRevision = askedRevisions(request);
    const state = await revertConfig(app, context, { revision, config }, { reason, ifRevision });
    tellRevision(request, state.revision);
    return shown(app, state, context.at);
  },
});

export const configRoutes = [get, patch, history, revert];
