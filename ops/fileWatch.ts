/** Asks the file store from time to time whether it can be used, for `/health`: nobody who asks for that waits for it. */
import type { FileDeps } from '../commands/files/deps.ts';
import { assertRoom } from '../commands/files/diskStore.ts';
import { watchStore } from '../infra/storeWatch.ts';

const EVERY_MS = 10_000;
/** Longer than a file store needs to know that it is not answered. */
const PATIENCE_MS = 3_000;
/** Without the reason, which names addresses: anybody may ask an API for its health. */
const REMARK = 'The file store cannot be used, or has no room: the log of the process has the reason.';

export interface FileWatch {
  remarks(): readonly string[];
  stop(): Promise<void>;
}

/** Also watches the folder of uploads that are being received. */
export const watchFiles = (
  { fileStore, settings, log }: Pick<FileDeps, 'fileStore' | 'settings' | 'log'>,
  everyMs = EVERY_MS,
): FileWatch => {
  const watch = watchStore({
    name: 'the file store',
    line: 'the file store is away',
    ask: () => Promise.all([fileStore.check(), assertRoom(settings.incomingDir)]),
    patienceMs: PATIENCE_MS,
    everyMs,
    isAskedAlways: true,
    log,
  });
  return { remarks: () => (watch.fault() === undefined ? [] : [REMARK]), stop: watch.stop };
};
