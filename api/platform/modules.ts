/** The parts of the product: which of them are open to whom. One table, which operations are refused by as well. */
import { Type } from '@sinclair/typebox';
import { Rejected } from '../../domain/core/decider.ts';
import { Nullable, OneOf } from '../../domain/core/schema.ts';
import type { FlagContext } from '../../domain/flags/context.ts';
import { evaluate } from '../../domain/flags/evaluate.ts';
import type { FlagRules } from '../../domain/flags/flag.ts';
import type { PlatformConfig } from '../../domain/platform/config.ts';
import { featureFlags } from '../../projections/flags/flags.ts';
import { flagRulesNow } from '../../projections/flags/rules.ts';
import { configNow, configRevisions } from '../../projections/platform/config.ts';
import type { App } from '../http/app.ts';
import type { AppModule, OpenedModule } from '../http/appModule.ts';
import type { User } from '../http/caller.ts';
import type { Guard } from '../http/module.ts';
import { route } from '../http/route.ts';
import { knownContext } from './flagContext.ts';

const closers = ['role', 'configuration', 'flag'] as const;
type Closer = (typeof closers)[number];

/** What opens and closes parts of the product at present. */
export interface Openings {
  readonly config: PlatformConfig;
  readonly rules: FlagRules;
}
const openingsNow = async (app: Pick<App, 'db' | 'positions'>): Promise<Openings> => {
  const [{ config }, rules] = await Promise.all([configNow(app), flagRulesNow(app)]);
  return { config, rules };
};

/** What closes a part of the product for somebody; null: it is open. */
export const closedBy = ({ config, rules }: Openings, module: AppModule, context: FlagContext): Closer | null => {
  if (module.alwaysOpen) return null;
  if (config.modules[module.key] === false) return 'configuration';
  const hasFlag = rules.flags.get(module.flag) !== undefined;
  return hasFlag && !evaluate(rules, module.flag, context).enabled ? 'flag' : null;
};

/** Whether some operation is for somebody like this. */
const fitsRole = ({ accesses }: OpenedModule, { role, sells }: User): boolean =>
  role === 'admin' || accesses.has('public') || accesses.has('user') || (sells && accesses.has('provider'));

export const guard: Guard = async (app, module, { caller, ip }) => {
  if (caller?.kind === 'user' && caller.role === 'admin') return;
  const context = knownContext(app, { caller, ip }, app.now());
  if (closedBy(await openingsNow(app), module, context))
    throw new Rejected('module_closed', 'This part of the service is not available to you at present.');
};

const mine = route('GET /api/v1/modules', {
  id: 'listModules',
  access: 'user',
  summary: 'List the parts of the product that the current user may open',
  description:
    'A part is closed by the role, by the configuration, or by its flag `module.<key>` where that exists. Operations of a closed part answer 403 `module_closed`. Nothing is closed for admins.',
  reply: Type.Object({
    modules: Type.Array(
      Type.Object({
        key: Type.String({ examples: ['bookings'] }),
        open: Type.Boolean(),
        closed_by: Nullable(OneOf(closers)),
      }),
    ),
  }),
  reads: [featureFlags, configRevisions],
  handle: async ({ caller, context: { at }, request: { ip } }, app) => {
    const openings = await openingsNow(app);
    const context = knownContext(app, { caller, ip }, at);
    const closerOf = (module: OpenedModule): Closer | null => {
      if (!fitsRole(module, caller)) return 'role';
      return caller.role === 'admin' ? null : closedBy(openings, module, context);
    };
    return {
      modules: app.appModules.map((module) => {
        const closed_by = closerOf(module);
        return { key: module.key, open: closed_by === null, closed_by };
      }),
    };
  },
});

export const moduleRoutes = [mine];
