/**
 * Calls of T-Bank's acquiring API: signed, answered within a time limit, with a refusal and a missing answer as
 * different errors.
 */
import type { TSchema } from '@sinclair/typebox';
import { type Validator, validator } from '../../../infra/validation.ts';
import { askProvider } from '../httpExchange.ts';
import { ProviderError } from '../paymentProvider.ts';
import { Fault, tokenOf } from './api.ts';

export interface TbankOptions {
  /** `https://securepay.tinkoff.ru/v2`, or where the local sandbox stands in for it. */
  readonly apiUrl: string;
  readonly terminalKey: string;
  /** Signs both ways: requests and notifications. */
  readonly password: string;
  /** Where notifications are sent to. */
  readonly notificationUrl: string;
  /** How long one call may take, answer included. */
  readonly timeoutMs?: number;
  /** How long a payer has, by default an hour: from a minute to 90 days. */
  readonly payWithinMs?: number;
}

/** Calls `method` with `params`. @throws ProviderError */
export type TbankCall = <T extends TSchema>(method: string, fits: Validator<T>, params: object) => Promise<T['static']>;

const isFault = validator(Fault);

/** Errors within the bank: the request may or may not have had an effect. */
const UNKNOWN_OUTCOME = ['3', '401', '402', '515', '999', '9999'];
/** Errors of our terminal or key, not of the request. They end as soon as the setting is corrected. */
const SET_UP_WRONG = ['202', '204', '205', '331', '501', '648'];

export const createTbankClient = ({ apiUrl, terminalKey, password, timeoutMs = 10_000 }: TbankOptions): TbankCall => {
  return async (method, fits, params) => {
    const fields = { TerminalKey: terminalKey, ...params };
    const request = {
      method: 'POST',
      timeoutMs,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ ...fields, Token: tokenOf(fields, password) }),
    };
    const what = `tbank: ${method}`;
    const forms = { reply: fits, refusal: isFault, refusesWith200: true } as const;
    const answer = await askProvider(`${apiUrl}/${method}`, request, { what, forms });
    if (answer.kind === 'reply') return answer.body;
    if (answer.kind === 'refusal') throw refusal(what, answer.body.ErrorCode);
    throw new ProviderError('away', `${what} answered ${answer.status} unreadably`);
  };
};

const refusal = (what: string, code: string): ProviderError => {
  const away = UNKNOWN_OUTCOME.includes(code) || SET_UP_WRONG.includes(code);
  return new ProviderError(away ? 'away' : 'refused', `${what} was refused with ${code}`, reasonOf(code));
};

/** Reasons that a payer can act on, as words; other codes unchanged. */
const REASONS: Readonly<Record<string, string>> = {
  '101': '3d_secure_failed',
  '106': '3d_secure_failed',
  '103': 'insufficient_funds',
  '116': 'insufficient_funds',
  '1051': 'insufficient_funds',
  '252': 'card_expired',
  '1033': 'card_expired',
  '1054': 'card_expired',
  '1014': 'invalid_card_number',
  '1015': 'invalid_card_number',
  '1082': 'invalid_csc',
  '255': 'not_found',
  '335': 'not_found',
};

/** The reason of a failure, as a short word; undefined when there is none. */
export const reasonOf = (code: string | undefined): string | undefined =>
  code === undefined || code === '0' ? undefined : (REASONS[code] ?? `error_${code}`);
