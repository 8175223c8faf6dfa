/** The environment settings of calls. */
import { Type } from '@sinclair/typebox';
import { together, unset } from '../../infra/settings.ts';
import type { ModuleConfig } from '../core/module.ts';
import type { CallPorts } from './deps.ts';
import type { TurnServer } from './turn.ts';

const TurnUrl = Type.String({ pattern: '^(stun|stuns|turn|turns):[^\\s,/]+$', example: 'turn:turn.example:3478' });

export const callSettings = together({
  TURN_SECRET: unset({
    secret: true,
    minLength: 16,
    description: '`static-auth-secret` of the TURN server. Unset = a development value; in production no TURN server.',
  }),
  TURN_URLS: Type.Optional(
    Type.Array(TurnUrl, {
      uniqueItems: true,
      minItems: 1,
      description:
        'Addresses of the TURN server for clients, comma-separated: `turn:turn.example.org:3478?transport=udp`.',
    }),
  ),
});
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
