/** One request to a provider's API, and what the provider says. Nothing of it is logged. */
import type { TSchema } from '@sinclair/typebox';
import { type Forms, type Said, said } from '../../infra/outside/answers.ts';
import { exchange, type OutsideRequest } from '../../infra/outside/exchange.ts';
import { deepestCause } from '../../infra/outsideFault.ts';
import { TimedOut } from '../../infra/retry.ts';
import { ProviderError } from './paymentProvider.ts';

/**
 * @param what for errors
 * @throws ProviderError `away` when no answer came: the request may or may not have had an effect
 */
export const askProvider = async <T extends TSchema, R extends TSchema>(
  url: string,
  request: OutsideRequest,
  { what, forms }: { readonly what: string; readonly forms: Forms<T, R> },
): Promise<Said<T['static'], R['static']>> => {
  try {
    return said(forms, await exchange(url, request));
  } catch (error) {
    const why = error instanceof TimedOut ? 'took too long' : `could not be sent: ${deepestCause(error)}`;
    throw new ProviderError('away', `${what} ${why}`, undefined, { cause: error });
  }
};
