/**
 * Saved payment methods. The provider stores the card; we get a token and a masked number. What the provider cannot
 * save is kept as a preference: it leads to the provider's page. The provider is asked first and its reply recorded, so
 * that a crash in between leaves only an unused page at the provider.
 */

import { Rejected } from '../../domain/core/decider.ts';
import {
  assertRoom,
  isKnown,
  type MethodStatus,
  methodOf,
  preferenceOf,
  type SavedMethod,
  type SavedMethods,
  savedMethods,
} from '../../domain/payments/savedMethods.ts';
import { derivedId } from '../../infra/ids.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { checkReturnUrl } from '../core/returnUrl.ts';
import type { PaymentDeps } from './deps.ts';
import {
  type PaymentMethod,
  type PaymentProvider,
  ProviderError,
  type ProviderMethod,
  type Tokenisation,
} from './paymentProvider.ts';
import { providerFor } from './paymentSettings.ts';

export type MethodDeps = Pick<PaymentDeps, 'aggregates' | 'paymentProviders'>;
type Deps = MethodDeps;

/** A method in its current state. */
export interface KeptMethod {
  readonly method: SavedMethod & { readonly status: MethodStatus };
  readonly isDefault: boolean;
  /** Where the person confirms it. Never recorded: the provider's address may contain the token. */
  readonly redirectUrl: string | null;
}

export interface NewMethod {
  readonly method: PaymentMethod;
  /** Name of the provider; by default the one that takes payments. */
  readonly provider?: string;
  /** Where the person comes back to; one of the allowed origins. */
  readonly returnUrl?: string;
}

/**
 * Starts to save a payment method of the actor. A card is entered on the provider's page. A preference is active at
 * once, and there is one of each kind: adding it again returns the existing one.
 * @throws Rejected `invalid`, `conflict` (too many, or cards cannot be saved there) · ProviderError `away`: ask again
 */
export const addMethod = async (
  deps: Deps & Pick<PaymentDeps, 'settings'>,
  context: CommandContext,
  request: NewMethod,
): Promise<KeptMethod> => {
  const returnUrl = checkReturnUrl(deps.settings, request.returnUrl);
  const provider = await providerNamed(deps, request.provider);
  const { method } = request;
  const { id: userId } = context.actor;
  const methodId = derivedId(context.commandId, 'method');
  const { tokenisation } = provider;
  if (!tokenisation || !(tokenisation.methods ?? ['card']).includes(method)) {
    if (method === 'card') throw new Rejected('conflict', `Cards cannot be saved with ${provider.name}.`);
    return prefer(deps, context, methodId, method);
  }
  const { state } = await deps.aggregates.load(savedMethods, userId);
  if (isKnown(state, methodId)) return syncMethod(deps, context, userId, methodId);
  assertRoom(state);
  const answer = await tokenisation.tokenise({ methodId, customerId: userId, method, returnUrl });
  const command = {
    type: 'RequestMethod',
    methodId,
    method,
    provider: provider.name,
    referenceSecret: answer.providerMethodId,
  } as const;
  await deps.aggregates.handle(savedMethods, userId, command, followUp(context, 'request'));
  return apply(deps, context, userId, methodId, answer);
};

const prefer = async (
  { aggregates }: Deps,
  context: CommandContext,
  methodId: string,
  method: PaymentMethod,
): Promise<KeptMethod> => {
  const command = { type: 'PreferMethod', methodId, method } as const;
  const { state } = await aggregates.handle(savedMethods, context.actor.id, command, context);
  return kept(state, preferenceOf(state, method)?.methodId ?? methodId);
};

/**
 * Asks the provider for the state of a method that is being saved, and records it. Final states are not asked for.
 * @throws Rejected `not_found` · ProviderError
 */
export const syncMethod = async (
  deps: Deps,
  context: CommandContext,
  userId: string,
  methodId: string,
): Promise<KeptMethod> => {
  const { state } = await deps.aggregates.load(savedMethods, userId);
  const { status, provider, referenceSecret: providerMethodId } = methodOf(state, methodId);
  if (status !== 'requires_action' || provider === null || providerMethodId === null) return kept(state, methodId);
  const answer = await tokenisationOf(deps, provider).getMethod({ providerMethodId, customerId: userId });
  return apply(deps, context, userId, methodId, answer);
};

