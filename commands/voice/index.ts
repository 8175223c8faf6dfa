/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { connectVoice, voiceSettings } from './connect.ts';
import { voiceElsewhere } from './held.ts';
import { recordingLook } from './recordings.ts';
import { roomLook } from './rooms.ts';

export const voice = {
  jobs: [roomLook, recordingLook],
  settings: voiceSettings,
  connect: connectVoice,
  holdsElsewhere: voiceElsewhere,
} as const satisfies CommandModule;
