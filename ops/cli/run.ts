/** Runs one command. Errors that an operator can fix become one line. */
import { FileStoreAway } from '../../commands/files/fileStore.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { AccessDenied, EventTooLarge, StoreUnavailable } from '../../eventstore/client/index.ts';
import { CodecError } from '../../eventstore/codec.ts';
import { LogsDiffer } from '../../eventstore/copy.ts';
import { VaultError } from '../../eventstore/vault.ts';
import { fileFault } from '../../infra/fileFaults.ts';
import { FolderInUse } from '../../infra/fileLock.ts';
import { IncompatibleData } from '../../infra/incompatible.ts';
import { ConfigError } from '../../infra/settings.ts';
import { isStoreAway } from '../../infra/storeFaults.ts';
import { CannotRun } from '../postgres/home.ts';
import { takeSecretFiles } from '../secretFiles.ts';
import { program } from './program.ts';
import { CommandFailed } from './stores.ts';

/** Errors that an operator can fix. Any other error is a bug and is printed with its stack. */
const PLAIN = [
  AccessDenied,
  CannotRun,
  CodecError,
  CommandFailed,
  ConfigError,
  EventTooLarge,
  FileStoreAway,
  FolderInUse,
  IncompatibleData,
  Rejected,
  StoreUnavailable,
  LogsDiffer,
  VaultError,
];

/** Of several addresses that were tried, the first says why. */
const firstOf = (error: Error): Error =>
  error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;

/** SQLSTATEs of a table and of a schema that are not there. */
const NO_TABLES: readonly unknown[] = ['42P01', '3F000'];

const said = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (PLAIN.some((kind) => error instanceof kind)) return error.message;
  if ('code' in error && NO_TABLES.includes(error.code))
    return 'this database has no tables of the platform: start the system once, or set DATABASE_URL to its database';
  const fault = fileFault(error);
  if (fault !== undefined) return fault;
  const { message, stack = message } = firstOf(error);
  return isStoreAway(error) ? `the database or a disk cannot be used: ${message}` : stack;
};

/** `init` needs no settings, and `check` tells all that is wrong with them. */
const READS_NO_SETTINGS = ['init', 'check'];

program.hook('preAction', (_, command) => {
  if (READS_NO_SETTINGS.includes(command.name())) return;
  const problems = takeSecretFiles(process.env);
  if (problems.length > 0) throw new ConfigError(problems);
});

/** Runs a command to its end. What went wrong is written to stderr, and sets the exit code. @param args without program */
export const runCommand = async (args: readonly string[]): Promise<void> => {
  await program.parseAsync(args, { from: 'user' }).catch((error: unknown) => {
    process.stderr.write(`${said(error)}\n`);
    process.exitCode = 1;
  });
};
