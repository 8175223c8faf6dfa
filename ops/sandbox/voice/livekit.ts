/**
 * As much of LiveKit as is used here: rooms and egress (Twirp, JSON), and signed webhooks. Nothing is transmitted, and
 * recordings are silent. `controls.ts` has devices join and leave, and has it fail.
 */
import type Router from '@koa/router';
import type { Context } from 'koa';
import { TokenVerifier } from 'livekit-server-sdk';
import type { FileStore } from '../../../commands/files/fileStore.ts';
import type { Logger } from '../../../infra/log.ts';
import { createCallFailures, mountVoiceControls } from './controls.ts';
import { mountVoicePage } from './page.ts';
import { createRecordings, type Recordings } from './recordings.ts';
import { createRooms, type Room, type Rooms } from './rooms.ts';
import { listOf, objectOf, type TwirpBody, TwirpFault, textOf } from './twirp.ts';
import { createWebhooks, type WebhookSettings } from './webhooks.ts';

export interface VoiceSandboxOptions extends WebhookSettings {
  /** Where recordings are put. Unset = nowhere. */
  readonly storage?: FileStore;
  /** How long it takes until something is recorded, in milliseconds; by default `STARTING_MS`. */
  readonly startingMs?: number;
}

const STARTING_MS = 500;
/** LiveKit asks for these rights in the token of a call; calls about one room, as an admin of that room. */
const NEEDED: Readonly<Record<string, 'roomCreate' | 'roomList' | 'roomRecord'>> = {
  'RoomService/CreateRoom': 'roomCreate',
  'RoomService/DeleteRoom': 'roomCreate',
  'RoomService/ListRooms': 'roomList',
  'Egress/StartRoomCompositeEgress': 'roomRecord',
  'Egress/ListEgress': 'roomRecord',
  'Egress/StopEgress': 'roomRecord',
};

const roomInfo = (name: string, { sid, metadata, participants }: Room): object => ({
  name,
  sid,
  metadata,
  num_participants: participants.size,
});

const methodsOf = (rooms: Rooms, recordings: Recordings): Record<string, (body: TwirpBody) => object> => ({
  'RoomService/CreateRoom': (body) => roomInfo(textOf(body, 'name'), rooms.open(textOf(body, 'name'))),
  'RoomService/DeleteRoom': (body) => {
    rooms.end(textOf(body, 'room'));
    return {};
  },
  'RoomService/ListRooms': (body) => {
    const names = listOf(body, 'names');
    const found = [...rooms.all].filter(([name]) => names.length === 0 || names.includes(name));
    return { rooms: found.map(([name, room]) => roomInfo(name, room)) };
  },
  'RoomService/ListParticipants': (body) => ({
    participants: [...rooms.named(textOf(body, 'room')).participants.values()],
  }),
  'RoomService/RemoveParticipant': (body) => {
    rooms.remove(textOf(body, 'room'), textOf(body, 'identity'));
    return {};
  },
  'RoomService/UpdateParticipant': (body) => {
    const permission = objectOf(body, 'permission');
    return rooms.update(textOf(body, 'room'), textOf(body, 'identity'), {
      name: textOf(body, 'name'),
      permission: {
        can_publish: textOf(permission, 'can_publish') === 'true',
        can_publish_sources: listOf(permission, 'can_publish_sources').map(String),
      },
    });
  },
  'RoomService/UpdateRoomMetadata': (body) => {
    const room = rooms.named(textOf(body, 'room'));
    room.metadata = textOf(body, 'metadata');
    return roomInfo(textOf(body, 'room'), room);
  },
  'Egress/StartRoomCompositeEgress': (body) => {
    const room = textOf(body, 'room_name');
    rooms.named(room);
    const [output] = listOf(body, 'file_outputs') as TwirpBody[];
    return recordings.start(room, textOf(output ?? {}, 'filepath'));
  },
  'Egress/ListEgress': (body) => ({ items: recordings.listOf(textOf(body, 'room_name')) }),
  'Egress/StopEgress': (body) => recordings.stop(textOf(body, 'egress_id')),
});

export const mountVoice = (router: Router, options: VoiceSandboxOptions, log: Logger): void => {
  const webhooks = createWebhooks(options, log);
  const { storage, startingMs = STARTING_MS } = options;
  const recordings = createRecordings(webhooks, { storage, startingMs }, log);
  const rooms = createRooms(webhooks, recordings.endAllOf);
  const methods = methodsOf(rooms, recordings);
  const failures = createCallFailures();
  const verifier = new TokenVerifier(options.apiKey, options.apiSecret);
  const verified = (token: string) =>
    verifier.verify(token).catch(() => {
      throw new TwirpFault(401, 'unauthenticated');
    });
  const answering = (work: (ctx: Context) => Promise<void>) => async (ctx: Context) => {
    try {
      await work(ctx);
    } catch (error) {
      if (!(error instanceof TwirpFault)) throw error;
      ctx.status = error.status;
      ctx.body = { code: error.code, msg: error.message };
    }
  };
  const call = answering(async (ctx) => {
    const { video = {} } = await verified(ctx.get('authorization').replace(/^Bearer /, ''));
    const { method: name = '', service = '' } = ctx.params;
    const path = `${service}/${name}`;
    const method = methods[path];
    if (!method) throw new TwirpFault(404, 'bad_route');
    const body = (ctx.request as { body?: TwirpBody }).body ?? {};
    const right = NEEDED[path];
    const isAllowed = right ? video[right] === true : video.roomAdmin === true && video.room === textOf(body, 'room');
    if (!isAllowed) throw new TwirpFault(401, 'unauthenticated', 'permissions denied');
    ctx.body = await failures.through(service, name, () => method(body));
  });
  router.post('/twirp/livekit.:service/:method', call);
  // What clients ask when they cannot connect: whether their token is good.
  const validate = answering(async (ctx) => {
    const { video } = await verified(String(ctx.query.access_token ?? ''));
    if (!video?.roomJoin) throw new TwirpFault(401, 'unauthenticated');
    ctx.body = 'success';
  });
  router.get('/rtc/validate', validate);
  const { apiKey, apiSecret } = options;
  mountVoiceControls(router, { verified, answering, rooms, recordings, webhooks, failures, apiKey, apiSecret });
  mountVoicePage(router, options.webhookUrl.replace(/\/api\/v1\/.*$/, ''));
};
