/**
 * What tests do to the voice server. `POST /sandbox/voice/join {token}` and `/sandbox/voice/leave {room, sid}` act as a
 * device, `GET /sandbox/voice/rooms` shows who is there; `POST /sandbox/voice/webhooks {mode}` doubles, reverses or loses webhooks from now on,
 * `/sandbox/voice/recordings {outcome, room?}` says how recordings end, and `/sandbox/voice/failures {method, how, count?}` has the next
 * calls of a method fail.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type Router from '@koa/router';
import { type Static, Type } from '@sinclair/typebox';
import type { Context } from 'koa';
import type { TokenVerifier } from 'livekit-server-sdk';
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
const Join = Type.Object({ token: Type.String() }, strict);
const Leave = Type.Object({ room: Type.String(), sid: Type.String() }, strict);
/** `silent`: the call is executed, and its answer does not come · `away`: it is not executed, 503 · `refused`: 400 */
const Failing = Type.Object(
  {
    method: Type.String({ examples: ['StartRoomCompositeEgress'] }),
    how: OneOf(['silent', 'away', 'refused']),
    count: Type.Integer({ minimum: 0, maximum: 1_000 }),
  },
  strict,
);

/** Longer than anybody waits. */
const SILENCE_MS = 15_000;

export const createCallFailures = () => {
  let plan: Static<typeof Failing> | undefined;
  return {
    plan: (next: Static<typeof Failing>): void => {
      plan = next;
    },
    /** Executes a call, unless it is to fail. @throws TwirpFault */
    through: async (method: string, work: () => object): Promise<object> => {
      if (plan?.method !== method || plan.count === 0) return work();
      plan = { ...plan, count: plan.count - 1 };
      if (plan.how === 'refused') throw new TwirpFault(400, 'invalid_argument');
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
}

export const mountVoiceControls = (router: Router, voice: Controlled): void => {
  const { verified, answering, rooms, recordings, webhooks, failures } = voice;
  const isMode = validator(Mode);
  const isEnding = validator(Ending);
  const isFailing = validator(Failing);
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
  router.post('/sandbox/voice/failures', (ctx) => {
    failures.plan(controlBody(ctx, isFailing, { count: 1 }));
    ctx.status = 204;
  });
  const join = answering(async (ctx) => {
    const { video, sub: identity = '', name = '', nbf = 0 } = await verified(controlBody(ctx, isJoin, {}).token);
    const { room = '', canPublish = false } = video ?? {};
    const { sid } = rooms.join({ room, identity, name, canPublish, notBefore: nbf });
    ctx.body = { room, sid, identity, name, can_publish: canPublish };
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
