/**
 * Entry of the command line. Each command has its own file in this folder. Errors that an operator can fix become one
 * line.
 */
import { Command } from 'commander';
import { Rejected } from '../../domain/core/decider.ts';
import { AccessDenied, StoreUnavailable } from '../../eventstore/client/index.ts';
import { LogsDiffer } from '../../eventstore/copy.ts';
import { VaultError } from '../../eventstore/vault.ts';
import { IncompatibleData } from '../../infra/incompatible.ts';
import { ConfigError } from '../../infra/settings.ts';
import { Dismissed } from '../../realtime/hub/client.ts';
import { VERSION } from '../version.ts';
import { backupCommand, restoreCommand } from './backup.ts';
import { configCommand, openApiCommand, permissionsCommand } from './documents.ts';
import { eventsCommand } from './events.ts';
import { jobsCommand } from './jobs.ts';
import { listenCommand } from './listen.ts';
import { projectionsCommand } from './projections.ts';
import { seedCommand } from './seed.ts';
import { CommandFailed } from './stores.ts';
import { vaultCommand } from './vault.ts';

/** Errors that an operator can fix. Any other error is a bug and is printed with its stack. */
const PLAIN = [
  AccessDenied,
  CommandFailed,
  ConfigError,
  IncompatibleData,
  Dismissed,
  Rejected,
  StoreUnavailable,
  LogsDiffer,
  VaultError,
];

const program = new Command('resort')
  .description('Operate the resort booking platform: the running system, or the stores of the settings.')
  .version(VERSION);
const commands = [
  projectionsCommand,
  eventsCommand,
  jobsCommand,
  backupCommand,
  restoreCommand,
  vaultCommand,
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
