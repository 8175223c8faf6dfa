/** What a module's manifest (`commands/<module>/index.ts`) can contain. `commands/modules.ts` collects the manifests. */
import type { TProperties } from '@sinclair/typebox';
import type { Migrations } from '../../infra/migrations.ts';
import type { ExternalPersonalData } from '../../infra/personalData.ts';
import type { Pool } from '../../infra/postgres.ts';
import type { SettingsOf } from '../../infra/settings.ts';
import type { CoreDeps } from './deps.ts';
import type { ModuleErasure } from './erasure.ts';
import type { Followable } from './followedStates.ts';
import type { JobDefinition } from './jobs.ts';
import type { NotificationDeclaration } from './notification.ts';
import type { Policy } from './policy.ts';
import type { coreSettings } from './settings.ts';

/** What `connect` reads: a module's own settings and those of the process. */
export type ModuleConfig<D extends TProperties> = SettingsOf<D & typeof coreSettings>;

/** Deletes what has expired. `Settings`: those that it reads. */
export type Prune<Settings> = (pool: Pool, settings: Settings) => Promise<void>;

/** `Deps`: what its policies, jobs and steps may need; each names the part that it uses. */
export interface CommandModule<Deps extends { readonly settings: unknown } = never> {
  readonly policies?: readonly Policy<Deps>[];
  readonly jobs?: readonly JobDefinition<never, Deps>[];
  /** What it tells people. */
  readonly notifications?: readonly NotificationDeclaration[];
  /** Of the module's durable tables, in the schema `ops`. */
  readonly migrations?: readonly Migrations[];
  /** What it holds about people outside of tables: files, memory, systems outside. */
  readonly externalPersonalData?: readonly ExternalPersonalData[];
  /** Delete what has expired, where a period in `personalData` does not say it all. Each runs once an hour in every worker. */
  readonly prunes?: readonly Prune<Deps['settings']>[];
  /** What it does when a person is erased. */
  readonly erasure?: ModuleErasure<Deps>;
  /** Its aggregates that prices are quoted from, and those that many commands come for at once (`followedStates.ts`). */
  readonly followedByApi?: readonly Followable[];
  /** Its aggregates that policies ask for more often than they change. */
  readonly followedByWorkers?: readonly Followable[];
  /** Environment settings: name → schema with default and description. Commands have their values in `deps.settings`. */
  readonly settings?: TProperties;
  /** Makes the module's ports, and settings that follow from several. It must not ask anything of the stores yet. */
  readonly connect?: (config: never, core: CoreDeps) => object;
}
