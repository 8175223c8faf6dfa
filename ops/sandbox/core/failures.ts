/** Makes calls of the sandbox's APIs fail on demand: before the work is done, after it, or without an answer. */
import { type Static, Type } from '@sinclair/typebox';
import type { Context } from 'koa';
import { OneOf } from '../../../domain/core/schema.ts';
import { sleep } from '../../../infra/retry.ts';
import { ApiError } from './apiError.ts';

export const FailurePlan = Type.Object(
  {
    /** How many of the next API calls fail. 0 = none. */
    count: Type.Integer({ minimum: 0, maximum: 10_000 }),
    /** `after` and `silence` do the work; only the answer is lost. */
    kind: OneOf(['before', 'after', 'silence'], { default: 'before' }),
    status: Type.Integer({ enum: [429, 500, 502, 503], default: 500 }),
  },
  { additionalProperties: false },
);
export type FailurePlan = Static<typeof FailurePlan>;

export interface Failures {
  plan: FailurePlan;
  before(ctx: Context): Promise<void>;
  after(ctx: Context): Promise<void>;
}

/** Longer than any client waits. */
const SILENCE_MS = 60_000;

export const createFailures = (stopping: AbortSignal): Failures => {
  const take = (): void => {
    failures.plan = { ...failures.plan, count: failures.plan.count - 1 };
  };
  const fault = (): ApiError =>
    failures.plan.status === 429
      ? new ApiError(429, 'too_many_requests', 'Too many requests (requested failure)')
      : new ApiError(failures.plan.status, 'internal_server_error', 'Internal server error (requested failure)');
  const failures: Failures = {
    plan: { count: 0, kind: 'before', status: 500 },
    before: async () => {
      if (failures.plan.count === 0 || failures.plan.kind !== 'before') return;
      take();
      throw fault();
    },
    after: async (ctx) => {
      if (failures.plan.count === 0 || failures.plan.kind === 'before') return;
      const { kind } = failures.plan;
      take();
      if (kind === 'after') throw fault();
      const gone = new AbortController();
      ctx.res.once('close', () => gone.abort());
      await sleep(SILENCE_MS, gone.signal, stopping);
      throw fault();
    },
  };
  return failures;
};
