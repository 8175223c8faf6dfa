/** What the push services of the sandbox have taken, and the failures that they were asked for. */
import { type Static, Type } from '@sinclair/typebox';
import { type PushServiceName, pushServices } from '../../../commands/push/service.ts';
import { OneOf } from '../../../domain/core/schema.ts';

export const PushPlan = Type.Object(
  {
    /** Without it, of all services. */
    service: Type.Optional(OneOf(pushServices)),
    /** How many of the next messages are answered so. 0 = none. */
    count: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    /**
     * `unregistered`: the token is dead (404 UNREGISTERED, 410). `bad_token`: it never was one (INVALID_ARGUMENT,
     * BadDeviceToken, 404). `silence`: no answer.
     */
    answer: OneOf(['unregistered', 'bad_token', 'too_many', 'error', 'silence'], { default: 'error' }),
    /** Of `too_many`. */
    retry_after_s: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600 })),
  },
  { additionalProperties: false },
);
export type PushPlan = Static<typeof PushPlan>;
export type Trouble = PushPlan['answer'];

export interface PushRecord {
  readonly at: string;
  readonly service: PushServiceName;
  /** Of Web Push: the path of the subscription. */
  readonly token: string;
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly body: string;
  readonly link: string;
  readonly urgency: string;
  readonly collapse_key: string;
}

const KEPT = 1_000;

export interface Received {
  plan: PushPlan;
  readonly counts: Record<PushServiceName, number>;
  /** The last ones, newest first. */
  latest(most: number, token?: string): PushRecord[];
  add(message: Omit<PushRecord, 'at'>): void;
  /** What the next message of the service is answered with; undefined: it is taken. */
  trouble(service: PushServiceName): Trouble | undefined;
}

export const createReceived = (): Received => {
  let kept: PushRecord[] = [];
  const received: Received = {
    plan: { count: 0, answer: 'error' },
    counts: { fcm: 0, apns: 0, web: 0 },
    latest: (most, token) =>
      kept
        .filter((message) => token === undefined || message.token === token)
        .slice(-most)
        .toReversed(),
    add: (message) => {
      received.counts[message.service] += 1;
      kept.push({ at: new Date().toISOString(), ...message });
      if (kept.length >= 2 * KEPT) kept = kept.slice(-KEPT);
    },
    trouble: (service) => {
      const { plan } = received;
      if (plan.count === 0 || (plan.service !== undefined && plan.service !== service)) return undefined;
      received.plan = { ...plan, count: plan.count - 1 };
      return plan.answer;
    },
  };
  return received;
};
