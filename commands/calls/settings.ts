/** The environment settings of calls. */
import { Type } from '@sinclair/typebox';
import { together, unset } from '../../infra/settings.ts';

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
