/**
 * As much of LiveKit as is used here: rooms and egress (Twirp, JSON), and signed webhooks. Nothing is transmitted: devices
 * "join" with their token over `POST /sandbox/voice/join`. `POST /sandbox/voice/webhooks {mode}` doubles, reverses or loses
 * webhooks from now on.
 */

import { createHash, randomUUID } from 'node:crypto';
import type Router from '@koa/router';
import { type Static, Type } from '@sinclair/typebox';
import type { Context } from 'koa';
import { AccessToken, TokenVerifier } from 'livekit-server-sdk';
import { OneOf } from '../../../domain/core/schema.ts';
import type { Logger } from '../../../infra/log.ts';
import { validator } from '../../../infra/validation.ts';
import { controlBody } from '../core/control.ts';

export interface VoiceSandboxOptions {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly webhookUrl: string;
}

interface Participant {
  readonly sid: string;
  readonly identity: string;
  readonly name: string;
}
interface Room {
  readonly participants: Map<string, Participant>;
  metadata: string;
}
interface Recording {
  readonly egress_id: string;
  readonly room_name: string;
  status: 'EGRESS_ACTIVE' | 'EGRESS_COMPLETE';
  readonly started_at: string;
  readonly filepath: string;
  file_results: object[];
}

const TIMEOUT_MS = 5_000;
/** Reversed webhooks wait for others so long. */
const GATHER_MS = 300;
const Mode = Type.Object({ mode: OneOf(['once', 'doubled', 'reversed', 'lost']) }, { additionalProperties: false });
const Join = Type.Object({ token: Type.String() }, { additionalProperties: false });
const Leave = Type.Object({ room: Type.String(), sid: Type.String() }, { additionalProperties: false });
const nowNs = (): bigint => BigInt(Date.now()) * 1_000_000n;

/** Sends webhooks as LiveKit does, and as networks do. */
const createWebhooks = ({ apiKey, apiSecret, webhookUrl }: VoiceSandboxOptions, log: Logger) => {
  let mode: Static<typeof Mode>['mode'] = 'once';
  let waiting: string[] = [];
  const post = async (body: string): Promise<void> => {
    const token = new AccessToken(apiKey, apiSecret, { ttl: 300 });
    token.sha256 = createHash('sha256').update(body).digest('base64');
    const headers = { 'content-type': 'application/webhook+json', authorization: await token.toJwt() };
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const { status } = await fetch(webhookUrl, { method: 'POST', headers, body, signal });
      if (status >= 300) log.warn({ status }, 'a webhook of the voice server was refused');
    } catch (error) {
      log.warn({ err: error }, 'a webhook of the voice server did not arrive');
    }
  };
  const flush = async (): Promise<void> => {
    const bodies = waiting.reverse();
    waiting = [];
    for (const body of bodies) await post(body);
  };
  return {
    setMode: (next: typeof mode) => {
      mode = next;
    },
    send: (event: string, about: object): void => {
      const created_at = String(Math.floor(Date.now() / 1_000));
      const body = JSON.stringify({ event, id: `EV_${randomUUID()}`, created_at, ...about });
      if (mode === 'lost') return;
      if (mode === 'reversed') {
        if (waiting.push(body) === 1) setTimeout(() => void flush(), GATHER_MS).unref();
        return;
      }
      void post(body).then(() => (mode === 'doubled' ? post(body) : undefined));
    },
  };
};

const infoOf = ({ filepath, ...info }: Recording) => ({
  ...info,
  room_composite: { room_name: info.room_name, audio_only: true, file_outputs: [{ file_type: 'OGG', filepath }] },
});

/** Both spellings are JSON of protocol buffers. */
const field = (body: Record<string, unknown>, snake: string): string =>
  String(body[snake] ?? body[snake.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())] ?? '');

class TwirpFault extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

