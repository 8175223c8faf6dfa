/**
 * Whether files are used, and by whose things. Files know no other module: each module that uses some declares in its
 * manifest how to find out, for each kind of its usages.
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
export type FileUse<Deps = CoreDeps> = (deps: Deps, attached: AttachedFile) => Promise<boolean>;

/** The account that owns what uses a file; undefined: there is no such thing. */
export type OwnerOf = (deps: CoreDeps, id: string) => Promise<string | undefined>;

/** What a module says of one kind of its usages. */
interface FileUsage {
  readonly isUsed: FileUse;
  /** Whose thing uses the files. They stay when their uploader is erased, unless that is the same person. */
  readonly whose: 'uploader' | 'resort' | OwnerOf;
}

/** By the `kind` of the usage: never renamed. */
export type FileUses = Readonly<Record<string, FileUsage>>;

/** Part of the manifest of a module that uses files. */
export interface FileUsers {
  readonly fileUses: FileUses;
}

export interface FileUsesPort {
  readonly fileUses: FileUses;
}
