/**
 * What tests do to the voice server. `POST /sandbox/voice/join {token}` and `/sandbox/voice/leave {room, sid}` act as a
 * device, `GET /sandbox/voice/rooms` shows who is there; `POST /sandbox/voice/webhooks {mode}` doubles, reverses or loses webhooks from now on,
 * `/sandbox/voice/recordings {outcome, room?}` says how recordings end, and `/sandbox/voice/failures {method, how, count?}` has the next
 * calls of a method fail. `POST /sandbox/voice/egress {connected}` takes the part that records away, `POST /sandbox/voice/crash` has
 * it forget everybody without a report.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type Router from '@koa/router';
import { type Static, Type } from '@sinclair/typebox';
import type { Context } from 'koa';
import { AccessToken, type TokenVerifier, TrackSource } from 'livekit-server-sdk';
import { RENEWED_TOKEN_S } from '../../../commands/voice/voiceServer.ts';
import { OneOf } from '../../../domain/core/schema.ts';
import { validator } from '../../../infra/validation.ts';
import { controlBody } from '../core/control.ts';
import { Outcome, type Recordings } from './recordings.ts';
import type { Rooms } from './rooms.ts';
import { TwirpFault } from './twirp.ts';
import { WebhookMode, type Webhooks } from './webhooks.ts';

const strict = { additionalProperties: false };
const Mode = Type.Object({ mode: WebhookMode }, strict);
const Ending = Type.Object({ outcome: Outcome, room: Type.Optional(Type.String()) }, strict);
const Parts = Type.Object({ connected: Type.Boolean() }, strict);
const Join = Type.Object({ token: Type.String() }, strict);
const Leave = Type.Object({ room: Type.String(), sid: Type.String() }, strict);
/**
 * `silent`: the call is executed, and its answer does not come · `away`: it is not executed, 503 · `refused`: 400 ·
 * `internal`: 500, as LiveKit answers what it cannot do as it was set up
 */
const Failing = Type.Object(
  {
    method: Type.String({ examples: ['StartRoomCompositeEgress'] }),
    how: OneOf(['silent', 'away', 'refused', 'internal']),
    count: Type.Integer({ minimum: 0, maximum: 1_000 }),
  },
  strict,
);

/** Longer than anybody waits. */
const SILENCE_MS = 15_000;

export const createCallFailures = () => {
  let plan: Static<typeof Failing> | undefined;
  let hasEgress = true;
  return {
    setEgress: (connected: boolean): void => {
      hasEgress = connected;
    },
    plan: (next: Static<typeof Failing>): void => {
      plan = next;
    },
    /** Executes a call, unless it is to fail. @throws TwirpFault */
    through: async (service: string, method: string, work: () => object): Promise<object> => {
      if (service === 'Egress' && !hasEgress)
        throw new TwirpFault(500, 'internal', 'egress not connected (redis required)');
      if (plan?.method !== method || plan.count === 0) return work();
      plan = { ...plan, count: plan.count - 1 };
      if (plan.how === 'refused') throw new TwirpFault(400, 'invalid_argument');
      if (plan.how === 'internal') throw new TwirpFault(500, 'internal', 'operation cannot be completed');
      if (plan.how === 'silent') {
        work();
        await delay(SILENCE_MS, undefined, { ref: false });
      }
      throw new TwirpFault(503, 'unavailable');
    },
  };
};

interface Controlled {
  readonly verified: TokenVerifier['verify'];
  readonly answering: (work: (ctx: Context) => Promise<void>) => (ctx: Context) => Promise<void>;
  readonly rooms: Rooms;
  readonly recordings: Recordings;
  readonly webhooks: Webhooks;
  readonly failures: ReturnType<typeof createCallFailures>;
  readonly apiKey: string;
  readonly apiSecret: string;
}

const SOURCES: Readonly<Record<string, TrackSource>> = {
  MICROPHONE: TrackSource.MICROPHONE,
  CAMERA: TrackSource.CAMERA,
  SCREEN_SHARE: TrackSource.SCREEN_SHARE,
  SCREEN_SHARE_AUDIO: TrackSource.SCREEN_SHARE_AUDIO,
};

export const mountVoiceControls = (router: Router, voice: Controlled): void => {
  const { verified, answering, rooms, recordings, webhooks, failures, apiKey, apiSecret } = voice;
  const isMode = validator(Mode);
  const isEnding = validator(Ending);
  const isFailing = validator(Failing);
  const isParts = validator(Parts);
  const isJoin = validator(Join);
  const isLeave = validator(Leave);
  router.post('/sandbox/voice/webhooks', (ctx) => {
    webhooks.setMode(controlBody(ctx, isMode, {}).mode);
    ctx.status = 204;
  });
  router.post('/sandbox/voice/recordings', (ctx) => {
    const { outcome, room } = controlBody(ctx, isEnding, {});
    recordings.setOutcome(outcome, room);
    ctx.status = 204;
  });
  router.post('/sandbox/voice/egress', (ctx) => {
    failures.setEgress(controlBody(ctx, isParts, {}).connected);
    ctx.status = 204;
  });
  router.post('/sandbox/voice/crash', (ctx) => {
    rooms.crash();
    ctx.status = 204;
  });
  router.post('/sandbox/voice/failures', (ctx) => {
    failures.plan(controlBody(ctx, isFailing, { count: 1 }));
    ctx.status = 204;
  });
  const join = answering(async (ctx) => {
    const { video = {}, sub: identity = '', name = '' } = await verified(controlBody(ctx, isJoin, {}).token);
    const { room = '', canPublish = false, canPublishSources = [] } = video;
    const sources = canPublishSources.map((source) => String(source).toUpperCase());
    const permission = { can_publish: canPublish, can_publish_sources: sources };
    const { sid } = rooms.join({ room, identity, name, permission });
    const renewed = new AccessToken(apiKey, apiSecret, { identity, name, ttl: RENEWED_TOKEN_S });
    renewed.addGrant({ ...video, canPublishSources: sources.map((source) => SOURCES[source] ?? TrackSource.UNKNOWN) });
    ctx.body = { room, sid, identity, name, can_publish: canPublish, renewed_token: await renewed.toJwt() };
  });
  router.post('/sandbox/voice/join', join);
  const leave = answering(async (ctx) => {
    const { room, sid } = controlBody(ctx, isLeave, {});
    rooms.leave(room, sid);
    ctx.status = 204;
  });
  router.post('/sandbox/voice/leave', leave);
  router.get('/sandbox/voice/rooms', (ctx) => {
    ctx.body = [...rooms.all].map(([name, { metadata, participants }]) => ({
      name,
      metadata,
      participants: [...participants.values()],
    }));
  });
};
