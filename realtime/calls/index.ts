/**
 * The channel of a call. What the devices of the two negotiate passes through the hub and is not stored. Media flow between
 * the devices, or through a TURN server.
 */
import { Type } from '@sinclair/typebox';
import { Nullable } from '../../domain/core/schema.ts';
import { isInCall } from '../../projections/calls/callParties.ts';
import { callChannel } from '../../projections/calls/channels.ts';
import type { RealtimeModule } from '../hub/channels.ts';

/** A session description, of which the hub understands nothing. A frame bounds its length. */
const Sdp = Type.String({ minLength: 1 });
const closed = { additionalProperties: false };

export const calls: RealtimeModule = {
  channels: [
    {
      ...callChannel,
      aliases: ['realtime:call_{id}'],
      summary:
        'Signals between the two people in a call, from the first ring to its end. Only they may subscribe. A change of the network needs no new call: send an offer with `restart`.',
      allows: (who, id, db) => isInCall(db, id, who.accountId),
      ephemeral: [
        {
          type: 'signal.offer',
          summary: 'A session description that offers, at the start and for each ICE restart.',
          data: Type.Object({ sdp: Sdp, restart: Type.Optional(Type.Boolean()) }, closed),
          everyMs: 0,
        },
        {
          type: 'signal.answer',
          summary: 'A session description that answers an offer.',
          data: Type.Object({ sdp: Sdp }, closed),
          everyMs: 0,
        },
        {
          type: 'signal.ice',
          summary: 'An ICE candidate; null: there are no more.',
          data: Type.Object(
            {
              candidate: Nullable(Type.String({ maxLength: 4_096 })),
              sdp_mid: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
              sdp_m_line_index: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 255 }))),
              username_fragment: Type.Optional(Nullable(Type.String({ maxLength: 256 }))),
            },
            closed,
          ),
          everyMs: 0,
        },
      ],
    },
  ],
};
