/** One HTTP request to a provider's API, answered or failed within its time. Nothing of it is logged. */
import { deepestCause } from '../../infra/outsideFault.ts';
import { ProviderError } from './paymentProvider.ts';

export interface Exchanged {
  readonly status: number;
  /** The body as JSON; undefined if it is not JSON. */
  readonly answer: unknown;
}

/** @throws ProviderError `away` when no answer came: the request may or may not have had an effect */
export const exchange = async (
  url: string,
  request: RequestInit,
  { what, timeoutMs }: { readonly what: string; readonly timeoutMs: number },
): Promise<Exchanged> => {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { ...request, redirect: 'error', signal });
    return { status: response.status, answer: parseJson(await response.text()) };
  } catch (error) {
    const late = error instanceof Error && error.name === 'TimeoutError';
    const why = late ? 'took too long' : `could not be sent: ${deepestCause(error)}`;
    throw new ProviderError('away', `${what} ${why}`, undefined, { cause: error });
  }
};

/** The parsed value; undefined for text that is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
