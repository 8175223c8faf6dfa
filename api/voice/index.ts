/** Voice rooms of forum topics: entering them, and recordings. */
import { VoiceServerError } from '../../commands/voice/voiceServer.ts';
import { appModule } from '../http/appModule.ts';
import { temporary } from '../http/errors.ts';
import type { ApiModule } from '../http/module.ts';
import { voiceModerationRoutes } from './moderation.ts';
import { recordingRoutes } from './recordings.ts';
import { roomRoutes } from './rooms.ts';

export const voice: ApiModule = {
  service: 'social',
  opens: appModule('voice'),
  routes: [...roomRoutes, ...recordingRoutes, ...voiceModerationRoutes],
  errors: (error) =>
    error instanceof VoiceServerError
      ? temporary(
          'unavailable',
          error.isForGood
            ? 'This system cannot use the voice server until its operators have repaired that. Trying again does not help before.'
            : 'The voice server does not answer. Try again shortly.',
        )
      : undefined,
};
