/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import type { AppealableKinds } from '../reports/appealables.ts';
import { voiceAppealables } from './appealables.ts';
import { connectVoice } from './connect.ts';
import { voiceNotifications } from './notifications.ts';
import { voicePolicy } from './policy.ts';
import { recordingLook } from './recordingLook.ts';
import { recordingFile, removeRecordingsOf, soundRecordings } from './recordingRemovals.ts';
import { roomLook } from './rooms.ts';
import { voiceSettings } from './settings.ts';
import { pruneUnknown, unknownMigrations } from './unknownReports.ts';
import { peopleInRooms } from './voiceServer.ts';
import { voiceMigrations } from './voices.ts';

export const voice = {
  notifications: voiceNotifications,
  appealables: voiceAppealables,
  jobs: [roomLook, recordingLook, recordingFile],
  policies: [voicePolicy],
  migrations: [voiceMigrations, unknownMigrations],
  prunes: [pruneUnknown],
  erasure: { after: removeRecordingsOf },
  settings: voiceSettings,
  connect: connectVoice,
  externalPersonalData: [soundRecordings, peopleInRooms],
} as const satisfies CommandModule & AppealableKinds;
