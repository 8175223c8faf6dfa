/** The environment settings of voice rooms. */
import { integer, together, unset } from '../../infra/settings.ts';

export const voiceSettings = {
  ...together({
    LIVEKIT_URL: unset({
      pattern: '^(https?|wss?)://',
      unreadable: (value) =>
        /^\w+:\/\/[^/?#@\s]+\/?$/.test(value)
          ? undefined
          : 'LIVEKIT_URL has more than a host and a port: devices find LiveKit only at the root of an address',
      example: 'wss://voice.example',
      description:
        'LiveKit server of voice rooms, such as `wss://voice.example.org`, without a path. Unset = the sandbox; in production no voice rooms.',
    }),
    LIVEKIT_API_KEY: unset({ minLength: 1, description: 'API key of that server.' }),
    LIVEKIT_API_SECRET: unset({
      secret: true,
      minLength: 32,
      description: 'Secret of that key: signs tokens and webhooks.',
    }),
  }),
  VOICE_RECORDING_DAYS: integer(30, 1, 3_650, 'Days for which recordings of voice rooms are kept.'),
};
