/**
 * What follows for saved payment methods: the provider is asked until one is confirmed, and asked to delete one until it
 * does.
 */
import { Rejected } from '../../domain/core/decider.ts';
import { addMs, isBefore, MINUTE_MS } from '../../domain/core/instants.ts';
import { defineJob } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import type { PaymentDeps } from './deps.ts';
import { forgetMethod, giveUpRemoved } from './paymentMethodRemoval.ts';
import { expireMethod, referenceOf, syncMethod } from './paymentMethods.ts';
import { ProviderError } from './paymentProvider.ts';

/** How often a provider is asked about a method that is not confirmed yet. */
const POLL_MS = MINUTE_MS;

interface Asked {
  readonly userId: string;
  readonly methodId: string;
  /** The provider's page has expired by then. */
  readonly until: string;
}

/**
 * Asks the provider until a method is confirmed. The job's id is the reference at the provider (`referenceOf`), so that
 * a notification can make it due now.
 */
export const methodSync = defineJob<Asked, PaymentDeps>('method_sync', async ({ data }, { deps, context }) => {
  const { userId, methodId, until } = data;
  const isOpen = await syncMethod(deps, context, userId, methodId)
    .then(({ method }) => method.status === 'requires_action')
    .catch((error: unknown) => {
      if (error instanceof Rejected && error.code === 'not_found') return false; // removed meanwhile
      if (error instanceof ProviderError && error.kind === 'refused') return true; // ends when its time is over
      throw error;
    });
  if (!isOpen) return undefined;
  if (isBefore(context.at, until)) return { againAt: addMs(context.at, POLL_MS) };
  await expireMethod(deps, context, userId, methodId);
  return undefined;
});

/** Has the provider delete a removed method. The job's id is the method's. */
export const methodRemoval = defineJob<Omit<Asked, 'methodId'>, PaymentDeps>(
  'method_removal',
  async ({ id, data }, { deps, context }) => {
    const { userId, until } = data;
    if (await forgetMethod(deps, context, userId, id)) return undefined;
    if (isBefore(context.at, until)) return { againAt: addMs(context.at, POLL_MS) };
    await giveUpRemoved(deps, context, userId, id);
    return undefined;
  },
);

export const paymentMethodPolicy = policy<PaymentDeps>('payment_methods', {
  PaymentMethodRequested: async ({ streamId: userId, at, data, meta }, { deps }) => {
    const { methodId, provider, referenceSecret } = data;
    if (provider === null || referenceSecret === null) return;
    const until = addMs(at, deps.settings.paymentTtlMs);
    const job = { id: referenceOf(provider, referenceSecret), dueAt: addMs(at, POLL_MS) };
    await methodSync.schedule(deps.jobs, meta, { ...job, data: { userId, methodId, until } });
  },
  PaymentMethodRemoved: async ({ streamId: userId, at, data, meta }, { deps }) => {
    const until = addMs(at, deps.settings.paymentTtlMs);
    await methodRemoval.schedule(deps.jobs, meta, { id: data.methodId, dueAt: at, data: { userId, until } });
  },
});
