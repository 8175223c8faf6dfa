/** Voice rooms of topics: let in, who is there, and the reports of the voice server. */
import { type Static, Type } from '@sinclair/typebox';
import { enterRoom } from '../../commands/voice/rooms.ts';
import { unknownReports } from '../../commands/voice/unknownReports.ts';
import { ForgedVoiceEvent } from '../../commands/voice/voiceServer.ts';
import { receiveVoiceEvent } from '../../commands/voice/webhook.ts';
import { Instant, Nullable, Uuid } from '../../domain/core/schema.ts';
import { topicChannel } from '../../projections/forums/channels.ts';
import type { TopicRow } from '../../projections/forums/topics.ts';
import { newestPlayable, recordingById, voiceRecordings } from '../../projections/voice/recordings.ts';
import { emptyRoom, type RoomRow, VoiceRoomWire, voiceRoomOf, voiceRooms } from '../../projections/voice/rooms.ts';
import { readableTopic, writerOf } from '../forums/access.ts';
import type { App } from '../http/app.ts';
import { HttpError } from '../http/errors.ts';
import { ById, NO_CONTENT, route } from '../http/route.ts';
import { shown } from './recordings.ts';

const token = route('POST /api/v1/forums/:id/voice/token', {
  id: 'createVoiceToken',
  access: 'user',
  rate: 'call',
  summary: 'Enter the voice room of a topic',
  description:
    'A token of LiveKit for this device, which lets it join within a minute and send the sound of its microphone. People who are muted in the topic, and everybody but admins while it is locked, only listen. People who are banned from the forums get 403, and so does everybody in a topic that a moderator has removed. All this holds for who is in the room, too, as soon as it changes. Whoever signs out leaves the room.',
  params: ById,
  reply: Type.Object(
    {
      token: Type.String(),
      url: Type.String({ description: 'Where to connect with it.', examples: ['wss://voice.example.org'] }),
      identity: Type.String({ description: 'Of this device: `<account>:<session>`.' }),
      can_publish: Type.Boolean({ description: 'false: only listens.' }),
      can_record: Type.Boolean({ description: 'Whether this person can record the room while they are in it.' }),
      expires_at: Instant,
    },
    { $id: 'VoiceToken' },
  ),
  errors: ['not_found', 'forbidden', 'voice_unavailable'],
  projections: [voiceRooms],
  handle: async ({ params, caller, context }, app) => {
    const who = { ...writerOf(caller), sessionId: caller.sessionId };
    const { token, url, identity, canTalk, canRecord, expiresAt } = await enterRoom(app, context, params.id, who);
    return { token, url, identity, can_publish: canTalk, can_record: canRecord, expires_at: expiresAt };
  },
});

const Room = Type.Object(
  {
    ...VoiceRoomWire.properties,
    egress_id: Nullable(
      Type.String({ description: 'Of the recording that runs, else of the newest one with a file.' }),
    ),
    recording_url: Nullable(Type.String({ description: 'Plays the newest recording. null: there is none.' })),
    recording_duration_s: Nullable(Type.Integer({ description: 'Of that recording, in whole seconds.' })),
  },
  { $id: 'VoiceRoom' },
);

const roomNow = async (
  app: App,
  row: RoomRow,
  topic: Pick<TopicRow, 'status'>,
  at: string,
): Promise<Static<typeof Room>> => {
  const running = row.recording_id === null ? undefined : await recordingById(app.db, row.recording_id);
  const newest = await newestPlayable(app.db, row.topic_id);
  const playable = newest && shown(app, newest, topic, at);
  return {
    ...row,
    egress_id: running?.egress_id ?? playable?.egress_id ?? null,
    recording_url: playable?.recording_url ?? null,
    recording_duration_s: playable?.recording_url ? playable.recording_duration_s : null,
  };
};

const room = route('GET /api/v1/forums/:id/voice', {
  id: 'getVoiceRoom',
  access: 'user',
  summary: 'Who is in the voice room of a topic',
  description:
    'One participant for each device, whether the room is recorded, and the newest recording. Changes come on the channel of the topic.',
  params: ById,
  reply: Room,
  reads: [voiceRooms, voiceRecordings],
  errors: ['not_found'],
  channel: { of: topicChannel, id: ({ params }) => params.id },
  handle: async ({ params: { id }, caller, context }, app) => {
    const topic = await readableTopic(app, caller, id);
    return roomNow(app, (await voiceRoomOf(app.db, id)) ?? emptyRoom(id), topic, context.at);
  },
});

const webhook = route('POST /api/v1/forums/voice/webhook', {
  id: 'receiveVoiceEvent',
  ignoresKey: 'a report is known by its `id`',
  access: 'signed',
  openQuery: 'The sender chooses the address, and a notification that is refused is lost.',
  rate: 'notification',
  summary: 'Receive a report of the voice server',
  description: 'A webhook of LiveKit: `Authorization` has a token that signs the SHA-256 of the body.',
  bodyTypes: ['application/webhook+json'],
  signedBody: Type.Object(
    { event: Type.String({ examples: ['egress_ended'] }), id: Type.String() },
    { $id: 'VoiceEvent', additionalProperties: true },
  ),
  ...NO_CONTENT,
  errors: ['not_signed', 'voice_unavailable'],
  handle: async ({ context, request }, app) => {
    const sent = { rawBody: request.rawBody ?? '', authorization: request.header('authorization') };
    try {
      await receiveVoiceEvent(app, context, sent, () => request.countVerified('livekit'));
      return null;
    } catch (error) {
      if (error instanceof ForgedVoiceEvent)
        throw new HttpError('not_signed', 'This report was not signed by the voice server.');
      throw error;
    }
  },
});

const review = route('GET /api/v1/admin/forums/voice/review', {
  id: 'listUnknownVoiceReports',
  access: 'admin',
  harm: { none: 'shows ids of rooms and recordings' },
  summary: 'List reports of the voice server about unknown rooms and recordings',
  description:
    'The newest first, at most 100; kept for 30 days. Another product may use the same voice server, or something of ours was lost.',
  reply: Type.Object({
    data: Type.Array(
      Type.Object(
        {
          id: Uuid,
          event: Type.String({ examples: ['egress_ended'] }),
          room: Type.String(),
          egress_id: Nullable(Type.String()),
          times: Type.Integer({ description: 'How often it was reported.' }),
          first_at: Instant,
          last_at: Instant,
        },
        { $id: 'UnknownVoiceReport' },
      ),
    ),
  }),
  handle: async (_input, app) => ({ data: await unknownReports(app.pool) }),
});

export const roomRoutes = [token, room, webhook, review];
