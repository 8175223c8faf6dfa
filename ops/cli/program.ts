/** The command line. Each command has its own file in this folder. */
import { Command } from 'commander';
import { VERSION } from '../version.ts';
import { backupCommand, restoreCommand } from './backup.ts';
import { checkCommand } from './check.ts';
import { asyncApiCommand, configCommand, openApiCommand, permissionsCommand } from './documents.ts';
import { eventsCommand } from './events.ts';
import { filesCommand } from './files.ts';
import { grantCommand } from './grant.ts';
import { initCommand } from './init.ts';
import { jobsCommand } from './jobs.ts';
import { listenCommand } from './listen.ts';
import { mailCommand } from './mail.ts';
import { operatorsCommand } from './operators.ts';
import { projectionsCommand } from './projections.ts';
import { resortCommand } from './resort.ts';
import { seedCommand } from './seed.ts';
import { stockCommand } from './stock.ts';
import { vaultCommand } from './vault.ts';
import { voiceCommand } from './voice.ts';

export const program = new Command('resort')
  .description('Operate the resort booking platform: the running system, or the stores of the settings.')
  .version(VERSION);
const commands = [
  initCommand(),
  checkCommand(),
  grantCommand(),
  operatorsCommand(),
  projectionsCommand,
  eventsCommand,
  jobsCommand,
  filesCommand,
  mailCommand,
  backupCommand,
  restoreCommand,
  vaultCommand,
  seedCommand,
  resortCommand,
  stockCommand,
  voiceCommand,
  listenCommand,
  openApiCommand,
  asyncApiCommand,
  permissionsCommand,
  configCommand,
];
for (const command of commands) program.addCommand(command);