export const mountVoice = (router: Router, options: VoiceSandboxOptions, log: Logger): void => {
  const rooms = new Map<string, Room>();
  const recordings = new Map<string, Recording>();
  const webhooks = createWebhooks(options, log);
  const verifier = new TokenVerifier(options.apiKey, options.apiSecret);
  const roomNamed = (name: string): Room => {
    const room = rooms.get(name);
    if (!room) throw new TwirpFault(404, 'not_found');
    return room;
  };
  const leave = (name: string, sid: string): void => {
    const room = roomNamed(name);
    const participant = room.participants.get(sid);
    if (!room.participants.delete(sid)) return;
    webhooks.send('participant_left', { room: { name }, participant });
    if (room.participants.size > 0) return;
    for (const one of recordings.values()) if (one.room_name === name) end(one);
    rooms.delete(name);
    webhooks.send('room_finished', { room: { name } });
  };
  const end = (one: Recording): void => {
    if (one.status === 'EGRESS_COMPLETE') return;
    const duration = nowNs() - BigInt(one.started_at);
    const ended = duration < 1_000_000_000n ? 1_000_000_000n : duration;
    const { filepath: filename } = one;
    one.status = 'EGRESS_COMPLETE';
    one.file_results = [{ filename, location: filename, duration: String(ended), size: '4096' }];
    webhooks.send('egress_ended', { egress_info: infoOf(one) });
  };
  const methods: Record<string, (body: Record<string, unknown>) => object> = {
    'RoomService/ListRooms': () => ({ rooms: [...rooms].map(([name, { metadata }]) => ({ name, metadata })) }),
    'RoomService/ListParticipants': (body) => ({
      participants: [...roomNamed(field(body, 'room')).participants.values()],
    }),
    'RoomService/RemoveParticipant': (body) => {
      const name = field(body, 'room');
      for (const { sid, identity } of [...roomNamed(name).participants.values()])
        if (identity === field(body, 'identity')) leave(name, sid);
      return {};
    },
    'RoomService/UpdateRoomMetadata': (body) => {
      const name = field(body, 'room');
      roomNamed(name).metadata = field(body, 'metadata');
      return { name, metadata: roomNamed(name).metadata };
    },
    'Egress/StartRoomCompositeEgress': (body) => {
      const room_name = field(body, 'room_name');
      roomNamed(room_name);
      const [output] = (body.fileOutputs ?? body.file_outputs ?? []) as { filepath?: string }[];
      const one: Recording = {
        egress_id: `EG_${randomUUID()}`,
        room_name,
        status: 'EGRESS_ACTIVE',
        started_at: String(nowNs()),
        filepath: output?.filepath ?? '',
        file_results: [],
      };
      recordings.set(one.egress_id, one);
      webhooks.send('egress_started', { egress_info: infoOf(one) });
      return infoOf(one);
    },
    'Egress/ListEgress': (body) => ({
      items: [...recordings.values()].filter((one) => one.room_name === field(body, 'room_name')).map(infoOf),
    }),
    'Egress/StopEgress': (body) => {
      const one = recordings.get(field(body, 'egress_id'));
      if (!one) throw new TwirpFault(404, 'not_found');
      if (one.status === 'EGRESS_COMPLETE') throw new TwirpFault(412, 'failed_precondition');
      end(one);
      return infoOf(one);
    },
  };
  const answer = async (ctx: Context): Promise<void> => {
    try {
      await verifier.verify(ctx.get('authorization').replace(/^Bearer /, '')).catch(() => {
        throw new TwirpFault(401, 'unauthenticated');
      });
      const method = methods[`${ctx.params.service}/${ctx.params.method}`];
      if (!method) throw new TwirpFault(404, 'bad_route');
      ctx.body = method((ctx.request as { body?: Record<string, unknown> }).body ?? {});
    } catch (error) {
      if (!(error instanceof TwirpFault)) throw error;
      ctx.status = error.status;
      ctx.body = { code: error.code, msg: error.code };
    }
  };
  router.post('/twirp/livekit.:service/:method', answer);
  mountControls(router, { verifier, rooms, webhooks, leave });
};

interface Controlled {
  readonly verifier: TokenVerifier;
  readonly rooms: Map<string, Room>;
  readonly webhooks: ReturnType<typeof createWebhooks>;
  leave(room: string, sid: string): void;
}

const mountControls = (router: Router, { verifier, rooms, webhooks, leave }: Controlled): void => {
  const [isMode, isJoin, isLeave] = [validator(Mode), validator(Join), validator(Leave)];
  router.post('/sandbox/voice/webhooks', (ctx) => {
    webhooks.setMode(controlBody(ctx, isMode, {}).mode);
    ctx.status = 204;
  });
  router.post('/sandbox/voice/join', async (ctx) => {
    const { video, sub: identity = '', name = '' } = await verifier.verify(controlBody(ctx, isJoin, {}).token);
    const room = video?.room ?? '';
    const participant = { sid: `PA_${randomUUID()}`, identity, name };
    const joined = rooms.get(room) ?? { participants: new Map(), metadata: '' };
    rooms.set(room, joined);
    joined.participants.set(participant.sid, participant);
    webhooks.send('participant_joined', { room: { name: room }, participant });
    ctx.body = { room, ...participant, can_publish: video?.canPublish ?? false };
  });
  router.post('/sandbox/voice/leave', (ctx) => {
    const { room, sid } = controlBody(ctx, isLeave, {});
    leave(room, sid);
    ctx.status = 204;
  });
};
