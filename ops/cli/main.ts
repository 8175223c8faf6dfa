/** The command line. Each command is in `commands/`; here they come together, and errors become one clear line. */
import { Command } from 'commander';
import { Rejected } from '../../domain/core/decider.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { LogsDiffer } from '../../eventstore/copy.ts';
import { Dismissed } from '../../realtime/hub/client.ts';
import { ConfigError } from '../config.ts';
import { VERSION } from '../version.ts';
import { configCommand, openApiCommand, permissionsCommand } from './documents.ts';
import { eventsCommand } from './events.ts';
import { jobsCommand } from './jobs.ts';
import { listenCommand } from './listen.ts';
import { projectionsCommand } from './projections.ts';
import { seedCommand } from './seed.ts';
import { CommandFailed } from './stores.ts';

/** What a person can put right; anything else is ours, and shown with its stack. */
const PLAIN = [CommandFailed, ConfigError, Dismissed, Rejected, StoreUnavailable, LogsDiffer];

const program = new Command('resort')
  .description('Operates the resort booking platform: the running system, or the stores that the settings name.')
  .version(VERSION);
const commands = [
  projectionsCommand,
  eventsCommand,
  jobsCommand,
  seedCommand,
  listenCommand,
  openApiCommand,
  permissionsCommand,
  configCommand,
];
for (const command of commands) program.addCommand(command);

await program.parseAsync().catch((error: unknown) => {
  const plain = PLAIN.some((kind) => error instanceof kind);
  process.stderr.write(`${error instanceof Error ? (plain ? error.message : error.stack) : String(error)}\n`);
  process.exitCode = 1;
});