/**
 * The current state of an actor's method. When its provider does not reply, the recorded state counts.
 * @throws Rejected `not_found`
 */
export const lookUpMethod = (deps: Deps, context: CommandContext, methodId: string): Promise<KeptMethod> => {
  const { id: userId } = context.actor;
  return syncMethod(deps, context, userId, methodId).catch(async (error: unknown) => {
    if (!(error instanceof ProviderError)) throw error;
    return kept((await deps.aggregates.load(savedMethods, userId)).state, methodId);
  });
};

/** Expires a method that was not confirmed in time. */
export const expireMethod = async (
  { aggregates }: Deps,
  context: CommandContext,
  userId: string,
  methodId: string,
): Promise<void> => {
  await aggregates.handle(savedMethods, userId, { type: 'FailMethod', methodId, code: 'expired' }, context);
};

/** @throws Rejected `not_found`, `invalid_transition` for one that is not active */
export const chooseDefault = async (
  { aggregates }: Deps,
  context: CommandContext,
  methodId: string,
): Promise<KeptMethod> => {
  const { state } = await aggregates.handle(savedMethods, context.actor.id, { type: 'SetDefault', methodId }, context);
  return kept(state, methodId);
};

/** What a payment with a saved method takes. */
export interface MethodToken {
  readonly method: PaymentMethod;
  /** The provider's; null: a preference, which is paid on the provider's page. */
  readonly token: string | null;
  /** The only provider that accepts the token; null for a preference, which fits every provider. */
  readonly provider: string | null;
}

/** @throws Rejected `not_found`, `conflict` for one that is not active */
export const tokenOf = async (
  { aggregates }: Pick<PaymentDeps, 'aggregates'>,
  userId: string,
  methodId: string,
): Promise<MethodToken> => {
  const { state } = await aggregates.load(savedMethods, userId);
  const { status, method, tokenSecret: token, provider } = methodOf(state, methodId);
  if (status !== 'active') throw new Rejected('conflict', 'This payment method has not been confirmed yet.');
  return { method, token, provider };
};

/** A one-way hash. It stands for the provider's id of a saved method, which may be a token and must not be stored. */
export const referenceOf = (provider: string, providerMethodId: string): string =>
  derivedId('payment method', provider, providerMethodId);

const providerNamed = async (deps: Deps, name: string | undefined): Promise<PaymentProvider> => {
  if (name === undefined) return (await providerFor(deps, [])).provider;
  const provider = deps.paymentProviders.byName.get(name);
  if (!provider)
    throw new Rejected('invalid', `The payment provider ${name} does not exist.`, { fields: ['provider'] });
  return provider;
};

/** How a provider saves methods. @throws ProviderError `away` when it is not set up to save them any more */
export const tokenisationOf = ({ paymentProviders }: Deps, name: string): Tokenisation => {
  const tokenisation = paymentProviders.byName.get(name)?.tokenisation;
  if (!tokenisation) throw new ProviderError('away', `payment provider ${name} is not set up to save methods`);
  return tokenisation;
};

const kept = (state: SavedMethods, methodId: string, redirectUrl: string | null = null): KeptMethod => ({
  method: methodOf(state, methodId),
  isDefault: state.defaultId === methodId,
  redirectUrl,
});

/** Records what the provider says of a saving. */
const apply = async (
  { aggregates }: Deps,
  context: CommandContext,
  userId: string,
  methodId: string,
  answer: ProviderMethod,
): Promise<KeptMethod> => {
  const { status, token: tokenSecret, brand = null, last4 = null, exp = null, reason: code = null } = answer;
  if (status === 'active' && tokenSecret !== undefined) {
    const command = { type: 'ActivateMethod', methodId, tokenSecret, brand, last4, exp } as const;
    return kept((await aggregates.handle(savedMethods, userId, command, followUp(context, 'active'))).state, methodId);
  }
  if (status === 'failed') {
    const command = { type: 'FailMethod', methodId, code } as const;
    return kept((await aggregates.handle(savedMethods, userId, command, followUp(context, 'failed'))).state, methodId);
  }
  const { state } = await aggregates.load(savedMethods, userId);
  return kept(state, methodId, methodOf(state, methodId).status === 'requires_action' ? answer.redirectUrl : null);
};
