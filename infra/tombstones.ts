/**
 * Tombstones: who was erased, and when, as one file each in a folder of their own. A restored backup brings a person's key
 * back, and the tombstone destroys it again; so the folder is not part of a backup that is restored with the stores. A
 * tombstone holds an id and a time, and nothing else about the person.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

interface Tombstone {
  readonly person: string;
  /** When the erasure was requested, RFC 3339. */
  readonly at: string;
}

export interface Tombstones {
  /** Durable when it resolves. Returns the one that exists already, if there is one. */
  write(tombstone: Tombstone): Promise<Tombstone>;
  list(): Promise<Tombstone[]>;
}

const SUFFIX = '.json';
const PERSON = /^[0-9a-f-]{36}$/;

const flush = async (path: string, write?: string): Promise<void> => {
  const file = await open(path, write === undefined ? 'r' : 'w', 0o600);
  try {
    if (write !== undefined) await file.writeFile(write);
    await file.sync();
  } finally {
    await file.close();
  }
};

/** @param folder made when it is missing */
export const createTombstones = (folder: string): Tombstones => {
  const pathOf = (person: string): string => join(folder, `${person}${SUFFIX}`);
  const read = async (person: string): Promise<Tombstone | undefined> => {
    try {
      return JSON.parse(await readFile(pathOf(person), 'utf8')) as Tombstone;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };
  return {
    write: async (tombstone) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const existing = await read(tombstone.person);
      if (existing) return existing;
      // Of its own: two requests may erase the same person at once.
      const next = `${pathOf(tombstone.person)}.${randomUUID()}.next`;
      await flush(next, `${JSON.stringify(tombstone)}\n`);
      await rename(next, pathOf(tombstone.person));
      await flush(folder);
      return tombstone;
    },
    list: async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const people = (await readdir(folder))
        .filter((name) => name.endsWith(SUFFIX))
        .map((name) => name.slice(0, -SUFFIX.length))
        .filter((name) => PERSON.test(name));
      const found: Tombstone[] = [];
      for (const person of people) {
        const tombstone = await read(person);
        if (tombstone) found.push(tombstone);
      }
      return found;
    },
  };
};
