/** Makes calls of the sandbox's APIs fail on demand: before the work is done, after it, without an answer, or refused. */
import { type Static, Type } from '@sinclair/typebox';
import type { Context } from 'koa';
import { OneOf } from '../../../domain/core/schema.ts';
import { sleep } from '../../../infra/retry.ts';
import { ApiError } from './apiError.ts';

export const FailurePlan = Type.Object(
  {
    /** How many of the next API calls fail. 0 = none. */
    count: Type.Integer({ minimum: 0, maximum: 10_000 }),
    /** `after` and `silence` do the work; only the answer is lost. `refused` is the provider's own no. */
    kind: OneOf(['before', 'after', 'silence', 'refused'], { default: 'before' }),
    status: Type.Integer({ enum: [429, 500, 502, 503], default: 500 }),
    /** Only calls with this path, such as `/yookassa/v3/refunds`. */
    path: Type.Optional(Type.String()),
    /** Only calls whose body has this text, such as the id of a payment. */
    about: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type FailurePlan = Static<typeof FailurePlan>;

export interface Failures {
  plan: FailurePlan;
  /** @param refusal how this API says no */
  before(ctx: Context, refusal: ApiError): Promise<void>;
  after(ctx: Context): Promise<void>;
}

/** Longer than any client waits. */
const SILENCE_MS = 60_000;

export const createFailures = (stopping: AbortSignal): Failures => {
  const take = (): void => {
    failures.plan = { ...failures.plan, count: failures.plan.count - 1 };
  };
  const isMeant = ({ path, request }: Context): boolean => {
    const { count, path: only = path, about = '' } = failures.plan;
    return count > 0 && path === only && JSON.stringify(request.body ?? {}).includes(about);
  };
  const fault = (): ApiError =>
    failures.plan.status === 429
      ? new ApiError(429, 'too_many_requests', 'Too many requests (requested failure)')
      : new ApiError(failures.plan.status, 'internal_server_error', 'Internal server error (requested failure)');
  const failures: Failures = {
    plan: { count: 0, kind: 'before', status: 500 },
    before: async (ctx, refusal) => {
      const { kind } = failures.plan;
      if (!isMeant(ctx) || (kind !== 'before' && kind !== 'refused')) return;
      take();
      throw kind === 'refused' ? refusal : fault();
    },
    after: async (ctx) => {
      const { kind } = failures.plan;
      if (!isMeant(ctx) || kind === 'before' || kind === 'refused') return;
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
