/** The TURN server of calls, from the settings. */
import type { ModuleConfig } from '../core/module.ts';
import type { CallPorts } from './deps.ts';
import type { callSettings } from './settings.ts';
import type { TurnServer } from './turn.ts';

type Config = ModuleConfig<typeof callSettings>;

/** For a coturn on this machine, started with this secret. */
const DEVELOPMENT: TurnServer = {
  secret: 'dev-only-turn-secret',
  urls: ['turn:localhost:3478?transport=udp', 'turn:localhost:3478?transport=tcp'],
};

const turnOf = ({ TURN_SECRET: secret, TURN_URLS: urls, NODE_ENV }: Config): TurnServer | null => {
  if (secret !== undefined && urls !== undefined) return { secret, urls };
  return NODE_ENV === 'production' ? null : DEVELOPMENT;
};

export const connectCalls = (config: Config): CallPorts => ({ settings: { turn: turnOf(config) } });
