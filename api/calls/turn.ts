/** Credentials for the TURN server, through which media pass where devices cannot reach each other. */
import { Type } from '@sinclair/typebox';
import { TURN_TTL, turnCredentials } from '../../commands/calls/turn.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { route } from '../http/route.ts';

const TurnCredentials = Type.Object(
  {
    username: Type.String({ description: '`<expiry>:<user>`, the expiry in seconds since 1970.' }),
    credential: Type.String(),
    ttl: Type.Integer({ description: 'How long they are valid, in seconds.', examples: [TURN_TTL] }),
    urls: Type.Array(Type.String()),
  },
  { $id: 'TurnCredentials' },
);

const credentials = route('GET /api/v1/calls/turn-credentials', {
  id: 'getTurnCredentials',
  access: 'user',
  rate: 'call',
  summary: 'Get credentials for the TURN server',
  description: 'The reply fits into `iceServers` of an `RTCPeerConnection`.',
  reply: TurnCredentials,
  errors: ['turn_unavailable'],
  handle: ({ caller, context }, { settings: { turn } }) => {
    if (!turn)
      throw new Rejected('turn_unavailable', 'This resort has no TURN server. Devices can connect only directly.');
    const { urls, ...rest } = turnCredentials(turn, caller.id, context.at);
    return { ...rest, urls: [...urls] };
  },
});

export const turnRoutes = [credentials];
