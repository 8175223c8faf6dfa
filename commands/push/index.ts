/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { broadcastJob } from './broadcastJob.ts';
import { connectPush } from './connect.ts';
import { deleteNamed } from './erasure.ts';
import { laneJob } from './laneJob.ts';
import { pushPolicy } from './policy.ts';
import { pushedMessages } from './service.ts';
import { pushSettings } from './settings.ts';
import { prunePush, pushMigrations } from './tables.ts';

export const push = {
  policies: [pushPolicy],
  jobs: [broadcastJob, laneJob],
  migrations: [pushMigrations],
  prunes: [prunePush],
  erasure: { after: deleteNamed },
  settings: pushSettings,
  connect: connectPush,
  externalPersonalData: [pushedMessages],
} as const satisfies CommandModule;
