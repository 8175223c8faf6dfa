/** The folder in which uploads are put together: what a process left there that ended in the middle of one. */
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { HOUR_MS } from '../../domain/core/instants.ts';
import type { Logger } from '../../infra/log.ts';
import { sleep } from '../../infra/retry.ts';

const EVERY_MS = HOUR_MS;
/** Longer than any upload takes. */
const LEFT_AFTER_MS = HOUR_MS;

/** Deletes what nobody has written to for an hour before `now` (ms since 1970). @returns how many files */
export const clearIncoming = async (folder: string, now: number): Promise<number> => {
  let cleared = 0;
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const file = path.join(folder, name);
    const written = await stat(file).catch(() => undefined);
    if (!written || now - written.mtimeMs < LEFT_AFTER_MS) continue;
    await rm(file, { force: true });
    cleared += 1;
  }
  return cleared;
};

/** Does so now and every hour, until `signal` fires. */
export const keepIncomingClear = async (folder: string, log: Logger, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await clearIncoming(folder, Date.now()).catch((err: unknown) =>
      log.warn({ err }, 'interrupted uploads were not cleared away'),
    );
    await sleep(EVERY_MS, signal);
  }
};
