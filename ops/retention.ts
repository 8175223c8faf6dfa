/**
 * Deletes what has expired once an hour: what the tables declare, then what needs code of its own. Every worker does so,
 * which is harmless. Afterwards it measures how old the oldest rows are.
 */
import type { Prune } from '../commands/core/module.ts';
import { type CommandDeps, modulePrunes } from '../commands/modules.ts';
import { HOUR_MS } from '../domain/core/instants.ts';
import { metrics } from '../infra/metrics.ts';
import { type KeptTable, keepPeriods, keptTables, measureAges } from '../infra/retention.ts';
import { sleep } from '../infra/retry.ts';
import { pruneChanges } from '../projections/engine/changes.ts';
import { models } from '../projections/modules.ts';
import type { Config } from './config.ts';
import { checkErasures } from './erasureCheck.ts';
import { allMigrations } from './tables.ts';

const EVERY_MS = HOUR_MS;

const prunings: readonly Prune<CommandDeps['settings']>[] = [pruneChanges, ...modulePrunes];

/** Every table that says how long its rows are kept. */
const everyKeptTable: readonly KeptTable[] = [
  ...keptTables(allMigrations),
  ...models.flatMap(({ name, personalData }) =>
    personalData?.whose ? [{ table: `read.${name}`, retention: personalData.retention }] : [],
  ),
];

type Deps = Pick<CommandDeps, 'pool' | 'vault' | 'settings' | 'log'>;

const keepAll = async ({ pool, vault, settings, log }: Deps, config: Config): Promise<void> => {
  const failed = (err: unknown, what: string) =>
    log.warn({ err, what }, 'expired data could not be deleted: it is tried again in an hour');
  await keepPeriods(pool, allMigrations, { ...config }, failed);
  const { people, rows } = await checkErasures({ pool, vault }, { models, tables: allMigrations }).catch(
    (err: unknown) => {
      failed(err, 'erased people');
      return { people: 0, rows: 0 };
    },
  );
  if (people > 0) log.info({ people, rows }, 'looked at erased people again: rows that were left are deleted');
  for (const prune of prunings) await prune(pool, settings).catch((err: unknown) => failed(err, prune.name));
};

/** Sets the metrics: of several periods of a table, the one that is exceeded most. */
const measure = async ({ pool, log }: Deps, config: Config): Promise<void> => {
  const ages = await measureAges(pool, everyKeptTable, { ...config }).catch((err: unknown) => {
    log.warn({ err }, 'the ages of what is kept could not be measured');
    return [];
  });
  for (const { table, period, oldest } of ages.toSorted((a, b) => a.oldest - a.period - (b.oldest - b.period))) {
    metrics.retentionOldest.set({ table }, oldest);
    metrics.retentionPeriod.set({ table }, period);
  }
};

/** Runs until `signal` fires. */
export const keepRetention = async (deps: Deps, config: Config, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await keepAll(deps, config);
    await measure(deps, config);
    await sleep(EVERY_MS, signal);
  }
};
