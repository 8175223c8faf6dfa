/** Removes saved payment methods, here and at their providers. */

import { paymentsPurpose } from '../../domain/payments/index.ts';
import { recordOf, savedMethods } from '../../domain/payments/savedMethods.ts';
import type { ExternalPersonalData } from '../../infra/personalData.ts';
import type { ErasureStep } from '../core/erasure.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { defineOutsideErasure, type Told } from '../core/outsideErasures.ts';
import type { PaymentDeps } from './deps.ts';
import { type MethodDeps as Deps, tokenisationOf } from './paymentMethods.ts';
import { ProviderError } from './paymentProvider.ts';

export const paymentProviders: ExternalPersonalData = {
  what: 'payments, saved cards and receipts at YooKassa and T-Bank; card numbers are only there',
  where: 'provider',
  why: paymentsPurpose,
  retention: { always: 'payments and receipts, as the law obliges the provider; saved cards until they are removed' },
  exported: '`payments` and `payment_methods`; for the rest, ask the provider',
  erased:
    'saved cards are deleted there, within seven days where the provider does not answer at once; YooKassa has no way to delete one, and cannot charge it without the token, which is forgotten here; payments and receipts stay',
};

/**
 * Removes a method of the actor. It cannot be charged from now on. A policy has the provider delete it, however long
 * the provider does not reply.
 * @throws Rejected `not_found`
 */
export const removeMethod = async ({ aggregates }: Deps, context: CommandContext, methodId: string): Promise<void> => {
  await aggregates.handle(savedMethods, context.actor.id, { type: 'RemoveMethod', methodId }, context);
};

/**
 * Asks the provider to delete a removed method. False: its page is still open there, so it must be deleted later.
 * @throws ProviderError: ask again
 */
export const forgetMethod = async (
  deps: Deps,
  context: CommandContext,
  userId: string,
  methodId: string,
): Promise<boolean> => {
  const { state } = await deps.aggregates.load(savedMethods, userId);
  const { status, provider, referenceSecret: providerMethodId, tokenSecret } = recordOf(state, methodId);
  if (status !== 'removed') return true;
  if (provider !== null && providerMethodId !== null) {
    const tokenisation = tokenisationOf(deps, provider);
    const about = { providerMethodId, customerId: userId };
    const answer =
      tokenSecret === null ? await tokenisation.getMethod(about) : { status: 'active', token: tokenSecret };
    if (answer.status === 'pending' || answer.status === 'requires_action') return false;
    if (answer.token !== undefined) await tokenisation.removeMethod({ ...about, token: answer.token });
  }
  await giveUpRemoved(deps, context, userId, methodId);
  return true;
};

/** What its provider is told of a saved method of somebody who is erased. */
interface SavedAtProvider {
  readonly provider: string;
  readonly providerMethodId: string;
  readonly customerId: string;
  /** null: whoever opened the provider's page may still confirm it there. */
  readonly token: string | null;
}

/** A provider that refuses does not know the method, or never deletes it: asking again would not help. */
const unlessRefused = (asking: Promise<Told>): Promise<Told> =>
  asking.catch((error: unknown) => {
    if (error instanceof ProviderError && error.kind === 'refused') return 'left';
    throw error;
  });

/** Has a provider delete a method, as soon as its page is not open any more. */
export const savedMethodErasure = defineOutsideErasure<SavedAtProvider, PaymentDeps>(
  'erased_payment_method',
  (deps, _context, { provider, token: known, ...about }) =>
    unlessRefused(
      (async () => {
        const tokenisation = tokenisationOf(deps, provider);
        const { status, token } =
          known === null ? await tokenisation.getMethod(about) : { status: 'active' as const, token: known };
        if (status === 'pending' || status === 'requires_action') return 'waiting';
        if (token === undefined) return 'removed'; // nothing was saved
        await tokenisation.removeMethod({ ...about, token });
        return tokenisation.deletes === false ? 'left' : 'removed';
      })(),
    ),
);

/**
 * Removes all methods of a person here, and writes down what their providers must be told: once the person's key is destroyed,
 * nobody knows it any more. Safe to repeat.
 */
export const removeAllMethods: ErasureStep<Pick<PaymentDeps, 'aggregates' | 'pool' | 'vault'>> = async (
  { aggregates, pool, vault },
  context,
  userId,
) => {
  const { state } = await aggregates.load(savedMethods, userId);
  for (const { methodId, status, provider, referenceSecret, tokenSecret: token } of state.methods) {
    if (status === 'failed' || status === 'forgotten') continue;
    if (provider !== null && referenceSecret !== null)
      await savedMethodErasure.expect({ pool, vault }, context, userId, {
        holder: 'saved cards at payment providers',
        subject: methodId,
        about: { provider, providerMethodId: referenceSecret, customerId: userId, token },
      });
    const command = { type: 'RemoveMethod', methodId } as const;
    await aggregates.handle(savedMethods, userId, command, followUp(context, `remove ${methodId}`));
  }
};

/** Closes the record of a removed method. */
export const giveUpRemoved = async (
  { aggregates }: Deps,
  context: CommandContext,
  userId: string,
  methodId: string,
): Promise<void> => {
  await aggregates.handle(savedMethods, userId, { type: 'ForgetMethod', methodId }, context);
};
