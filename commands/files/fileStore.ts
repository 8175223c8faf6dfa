/** Where the bytes of files are: a folder, or a bucket of an S3 server. */
import type { Readable } from 'node:stream';
import { OutsideFault } from '../../infra/outsideFault.ts';

export interface FileStore {
  /**
   * Stores the file at `path`; it is durable when this resolves. Replaces what was there.
   * @throws FileStoreAway
   */
  put(key: string, path: string, type: string): Promise<void>;
  /**
   * The bytes, or those from `start` to `end`, both included and counted from 0.
   * @throws FileMissing, FileStoreAway
   */
  get(key: string, range?: { readonly start: number; readonly end: number }): Promise<Readable>;
  /**
   * Removes the bytes with all former versions of them. Safe to repeat, also for what is not there.
   * @returns whether the store keeps former versions that it does not let us delete
   * @throws FileStoreAway
   */
  remove(key: string): Promise<Removed>;
  /**
   * What the store keeps of objects that were deleted or replaced, object by object. A folder keeps nothing.
   * @throws FileStoreAway
   */
  former(): AsyncIterable<FormerVersions>;
  /**
   * Deletes the former versions of an object; its bytes, or the mark that it was deleted, stay. Safe to repeat.
   * @returns whether the store does not let us delete some
   * @throws FileStoreAway
   */
  removeFormer(key: string): Promise<Removed>;
  /** Then deletes the mark that it was deleted, too, unless former versions are left. @throws FileStoreAway */
  removeMark(key: string): Promise<Removed>;
  /** Ends its connections, and asks no more whether it is back. */
  close(): Promise<void>;
}

/** What a store keeps of one object, beside its bytes of now. */
export interface FormerVersions {
  readonly key: string;
  /** How many have bytes. */
  readonly versions: number;
  /** How often it was deleted: marks, without bytes. */
  readonly marks: number;
  /** It has no bytes of now. */
  readonly isDeleted: boolean;
}

export type Removed = 'gone' | 'versions_left';

/** The store has no such file. */
export class FileMissing extends Error {
  override readonly name = 'FileMissing';
}

/** The store does not answer, or refuses: try again later. */
export class FileStoreAway extends OutsideFault {
  override readonly name = 'FileStoreAway';
}

/** The keys of a file: its bytes, and its thumbnail where it has one. */
export const keysOf = (id: string) => ({ file: id, thumbnail: `${id}.thumbnail` });

/** Deletes the bytes of a file. Safe to repeat. @throws FileStoreAway */
export const removeBytes = async (store: FileStore, id: string): Promise<void> => {
  const { file, thumbnail } = keysOf(id);
  await store.remove(thumbnail);
  await store.remove(file);
};
