/** Uploads of pictures, voice messages, videos and PDF documents, and who may read them. */
import { FileMissing, FileStoreAway } from '../../commands/files/fileStore.ts';
import { keepIncomingClear } from '../../commands/files/incoming.ts';
import { UploadRefused } from '../../commands/files/refusals.ts';
import { appModule } from '../http/appModule.ts';
import { type ErrorMapping, temporary } from '../http/errors.ts';
import type { ApiModule } from '../http/module.ts';
import { attachmentRoutes } from './attachments.ts';
import { fileRoutes } from './files.ts';

const errors: ErrorMapping = (error) => {
  if (error instanceof UploadRefused) return { code: error.code, detail: error.message, unexpected: false };
  if (error instanceof FileMissing)
    return { code: 'not_found', detail: 'The bytes of this file are missing.', unexpected: true };
  if (error instanceof FileStoreAway && error.isForGood)
    return temporary(
      'unavailable',
      'Files cannot be stored or read: the file store does not accept this system. Its operators see that; trying again does not help before they have repaired it.',
    );
  if (error instanceof FileStoreAway)
    return temporary('unavailable', 'The file store is temporarily unavailable. Try again shortly.');
  return undefined;
};

export const files: ApiModule = {
  service: 'platform',
  opens: appModule('files'),
  routes: [...attachmentRoutes, ...fileRoutes],
  errors,
  start: async ({ settings, log, stopping }) => {
    const clearing = keepIncomingClear(settings.incomingDir, log, stopping);
    return { stop: () => clearing };
  },
};
