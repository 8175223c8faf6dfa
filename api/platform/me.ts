/** The flags of the caller, and switching them. */
import { Type } from '@sinclair/typebox';
import { switchFlags } from '../../commands/flags/flags.ts';
import { MapOf } from '../../domain/core/schema.ts';
import { FlagKey } from '../../domain/flags/flag.ts';
import { ChangeReason } from '../../domain/flags/flagRules.ts';
import { featureFlags } from '../../projections/flags/flags.ts';
import { flagRulesNow } from '../../projections/flags/rules.ts';
import { flagSegments } from '../../projections/flags/segments.ts';
import { platformNotices } from '../../projections/platform/notices.ts';
import { route } from '../http/route.ts';
import { appQuery, FlagStates, knownContext, statesFor } from './flagContext.ts';

const mine = route('GET /api/v1/platform/me', {
  id: 'getOwnFlags',
  access: 'user',
  summary: 'Get the feature flags of the current user',
  description:
    'All flags, also those that are off. The channel `platform` tells when to fetch them again. Constraints can ask for what the query says: `platform`, `app_version`, `language`.',
  query: Type.Object(appQuery),
  reply: Type.Object({ flags: FlagStates }),
  reads: [featureFlags, flagSegments],
  cache: { maxAge: 0 },
  handle: async ({ query, caller, context, request }, app) => {
    const known = knownContext(app, { caller, ip: request.ip }, context.at);
    return {
      flags: statesFor(await flagRulesNow(app), { ...known, random: Math.random(), properties: query }),
    };
  },
});

const Switches = MapOf(FlagKey, Type.Boolean(), { maxProperties: 100 });

const patch = route('PATCH /api/v1/platform/flags', {
  id: 'switchFlags',
  access: 'admin',
  harm: 'safety',
  summary: 'Switch feature flags on and off',
  description:
    'All of them or none. Off is off for everybody, whatever the condition of the flag says; on leaves it to the condition.',
  body: Type.Object({ flags: { ...Switches, minProperties: 1 }, reason: Type.Optional(ChangeReason) }),
  reply: Type.Object({ flags: Switches }),
  errors: ['not_found'],
  projections: [featureFlags, platformNotices],
  handle: async ({ body: { flags, reason = null }, context }, app) => {
    await switchFlags(app, context, flags, { reason });
    return { flags };
  },
});

export const flagRoutes = [mine, patch];
