/** `openapi` and `config`: what the declarations say of themselves. */
import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { openApi } from '../../api/http/openapi.ts';
import { routes } from '../../api/modules.ts';
import { configTable } from '../config.ts';
import { VERSION } from '../version.ts';
import { say, write, writeLine } from './output.ts';

const FILE = 'openapi.json';

export const openApiCommand = new Command('openapi')
  .description('The description of the REST API, as JSON')
  .option('--write', `to ${FILE}, which is committed`)
  .action(async (options: { write?: true }) => {
    const text = `${JSON.stringify(openApi(routes, VERSION), undefined, 2)}\n`;
    if (!options.write) return write(text);
    await writeFile(FILE, text);
    say(`${FILE} written`);
  });

export const configCommand = new Command('config')
  .description('All settings, as the table of the README')
  .action(() => writeLine(configTable()));
