/** `projections …`: shows the state of the read models, and rebuilds them while the system runs. */
import { Command } from 'commander';
import { policyConsumers } from '../../commands/modules.ts';
import { listParked, retryParked } from '../../projections/engine/parked.ts';
import type { ReadModel } from '../../projections/engine/readModel.ts';
import { rebuildAll } from '../../projections/engine/rebuild.ts';
import type { Mode, Run } from '../../projections/engine/rebuildRuns.ts';
import { type Lag, lag, modelStatus, progressOf, type RunStatusLine } from '../../projections/engine/status.ts';
import { groups, models } from '../../projections/modules.ts';
import { progress, say, table, writeJson, writeLine } from './output.ts';
import { CommandFailed, withStores } from './stores.ts';

interface Options {
  readonly json?: true;
}

const named = (name: string): ReadModel => {
  const found = models.find((model) => model.name === name);
  if (!found)
    throw new CommandFailed(
      `unknown read model ${name}: choose one of ${models.map((model) => model.name).join(', ')}`,
    );
  return found;
};
const chosen = (name: string): readonly ReadModel[] => (name === 'all' ? models : [named(name)]);

const runText = ({ mode, status, progress: share, detail }: RunStatusLine): string =>
  [mode, status, status === 'done' ? '' : `${Math.floor(share * 100)} %`, detail ?? ''].filter(Boolean).join(' ');

const lagTable = ({ head, consumers }: Lag): string =>
  `${table(consumers.map((one) => ({ ...one })))}\nhead of the log: ${head ?? 'none'}`;

const list = ({ json }: Options) =>
  withStores(async (cli) => {
    const [behind, data] = await Promise.all([
      lag(cli, groups, policyConsumers(cli.settings.policyParts)),
      modelStatus(cli.pool, models),
    ]);
    if (json) return writeJson({ lag: behind, data });
    await writeLine(
      table(
        data.map(({ name, group, version, live_version, epoch, parked, rebuilt_at, runs }) => ({
          model: name,
          group,
          version,
          live: live_version === version ? 'current' : `version ${live_version}, waits for its rebuild`,
          epoch,
          parked,
          rebuilt_at,
          runs: runs.map(runText).join(' · ') || null,
        })),
      ),
    );
    await writeLine(`\n${lagTable(behind)}`);
  });

const showLag = ({ json }: Options) =>
  withStores(async (cli) => {
    const behind = await lag(cli, groups, policyConsumers(cli.settings.policyParts));
    return json ? writeJson(behind) : writeLine(lagTable(behind));
  });

interface Done {
  readonly name: string;
  readonly events: number;
  readonly differences: number | null;
  /** Of the whole command: its models share one pass over the log. */
  readonly seconds: number;
}

/** The progress of those that go on: the log is read from the least advanced of them. */
const shownBy = (bar: ReturnType<typeof progress>) => (runs: readonly Run[]) =>
  bar.update(Math.min(...runs.map(progressOf)), Math.max(...runs.map(({ events }) => events)));

/** Runs models in one pass over the log. Prints the results also when some of them fail. */
const run =
  (mode: Mode) =>
  (name: string, { json }: Options) =>
    withStores(async (cli) => {
      const startedAt = performance.now();
      const bar = progress(`${mode} ${name}`, 'events');
      const show = shownBy(bar);
      const options = { mode, signal: cli.signal, onStart: show, onProgress: show };
      const outcomes = await rebuildAll(cli, chosen(name), options).finally(() => bar.end());
      const seconds = Math.round(performance.now() - startedAt) / 1_000;
      const done: Done[] = [];
      const failed: Error[] = [];
      for (const [name, outcome] of outcomes)
        if (outcome instanceof Error) failed.push(outcome);
        else done.push({ name, ...outcome, seconds });
      if (mode === 'verify' && done.some(({ differences }) => differences !== 0)) process.exitCode = 1;
      await (json ? writeJson(done) : writeLine(table(done.map((one) => ({ ...one })))));
      if (cli.signal.aborted) {
        say(mode === 'rebuild' ? 'cancelled: run the same command again to continue' : 'cancelled');
        process.exitCode = 130;
      } else if (failed.length > 0) throw new CommandFailed(failed.map(({ message }) => message).join('\n'));
    });

const parked = ({ json }: Options) =>
  withStores(async ({ pool }) => {
    const found = await listParked(pool);
    return json ? writeJson(found) : writeLine(table(found.map((one) => ({ ...one }))));
  });

const retry = (model: string | undefined, stream: string | undefined, { json }: Options) =>
  withStores(async (cli) => {
    const due = (await listParked(cli.pool, model && named(model).name)).filter(
      (entry) => stream === undefined || entry.stream === stream,
    );
    const tried = [];
    for (const entry of due)
      tried.push({
        model: entry.model,
        stream: entry.stream,
        reason: (await retryParked(cli, named(entry.model), entry.stream)) ?? null,
      });
    if (tried.some(({ reason }) => reason !== null)) process.exitCode = 1;
    return json
      ? writeJson(tried)
      : writeLine(table(tried.map((one) => ({ ...one, reason: one.reason ?? 'applied' }))));
  });

const asJson = ['--json', 'print JSON'] as const;

export const projectionsCommand = new Command('projections').description('List, rebuild and verify the read models');
projectionsCommand
  .command('list')
  .description('List versions, lag, parked streams and rebuilds')
  .option(...asJson)
  .action(list);
projectionsCommand
  .command('lag')
  .description('Print how far each group of read models and each policy are behind the log')
  .option(...asJson)
  .action(showLag);
projectionsCommand
  .command('rebuild')
  .description('Rebuild from the log beside the live tables, then swap; resume an interrupted rebuild')
  .argument('<name>', 'a read model, or all')
  .option(...asJson)
  .action(run('rebuild'));
projectionsCommand
  .command('verify')
  .description('Compare a rebuilt table with the live one, row by row; exit with 1 when they differ')
  .argument('[name]', 'a read model; all by default', 'all')
  .option(...asJson)
  .action(run('verify'));
projectionsCommand
  .command('parked')
  .description('List streams with an event that a read model could not handle')
  .option(...asJson)
  .action(parked);
projectionsCommand
  .command('retry')
  .description('Handle parked streams again, in order; exit with 1 when some stay parked')
  .argument('[model]')
  .argument('[stream]')
  .option(...asJson)
  .action(retry);
