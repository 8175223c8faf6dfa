/** `openapi`, `permissions` and `config`: documents made from the declarations. */
import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { openApiText } from '../../api/http/openapi.ts';
import { permissionTable } from '../../api/http/permissions.ts';
import { routes } from '../../api/modules.ts';
import { payloads } from '../../projections/modules.ts';
import { asyncApiText } from '../../realtime/hub/asyncapi.ts';
import { defaultLimits } from '../../realtime/hub/limits.ts';
import { channels } from '../../realtime/modules.ts';
import { configTable } from '../config.ts';
import { VERSION } from '../version.ts';
import { say, write, writeLine } from './output.ts';

const FILE = 'openapi.json';
const ASYNC_FILE = 'asyncapi.json';
const PERMISSIONS = 'docs/permissions.md';

export const openApiCommand = new Command('openapi')
  .description('Print the OpenAPI description of the REST API')
  .option('--write', `write it to ${FILE}, which is committed`)
  .action(async (options: { write?: true }) => {
    const text = openApiText(routes, VERSION);
    if (!options.write) return write(text);
    await writeFile(FILE, text);
    say(`${FILE} written`);
  });

export const asyncApiCommand = new Command('asyncapi')
  .description('Print the AsyncAPI description of the WebSocket')
  .option('--write', `write it to ${ASYNC_FILE}, which is committed`)
  .action(async (options: { write?: true }) => {
    const text = asyncApiText(VERSION, channels, payloads, defaultLimits);
    if (!options.write) return write(text);
    await writeFile(ASYNC_FILE, text);
    say(`${ASYNC_FILE} written`);
  });

export const permissionsCommand = new Command('permissions')
  .description('Print a table of who may call which operation')
  .option('--write', `write it to ${PERMISSIONS}, which is committed`)
  .action(async (options: { write?: true }) => {
    const text = permissionTable(routes);
    if (!options.write) return write(text);
    await writeFile(PERMISSIONS, text);
    say(`${PERMISSIONS} written`);
  });

export const configCommand = new Command('config')
  .description('Print all settings, as the table of docs/settings.md')
  .action(() => writeLine(configTable()));
