/** The environment settings of voice rooms, and the voice server. */
import { integer, together, unset } from '../../infra/settings.ts';
import type { ModuleConfig } from '../core/module.ts';
import type { VoicePorts } from './deps.ts';
import { type LivekitSettings, livekit } from './livekit.ts';

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
type Config = ModuleConfig<typeof voiceSettings>;

/** The voice server, or the sandbox in its place. @returns null where there is none */
export const livekitOf = (config: Config): LivekitSettings | null => {
  const { LIVEKIT_URL: url, LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret } = config;
  if (url !== undefined && apiKey !== undefined && apiSecret !== undefined) return { url, apiKey, apiSecret };
  if (config.NODE_ENV === 'production') return null;
  return {
    url: config.SANDBOX_URL,
    publicUrl: config.SANDBOX_PUBLIC_URL,
    apiKey: 'sandbox',
    apiSecret: 'dev-only-voice-secret-of-the-sandbox',
  };
};

/** The address that the voice server reports to. */
export const voiceWebhookUrl = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): string =>
  `${PUBLIC_URL}/api/v1/forums/voice/webhook`;

export const connectVoice = (config: Config): VoicePorts => {
  const settings = livekitOf(config);
  return {
    voiceServer: settings && livekit(settings),
    settings: { voiceRecordingDays: config.VOICE_RECORDING_DAYS },
  };
};
