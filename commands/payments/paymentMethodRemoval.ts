/** Removes saved payment methods, here and at their providers. */
import { recordOf, savedMethods } from '../../domain/payments/savedMethods.ts';
import type { CountedErasureStep } from '../core/erasure.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { type MethodDeps as Deps, tokenisationOf } from './paymentMethods.ts';
import { ProviderError } from './paymentProvider.ts';

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

/**
 * Removes all methods of a person, and has the providers delete them: once the person's key is destroyed, nobody knows any
 * more what to delete. Safe to repeat.
 * @throws ProviderError while a provider does not reply, or a method is still being confirmed there
 */
export const removeAllMethods: CountedErasureStep<Deps> = async (deps, context, userId) => {
  const { state } = await deps.aggregates.load(savedMethods, userId);
  const saved = state.methods.filter(({ status }) => status !== 'failed' && status !== 'forgotten');
  for (const { methodId, status, provider } of saved) {
    const step = (name: string) => followUp(context, `${name} ${methodId}`);
    if (status !== 'removed')
      await deps.aggregates.handle(savedMethods, userId, { type: 'RemoveMethod', methodId }, step('remove'));
    if (!(await forgetOrGiveUp(deps, step('forget'), userId, methodId)))
      throw new ProviderError('away', `a payment method is still being confirmed at ${provider}`);
  }
  return { holder: 'saved cards at payment providers', outcome: 'removed', count: saved.length };
};

/** A provider that refuses does not know the method, or never deletes it: asking again would not help. */
const forgetOrGiveUp = (deps: Deps, context: CommandContext, userId: string, methodId: string): Promise<boolean> =>
  forgetMethod(deps, context, userId, methodId).catch(async (error: unknown) => {
    if (!(error instanceof ProviderError && error.kind === 'refused')) throw error;
    await giveUpRemoved(deps, context, userId, methodId);
    return true;
  });

/** Closes the record of a removed method. */
export const giveUpRemoved = async (
  { aggregates }: Deps,
  context: CommandContext,
  userId: string,
  methodId: string,
): Promise<void> => {
  await aggregates.handle(savedMethods, userId, { type: 'ForgetMethod', methodId }, context);
};
