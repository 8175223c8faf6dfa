/** Reads uploads as the product does: in a process of its own. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createFileReader, inspect } from '../../commands/files/inspect.ts';
import type { FolderName } from '../../domain/files/folders.ts';
import { createLogger } from '../../infra/log.ts';

/** For one spec, at its top level. */
export const inspecting = () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'resort-inspect-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const reader = createFileReader(createLogger({ level: 'silent', role: 'test' }));
  let count = 0;
  /** What is known and stored of an upload. */
  const inspected = async (bytes: Buffer, into: FolderName = 'chat') => {
    count += 1;
    const file = path.join(folder, String(count));
    await writeFile(file, bytes);
    const { path: to, thumbnail, facts } = await inspect(reader, { path: file, folder: into, ownerId: String(count) });
    return { facts, bytes: await readFile(to), thumbnail: thumbnail ? await readFile(thumbnail) : undefined };
  };
  /** `accepted`, or why it is refused: `code: detail`. */
  const refusal = (bytes: Buffer, into?: FolderName) =>
    inspected(bytes, into).then(
      () => 'accepted',
      ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
    );
  return { inspected, refusal };
};
