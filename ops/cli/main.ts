/** Entry of the command line. Errors that an operator can fix become one line. */
import { FileStoreAway } from '../../commands/files/fileStore.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { AccessDenied, EventTooLarge, StoreUnavailable } from '../../eventstore/client/index.ts';
import { CodecError } from '../../eventstore/codec.ts';
import { LogsDiffer } from '../../eventstore/copy.ts';
import { VaultError } from '../../eventstore/vault.ts';
import { FolderInUse } from '../../infra/fileLock.ts';
import { IncompatibleData } from '../../infra/incompatible.ts';
import { endWithNpm } from '../../infra/npm.ts';
import { ConfigError } from '../../infra/settings.ts';
import { program } from './program.ts';
import { CommandFailed } from './stores.ts';

/** Errors that an operator can fix. Any other error is a bug and is printed with its stack. */
const PLAIN = [
  AccessDenied,
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

endWithNpm();
await program.parseAsync().catch((error: unknown) => {
  const plain = PLAIN.some((kind) => error instanceof kind);
  process.stderr.write(`${error instanceof Error ? (plain ? error.message : error.stack) : String(error)}\n`);
  process.exitCode = 1;
});
