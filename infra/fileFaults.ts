/** What a fault of a file or folder means, in words for whoever runs the system. */
import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';

/** The user of this process: `node, uid 1000`. */
const thisUser = (): string => {
  const { username, uid } = userInfo();
  return uid < 0 ? username : `${username}, uid ${uid}`;
};

/** Whose the file is, or the nearest folder above it that can be looked at. */
const owned = (file: string): string => {
  try {
    return `: ${file} belongs to uid ${statSync(file).uid}`;
  } catch {
    const parent = path.dirname(file);
    return parent === file ? '' : owned(parent);
  }
};

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  ENOTDIR: 'is below something that is no folder',
  EISDIR: 'is a folder',
  EROFS: 'is on a file system that can only be read',
  ENOSPC: 'has no room left on its disk',
  EDQUOT: 'has no room left in the quota of its disk',
};

/**
 * @returns one sentence about an error of `node:fs` that names a file: `/backups may not be written or read by this process
 * (node, uid 1000): /backups belongs to uid 0`; undefined for all others
 */
export const fileFault = (error: unknown): string | undefined => {
  const { code = '', path: file } = error as NodeJS.ErrnoException;
  if (typeof file !== 'string') return undefined;
  if (code === 'EACCES' || code === 'EPERM')
    return `${file} may not be read or written by this process (${thisUser()})${owned(file)}`;
  const words = WORDS[code];
  return words && `${file} ${words}`;
};
