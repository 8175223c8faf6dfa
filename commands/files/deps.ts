/** What the commands on files need beside the core. */
import type { ProcessPool } from '../../infra/processPool.ts';
import type { AccountDeps } from '../accounts/deps.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { FileStore } from './fileStore.ts';
import type { FileUsesPort } from './fileUses.ts';

export interface FilePorts {
  readonly fileStore: FileStore;
  /** The processes that read uploads. */
  readonly fileReader: ProcessPool;
  readonly settings: FileSettings;
}
/** Limits are counted as those of accounts are. */
export type FileDeps = CoreDeps & FilePorts & FileUsesPort & Pick<AccountDeps, 'settings'>;

interface FileSettings {
  /** The folder in which uploads are put together, on the disk of each process. */
  readonly incomingDir: string;
}
