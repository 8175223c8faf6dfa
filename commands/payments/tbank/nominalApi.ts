/**
 * T-Bank's nominal account (T-API, "Номинальные счета", https://developer.tbank.ru/docs/api), as far as it is used here.
 *
 * Published, and taken over as it is: the addresses, the `Idempotency-Key` (a UUID) of what creates, every request, and
 * of the statuses `DRAFT`, `CANCELLED` and `PAYMENT_FAILED`. Not to be had here, so that it follows public clients of
 * the API: the answers, the statuses `ACCEPTED` and `COMPLETED`, and the body of an error. Not verified at all: what a
 * beneficiary of the type `LITE_CONTACT` and details of the type `PAYMENT_DETAILS` need beyond what is sent here; the
 * bank may want an owner registered by hand first, and then refuses.
 *
 * The bank wants a client certificate at `secured-openapi.tbank.ru`. An outgoing proxy holds it; it is not part of
 * this code. Amounts are rubles with kopecks behind the point.
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Uuid } from '../../../domain/core/schema.ts';
import { type Validator, validator } from '../../../infra/validation.ts';
import { askProvider } from '../httpExchange.ts';
import { ProviderError } from '../paymentProvider.ts';

const Name = Type.String({ minLength: 1 });
const Rubles = Type.Number({ exclusiveMinimum: 0 });
const AccountNumber = Type.String({ pattern: '^(\\d{20}|\\d{22})$' });

export const NewBeneficiary = Type.Object({ type: Type.Literal('LITE_CONTACT'), name: Name });
export const Beneficiary = Type.Object({ beneficiaryId: Name });
export const NewBankDetails = Type.Object({
  type: Type.Literal('PAYMENT_DETAILS'),
  bik: Type.String({ pattern: '^\\d{9}$' }),
  accountNumber: Type.String({ pattern: '^\\d{20}$' }),
});
export const BankDetails = Type.Object({ bankDetailsId: Name });

export const NewDeal = Type.Object({ accountNumber: AccountNumber });
/** Only a `DRAFT` can be edited; `ACCEPTED` keeps the depositors' money for the recipients. */
export const Deal = Type.Object({ dealId: Name, status: Name });
export type Deal = Static<typeof Deal>;
export const NewStep = Type.Object({ description: Type.String({ minLength: 3, maxLength: 4_096 }) });
/** `COMPLETED`: paid out. `PAYMENT_FAILED`: the recipient's bank did not take it; the deal cannot be cancelled then. */
export const Step = Type.Object({ stepId: Name, status: Name });
export type Step = Static<typeof Step>;
/** Whose money it is. */
export const Deponent = Type.Object({ amount: Rubles });
/** Who gets it, and where. */
export const NewRecipient = Type.Object({
  beneficiaryId: Uuid,
  amount: Rubles,
  purpose: Type.String({ minLength: 1, maxLength: 210 }),
  bankDetailsId: Uuid,
  keepOnVirtualAccount: Type.Boolean(),
});
export const Recipient = Type.Object({ recipientId: Name });
/** Whether there is enough on the depositors' virtual accounts. */
export const Validity = Type.Object({ isValid: Type.Boolean() });

/**
 * What a change answers: an object of whatever fields, or 204. A page, or nothing with another status, is from somebody
 * between the bank and us.
 */
export const Done = Type.Union([Type.Null(), Type.Object({})]);

const ApiFault = Type.Object({ errorCode: Type.String() });
const isApiFault = validator(ApiFault);

export interface TbankNominalOptions {
  /** `https://secured-openapi.tbank.ru`, or the sandbox; addresses go on with `/api/v1/nominal-accounts`. */
  readonly apiUrl: string;
  readonly token: string;
  /** Our nominal account. */
  readonly accountNumber: string;
  readonly timeoutMs?: number;
}

interface NominalRequest {
  readonly body?: object;
  /** A UUID: the same creates once. */
  readonly idempotencyKey?: string;
}

/** @throws ProviderError `refused` for what the bank understood and did not do */
export type NominalCall = <T extends TSchema>(
  fits: Validator<T>,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  request?: NominalRequest,
) => Promise<T['static']>;

export const createNominalClient = ({ apiUrl, token, timeoutMs = 10_000 }: TbankNominalOptions): NominalCall => {
  return async (fits, method, path, { body, idempotencyKey } = {}) => {
    const what = `tbank nominal account: ${method} ${path.replaceAll(/[0-9a-f-]{36}/g, ':id')}`;
    const request = {
      method,
      timeoutMs,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    };
    const url = `${apiUrl}/api/v1/nominal-accounts${path}`;
    const answer = await askProvider(url, request, { what, forms: { reply: fits, refusal: isApiFault } });
    if (answer.kind === 'reply') return answer.body;
    const reason = answer.body?.errorCode;
    const message = `${what} answered ${answer.status} ${reason ?? 'unreadably'}`;
    throw new ProviderError(answer.kind === 'refusal' ? 'refused' : 'away', message, reason);
  };
};
