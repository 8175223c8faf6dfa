/** What the commands on files need beside the core. */
import type { ProcessPool } from '../../infra/processPool.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { FileStore } from './fileStore.ts';
import type { FileUsesPort } from './fileUses.ts';

export interface FilePorts {
  readonly fileStore: FileStore;
  /** The processes that read uploads. */
  readonly fileReader: ProcessPool;
  /** The folder in which uploads are put together, on the disk of each process. */
  readonly settings: { readonly incomingDir: string };
}
export type FileDeps = CoreDeps & FilePorts & FileUsesPort;
