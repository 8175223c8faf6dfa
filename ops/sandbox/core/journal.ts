/**
 * Storage of the sandbox: a few maps, kept in a file of JSON lines. A line is one atomic change, so that a payment is
 * never stored without its notification. It is written before the change is visible, and replayed at start. Without a
 * folder nothing is stored on disk.
 */
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** `[table, id, value]`; a null value removes. */
export type Change<Tables> = {
  [T in keyof Tables & string]: readonly [table: T, id: string, value: Tables[T] | null];
}[keyof Tables & string];

export interface Journal<Tables> {
  readonly tables: { readonly [T in keyof Tables]: ReadonlyMap<string, Tables[T]> };
  /** Applies all changes or none. */
  commit(changes: readonly Change<Tables>[]): void;
  close(): void;
}

/** Only one process uses a folder: the port that it listens on guarantees it. */
const FILE = 'sandbox.v1.jsonl';

/** Opens the journal in `folder`, and compacts its file to the current values. */
export const openJournal = <Tables>(
  names: readonly (keyof Tables & string)[],
  folder: string | undefined,
): Journal<Tables> => {
  const tables = Object.fromEntries(names.map((name) => [name, new Map<string, unknown>()])) as {
    [T in keyof Tables]: Map<string, Tables[T]>;
  };
  const apply = (changes: readonly Change<Tables>[]): void => {
    for (const [table, id, value] of changes) {
      if (value === null) tables[table].delete(id);
      else tables[table].set(id, value);
    }
  };
  const lines =
    folder === undefined
      ? undefined
      : openLines(
          folder,
          (line) => apply(JSON.parse(line)),
          () => names.flatMap((name) => [...tables[name]].map(([id, value]) => JSON.stringify([[name, id, value]]))),
        );
  return {
    tables,
    commit: (changes) => {
      lines?.append(JSON.stringify(changes));
      apply(changes);
    },
    close: () => lines?.close(),
  };
};

/** Replays the file, rewrites it with the lines of `live`, and opens it for appending. */
const openLines = (folder: string, replay: (line: string) => void, live: () => string[]) => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, FILE);
  // The part after the last line break is empty, or a line that a crash truncated.
  for (const line of readIfThere(path).split('\n').slice(0, -1)) replay(line);
  writeFileSync(
    `${path}.new`,
    live()
      .map((line) => `${line}\n`)
      .join(''),
    { mode: 0o600 },
  );
  renameSync(`${path}.new`, path);
  const file = openSync(path, 'a');
  let { size } = fstatSync(file);
  return {
    append: (line: string) => {
      const bytes = Buffer.from(`${line}\n`);
      try {
        for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
        size += bytes.length;
      } catch (error) {
        // A full disk may have taken a part of the line, to which the next one would be added.
        ftruncateSync(file, size);
        throw error;
      }
    },
    close: () => closeSync(file),
  };
};

const readIfThere = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return '';
    throw error;
  }
};
