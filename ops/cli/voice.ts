/** `voice check`: whether the voice server of the settings can be used. */
import { Command } from 'commander';
import { livekitOf } from '../../commands/voice/connect.ts';
import { livekit } from '../../commands/voice/livekit.ts';
import { VoiceServerError } from '../../commands/voice/server.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { readConfig } from '../config.ts';
import { CommandFailed } from './failed.ts';
import { writeLine } from './output.ts';

const whatIsWrong = (url: string, { kind, message }: VoiceServerError): string =>
  kind === 'refused'
    ? `${url} refuses the key: ${message}. Check LIVEKIT_API_KEY and LIVEKIT_API_SECRET.`
    : `${url} does not answer: ${message}. Check LIVEKIT_URL and the network.`;

const check = async (): Promise<void> => {
  const settings = livekitOf(readConfig(process.env));
  if (!settings) throw new CommandFailed('LIVEKIT_URL is not set: there are no voice rooms.');
  const server = livekit(settings);
  try {
    const rooms = await server.rooms();
    await server.token(ONLY_ONE, { identity: 'check', name: 'check', canPublish: false, isModerator: false });
    await writeLine(`${settings.url} answers: ${rooms.length} rooms are open, and tokens can be made.`);
  } catch (error) {
    if (error instanceof VoiceServerError) throw new CommandFailed(whatIsWrong(settings.url, error));
    throw error;
  }
};

export const voiceCommand = new Command('voice')
  .description('The voice server of topics')
  .addCommand(new Command('check').description('Ask the voice server for its rooms, and make a token').action(check));
