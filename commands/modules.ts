/** Every module of the write side, and what follows from that. A new module adds one line to the list and its import. */
import type { Migrations } from '../infra/migrations.ts';
import { accounts } from './accounts/index.ts';
import { bookings } from './bookings/index.ts';
import { catalog } from './catalog/index.ts';
import type { CoreDeps } from './core/deps.ts';
import type { ModuleErasure } from './core/erasure.ts';
import type { JobDefinition } from './core/jobs.ts';
import type { ModuleConfig } from './core/module.ts';
import { consumerOf, type Policy } from './core/policy.ts';
import { ledger } from './ledger/index.ts';
import { partners } from './partners/index.ts';
import { payments } from './payments/index.ts';
import type { PayableDeclaration, PayableKind, PayablesPort } from './payments/payable.ts';
import { purchases } from './purchases/index.ts';

/** The lowest module first. */
const modules = [accounts, catalog, partners, ledger, payments, bookings, purchases] as const;
type Module = (typeof modules)[number];

type IntersectionOf<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never;
type PortsOf<M> = M extends { readonly connect: (...given: never[]) => infer Ports } ? Ports : never;
type SettingsDeclaredBy<M> = M extends { readonly settings: infer Declared } ? Declared : never;

/** Everything that commands, policies and jobs can need. Each names the part of it that it uses. */
export type CommandDeps = CoreDeps & IntersectionOf<PortsOf<Module>> & PayablesPort;

type ModuleSettings = IntersectionOf<SettingsDeclaredBy<Module>>;
/** Environment settings of all modules: name → schema. */
export const moduleSettings: ModuleSettings = Object.assign(
  {},
  ...modules.map((module) => ('settings' in module ? module.settings : {})),
);

export const policies: readonly Policy<CommandDeps>[] = modules.flatMap<Policy<CommandDeps>>((module) =>
  'policies' in module ? module.policies : [],
);
/** The names of the policies' checkpoints. */
export const policyConsumers: readonly string[] = policies.map(consumerOf);
export const jobs: readonly JobDefinition<never, CommandDeps>[] = modules.flatMap<JobDefinition<never, CommandDeps>>(
  (module) => ('jobs' in module ? module.jobs : []),
);
/** Of the durable tables of all modules. */
export const moduleMigrations: readonly Migrations[] = modules.flatMap<Migrations>((module) =>
  'migrations' in module ? module.migrations : [],
);
/** Each deletes what has expired. */
export const modulePrunes = modules.flatMap((module) => ('prunes' in module ? module.prunes : []));

/** What each module does when a person is erased. */
export const moduleErasures: readonly ModuleErasure<CommandDeps>[] = modules.flatMap<ModuleErasure<CommandDeps>>(
  (module) => ('erasure' in module ? [module.erasure] : []),
);

const payableKinds: readonly PayableDeclaration<CommandDeps>[] = modules.flatMap<PayableDeclaration<CommandDeps>>(
  (module) => ('payables' in module ? module.payables : []),
);
/** The fields by which a request names what it pays for: `booking_id`, `purchase_id` and so on. */
export const payableFields: readonly string[] = payableKinds.flatMap(({ fields }) => fields);

/** Binds what can be paid for to the dependencies. Bind again after replacing a dependency. */
export const bindPayables = (deps: Omit<CommandDeps, 'payables'>): CommandDeps => {
  const payables = new Map<string, PayableKind>();
  const bound: CommandDeps = { ...deps, payables };
  for (const { kind, fields, bind } of payableKinds) payables.set(kind, { fields, ...bind(bound) });
  return bound;
};

/**
 * Makes the ports and typed settings of all modules. Nothing is asked of the stores yet.
 * @throws ConfigError
 */
export const connectModules = (config: ModuleConfig<ModuleSettings>, core: CoreDeps): CommandDeps => {
  const ports = modules.flatMap((module) => ('connect' in module ? [module.connect(config, core)] : []));
  const settings = Object.assign({}, core.settings, ...ports.map((each) => each.settings));
  return bindPayables(Object.assign({}, core, ...ports, { settings }));
};
