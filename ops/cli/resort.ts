/** `resort import`: lifts and slopes from a file of OpenSkiMap. */
import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { timezoneNow } from '../../commands/platform/timezone.ts';
import { ImportInterrupted, importedId, importMap } from '../../commands/resort/importMap.ts';
import { type Imported, readOpenSkiMap } from '../../commands/resort/openSkiMap.ts';
import { checkCommand } from './check.ts';
import { grantCommand } from './grant.ts';
import { initCommand } from './init.ts';
import { operatorsCommand } from './operators.ts';
import { writeJson, writeLine } from './output.ts';
import { CommandFailed, withStores } from './stores.ts';

/** Some programs write it before the text. */
const BYTE_ORDER_MARK = /^\uFEFF/;

const parsed = async (file: string): Promise<Imported> => {
  try {
    return readOpenSkiMap(JSON.parse((await readFile(file, 'utf8')).replace(BYTE_ORDER_MARK, '')), importedId);
  } catch (error) {
    throw new CommandFailed(`${file} cannot be imported: ${error instanceof Error ? error.message : String(error)}`);
  }
};

const importFile = (file: string, { json }: { readonly json?: true }) =>
  withStores(async (cli) => {
    const read = await parsed(file);
    const { skipped, assumed, unconnected } = read;
    const [lifts, slopes] = [read.lifts.length, read.slopes.length];
    if (lifts + slopes === 0) {
      for (const why of json ? [] : skipped) await writeLine(`skipped ${why}`);
      if (json) await writeJson({ lifts, slopes, skipped });
      throw new CommandFailed(`${file} has no lift and no slope that can be imported`);
    }
    const clock = { at: new Date().toISOString(), timezone: await timezoneNow(cli) };
    const stored = await importMap(cli, read, clock).catch((error: unknown) => {
      throw error instanceof ImportInterrupted ? new CommandFailed(error.message) : error;
    });
    const added = { lifts: stored.lifts.added, slopes: stored.slopes.added };
    const changed = { lifts: stored.lifts.changed, slopes: stored.slopes.changed };
    const left = [...stored.lifts.left, ...stored.slopes.left];
    if (json) return writeJson({ lifts, slopes, added, changed, skipped, assumed, left, unconnected });
    await writeLine(`${lifts} lifts (${added.lifts} new), ${slopes} slopes (${added.slopes} new)`);
    const lines = [
      ...skipped.map((why) => `skipped ${why}`),
      ...assumed.map((what) => `assumed: ${what}`),
      ...left.map((what) => `left as it is: ${what}`),
      ...unconnected,
    ];
    for (const line of lines) await writeLine(line);
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
