/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { connectFiles } from './connect.ts';
import { bytesErasure, removeErasedFiles } from './erasure.ts';
import { keptFiles } from './keptFiles.ts';
import { filePolicy } from './policy.ts';
import { fileSettings } from './settings.ts';
import { fileMigrations, storedFiles, unusedFile } from './unused.ts';

export const files = {
  policies: [filePolicy],
  jobs: [unusedFile, keptFiles, bytesErasure.job],
  migrations: [fileMigrations],
  erasure: { after: removeErasedFiles, outside: [bytesErasure] },
  settings: fileSettings,
  connect: connectFiles,
  externalPersonalData: [storedFiles],
} as const satisfies CommandModule;
