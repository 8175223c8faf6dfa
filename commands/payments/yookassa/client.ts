/** One call to the YooKassa API: authentication, idempotence, time limit and faults. Only error codes are logged. */
import type { TSchema } from '@sinclair/typebox';
import { type Validator, validator } from '../../../infra/validation.ts';
import { exchange } from '../httpExchange.ts';
import { ProviderError } from '../paymentProvider.ts';
import { ApiFault } from './api.ts';

const isFault = validator(ApiFault);

export type Call = <T extends TSchema>(
  fits: Validator<T>,
  method: 'GET' | 'POST',
  path: string,
  idempotenceKey?: string,
  body?: object,
) => Promise<T['static']>;

/** The id of a saved method is enough to charge it, so no error may contain it. */
const SECRET_ID = /^(\/payment_methods\/).+/;

export interface ClientOptions {
  readonly apiUrl: string;
  readonly shopId: string;
  readonly secretKey: string;
  /** How long one call may take, answer included. */
  readonly timeoutMs?: number;
}

/** "Interaction format" (Basic auth, `Idempotence-Key`) and "Response handling" of the documentation. */
export const createClient = ({ apiUrl, shopId, secretKey, timeoutMs = 10_000 }: ClientOptions): Call => {
  const authorization = `Basic ${Buffer.from(`${shopId}:${secretKey}`).toString('base64')}`;
  return async (fits, method, path, idempotenceKey, body) => {
    const what = `${method} ${path.replace(SECRET_ID, '$1…')}`;
    const request: RequestInit = {
      method,
      headers: {
        authorization,
        accept: 'application/json',
        ...(idempotenceKey ? { 'idempotence-key': idempotenceKey } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    };
    const { status, answer } = await exchange(`${apiUrl}${path}`, request, { what: `yookassa: ${what}`, timeoutMs });
    if (status !== 200) throw failure(what, status, answer);
    if (!fits(answer)) throw new ProviderError('away', `yookassa: ${what} had an unreadable answer`);
    return answer;
  };
};

/**
 * "HTTP response codes": a 4xx means that nothing was done; 429 and 5xx that the result is not known. A 401 or 403 is
 * an error of our key, not of the request. It ends as soon as the key is corrected, so it counts as `away`. So does a
 * 4xx without the provider's own error: it is from something between us, such as a proxy.
 */
const failure = (what: string, status: number, answer: unknown): ProviderError => {
  const fault = isFault(answer) ? answer : undefined;
  const refused = fault !== undefined && status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);
  const parameter = fault?.parameter ? ` (${fault.parameter})` : '';
  const ticket = fault ? `, their error ${fault.id}` : '';
  const message = `yookassa: ${what} answered ${status} ${fault?.code ?? ''}${parameter}${ticket}`;
  return new ProviderError(refused ? 'refused' : 'away', message, fault?.code);
};
