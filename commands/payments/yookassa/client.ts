/** One call to the YooKassa API: authentication, idempotence, time limit and faults. Only error codes are logged. */
import type { TSchema } from '@sinclair/typebox';
import type { Said } from '../../../infra/outside/answers.ts';
import { type Validator, validator } from '../../../infra/validation.ts';
import { askProvider } from '../httpExchange.ts';
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
    const request = {
      method,
      timeoutMs,
      headers: {
        authorization,
        accept: 'application/json',
        ...(idempotenceKey ? { 'idempotence-key': idempotenceKey } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    };
    const forms = { reply: fits, refusal: isFault };
    const answer = await askProvider(`${apiUrl}${path}`, request, { what: `yookassa: ${what}`, forms });
    if (answer.kind === 'reply') return answer.body;
    throw failure(what, answer);
  };
};

/**
 * "HTTP response codes": a 4xx means that nothing was done; 429 and 5xx that the result is not known. A 401 or 403 is
 * an error of our key, not of the request, and ends as soon as the key is corrected.
 */
const failure = (what: string, { kind, status, body }: Exclude<Said<unknown, ApiFault>, { kind: 'reply' }>) => {
  const parameter = body?.parameter ? ` (${body.parameter})` : '';
  const ticket = body ? `, their error ${body.id}` : ' unreadably';
  const message = `yookassa: ${what} answered ${status} ${body?.code ?? ''}${parameter}${ticket}`;
  return new ProviderError(kind === 'refusal' ? 'refused' : 'away', message, body?.code);
};
