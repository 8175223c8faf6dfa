/** `resort import`: lifts and slopes from a file of OpenSkiMap. */
import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import type { CommandContext } from '../../commands/core/handle.ts';
import { addFacility, changeFacility, type FacilityKind, lifts, slopes } from '../../commands/resort/facilities.ts';
import { type Imported, readOpenSkiMap } from '../../commands/resort/openSkiMap.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { derivedId, newId } from '../../infra/ids.ts';
import { checkCommand } from './check.ts';
import { grantCommand } from './grant.ts';
import { initCommand } from './init.ts';
import { operatorsCommand } from './operators.ts';
import { writeJson, writeLine } from './output.ts';
import { type CliContext, CommandFailed, withStores } from './stores.ts';

const AT_ONCE = 16;
type Noun = 'lift' | 'slope';

/** The same file again leads to the same lifts and slopes. */
const commandOf = (noun: Noun, sourceId: string): string => derivedId('resort import', noun, sourceId);
const idOf = (noun: Noun, sourceId: string): string => derivedId(commandOf(noun, sourceId), noun);

const contextOf = (commandId: string, at: string): CommandContext => ({
  correlationId: commandId,
  causationId: commandId,
  commandId,
  actor: { kind: 'seed', id: 'import', role: 'admin' },
  ip: null,
  at,
});

/** Adds what is new, and changes the rest; what people have set, such as schedules, stays. @returns how many were added */
const store = async <D extends { sourceId: string | null }>(
  cli: CliContext,
  kind: FacilityKind<D>,
  read: readonly (Partial<D> & { readonly sourceId: string })[],
  unset: Partial<D>,
  at: string,
): Promise<number> => {
  let added = 0;
  await concurrentEach(read, AT_ONCE, async (details) => {
    const id = idOf(kind.noun, details.sourceId);
    const { state } = await cli.aggregates.load(kind.decider, id);
    if (state.status === 'none') {
      const context = contextOf(commandOf(kind.noun, details.sourceId), at);
      await addFacility(cli, context, kind, { ...unset, ...details } as D);
      added += 1;
    } else if (state.status === 'operated') await changeFacility(cli, contextOf(newId(), at), kind, id, { details });
  });
  return added;
};

const parsed = async (file: string): Promise<Imported> => {
  try {
    return readOpenSkiMap(JSON.parse(await readFile(file, 'utf8')), idOf);
  } catch (error) {
    throw new CommandFailed(`${file} cannot be imported: ${error instanceof Error ? error.message : String(error)}`);
  }
};

const importFile = (file: string, { json }: { readonly json?: true }) =>
  withStores(async (cli) => {
    const read = await parsed(file);
    const at = new Date().toISOString();
    const added = {
      lifts: await store(cli, lifts, read.lifts, { schedule: null }, at),
      slopes: await store(cli, slopes, read.slopes, { schedule: null, groomedAt: null }, at),
    };
    const { skipped, unconnected } = read;
    if (json) return writeJson({ lifts: read.lifts.length, slopes: read.slopes.length, added, skipped, unconnected });
    await writeLine(
      `${read.lifts.length} lifts (${added.lifts} new), ${read.slopes.length} slopes (${added.slopes} new)`,
    );
    for (const line of [...skipped.map((why) => `skipped ${why}`), ...unconnected]) await writeLine(line);
  });

export const resortCommand = new Command('resort')
  .description('Set up and check an installation; lifts and slopes of the resort')
  .addCommand(initCommand())
  .addCommand(checkCommand())
  .addCommand(grantCommand())
  .addCommand(operatorsCommand())
  .addCommand(
    new Command('import')
      .description('Add or change lifts and slopes from a GeoJSON file of OpenSkiMap, and say what is not connected')
      .argument('<file>', 'GeoJSON with features of the types lift and run')
      .option('--json', 'print JSON')
      .action(importFile),
  );
