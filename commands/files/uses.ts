/**
 * Whether files are used. Files know no other module: each module that uses some declares in its manifest how to find out,
 * for each kind of its usages.
 */
import type { Usage } from '../../domain/files/file.ts';
import type { CoreDeps } from '../core/deps.ts';

/** A file, and what it was attached to. */
export interface AttachedFile extends Usage {
  readonly fileId: string;
  /** When it was attached, RFC 3339. What uses it was recorded at that time or later, if it was. */
  readonly attachedAt: string;
}

/**
 * Whether the usage came about, as the log has it. True also when it has ended: the module removes the files then.
 * @throws StoreUnavailable to be asked again
 */
export type FileUse = (deps: CoreDeps, attached: AttachedFile) => Promise<boolean>;

/** By the `kind` of the usage: never renamed. */
export type FileUses = Readonly<Record<string, FileUse>>;

/** Part of the manifest of a module that uses files. */
export interface FileUsers {
  readonly fileUses: FileUses;
}

export interface FileUsesPort {
  readonly fileUses: FileUses;
}
