/** What the erasure of a person consists of in the whole system. */
import type { ErasurePlan } from '../commands/core/erasure.ts';
import { type CommandDeps, moduleErasures } from '../commands/modules.ts';
import { createTombstones } from '../infra/tombstones.ts';
import type { Config } from './config.ts';
import { allMigrations } from './tables.ts';

export const erasurePlan = ({ TOMBSTONES_DIR }: Pick<Config, 'TOMBSTONES_DIR'>): ErasurePlan<CommandDeps> => ({
  modules: moduleErasures,
  tables: allMigrations,
  tombstones: createTombstones(TOMBSTONES_DIR),
});
