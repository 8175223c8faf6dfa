/** The voice server, made from the settings. */
import type { ModuleConfig } from '../core/module.ts';
import type { VoicePorts } from './deps.ts';
import { type LivekitSettings, livekit } from './livekit.ts';
import type { voiceSettings } from './settings.ts';

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
  return { voiceServer: settings && livekit(settings) };
};
