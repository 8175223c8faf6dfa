/**
 * T-Bank's nominal account API, under `/tbank/nominal`: the addresses and requests that
 * https://developer.tbank.ru/docs/api publishes, for any bearer token. A created object has its `Idempotency-Key` as
 * its id, so that a repeated key finds the same object.
 */
import { randomUUID } from 'node:crypto';
import type Router from '@koa/router';
import type { TSchema } from '@sinclair/typebox';
import type { Context } from 'koa';
import * as api from '../../../commands/payments/tbank/nominalApi.ts';
import { Uuid } from '../../../domain/core/schema.ts';
import { explain, type Validator, validator } from '../../../infra/validation.ts';
import { ApiError } from '../core/apiError.ts';
import type { Failures } from '../core/failures.ts';
import type { State } from '../core/state.ts';
import {
  accepted,
  available,
  type BeneficiaryRecord,
  cancelled,
  completed,
  type DealRecord,
  edited,
  isValid,
  type StepRecord,
} from './nominal.ts';

export const NOMINAL_PREFIX = '/tbank/nominal';

type Request = Context & { params: Record<string, string> };

/** The body of every error reply. */
export const nominalFault = ({ code, message }: ApiError): object => ({
  errorId: randomUUID(),
  errorCode: code,
  errorMessage: message,
});

export const mountNominalApi = (router: Router, state: State, failures: Failures): void => {
  const on = (method: 'get' | 'post' | 'put', path: string, answer: (ctx: Request) => object) =>
    router[method](`${NOMINAL_PREFIX}/api/v1/nominal-accounts${path}`, async (ctx) => {
      if (!/^Bearer \S+$/.test(ctx.get('authorization'))) throw new ApiError(401, 'UNAUTHORIZED', 'Bearer API Token');
      await failures.before(ctx, new ApiError(400, 'BAD_REQUEST', 'Refused (requested failure)'));
      const body = answer(ctx);
      await failures.after(ctx);
      ctx.status = method === 'post' && ctx.get('idempotency-key') ? 201 : 200;
      ctx.body = body;
    });
  mountBeneficiaries(on, state);
  mountDeals(on, state);
  mountSteps(on, state);
};

type On = (method: 'get' | 'post' | 'put', path: string, answer: (ctx: Request) => object) => void;

const isUuid = validator(Uuid);
const isBeneficiary = validator(api.NewBeneficiary);
const isBankDetails = validator(api.NewBankDetails);
const isDeal = validator(api.NewDeal);
const isStep = validator(api.NewStep);
const isDeponent = validator(api.Deponent);
const isRecipient = validator(api.NewRecipient);

const bodyOf = <T extends TSchema>({ request }: Request, fits: Validator<T>): T['static'] => {
  const body: unknown = request.body ?? {};
  if (!fits(body)) throw new ApiError(400, 'BAD_REQUEST', explain(fits.errors));
  return body;
};
const keyOf = (ctx: Request): string => {
  const key = ctx.get('idempotency-key').toLowerCase();
  if (!isUuid(key)) throw new ApiError(400, 'BAD_REQUEST', 'Idempotency-Key must be a UUID');
  return key;
};
const found = <T>(record: T | undefined): T => {
  if (record === undefined) throw new ApiError(422, 'NOT_FOUND', 'Not found');
  return record;
};
const toKopecks = (rubles: number): number => Math.round(rubles * 100);

const mountBeneficiaries = (on: On, state: State): void => {
  on('post', '/beneficiaries', (ctx) => {
    const { type, name } = bodyOf(ctx, isBeneficiary);
    const beneficiaryId = keyOf(ctx);
    const known = state.tables.beneficiaries.get(beneficiaryId);
    if (!known) state.commit([['beneficiaries', beneficiaryId, { name, bankDetails: {} }]]);
    return { beneficiaryId, type, name };
  });
  on('post', '/beneficiaries/:beneficiaryId/bank-details', (ctx) => {
    const { beneficiaryId = '' } = ctx.params;
    const { type, ...details } = bodyOf(ctx, isBankDetails);
    const bankDetailsId = keyOf(ctx);
    const before: BeneficiaryRecord = found(state.tables.beneficiaries.get(beneficiaryId));
    const after = { ...before, bankDetails: { ...before.bankDetails, [bankDetailsId]: details } };
    state.commit([['beneficiaries', beneficiaryId, after]]);
    return { bankDetailsId, beneficiaryId, type, ...details };
  });
};

const viewOf = ({ dealId, accountNumber, status }: DealRecord) => ({ dealId, accountNumber, status });

const mountDeals = (on: On, state: State): void => {
  const deal = (ctx: Request): DealRecord => found(state.tables.deals.get(ctx.params.dealId ?? ''));
  const money = (): number => available(state.tables.payments.values(), state.tables.deals.values());
  const keep = (record: DealRecord) => {
    state.commit([['deals', record.dealId, record]]);
    return viewOf(record);
  };

  on('post', '/deals', (ctx) => {
    const { accountNumber } = bodyOf(ctx, isDeal);
    const dealId = keyOf(ctx);
    const known = state.tables.deals.get(dealId);
    return known ? viewOf(known) : keep({ dealId, accountNumber, status: 'DRAFT', steps: {} });
  });
  on('get', '/deals/:dealId', (ctx) => viewOf(deal(ctx)));
  on('get', '/deals/:dealId/is-valid', (ctx) => {
    const covered = isValid(deal(ctx), money());
    return { isValid: covered, reasons: covered ? [] : [{ code: 'NOT_ENOUGH_MONEY' }] };
  });
  on('post', '/deals/:dealId/accept', (ctx) => keep(accepted(deal(ctx), money())));
  on('post', '/deals/:dealId/cancel', (ctx) => keep(cancelled(deal(ctx))));
};

const mountSteps = (on: On, state: State): void => {
  const deal = (ctx: Request): DealRecord => found(state.tables.deals.get(ctx.params.dealId ?? ''));
  const step = (ctx: Request): StepRecord => found(deal(ctx).steps[ctx.params.stepId ?? '']);
  const keep = (record: DealRecord): void => state.commit([['deals', record.dealId, record]]);
  const answered = ({ dealId }: DealRecord, { stepId, description, status }: StepRecord) => ({
    dealId,
    stepId,
    stepNumber: 1,
    description,
    status,
  });

  on('post', '/deals/:dealId/steps', (ctx) => {
    const { description } = bodyOf(ctx, isStep);
    const stepId = keyOf(ctx);
    const known = deal(ctx).steps[stepId];
    const record = known ?? { stepId, description, status: 'NEW', deponents: {}, recipients: {} };
    if (!known) keep(edited(deal(ctx), record));
    return answered(deal(ctx), record);
  });
  on('get', '/deals/:dealId/steps/:stepId', (ctx) => answered(deal(ctx), step(ctx)));
  on('put', '/deals/:dealId/steps/:stepId/deponents/:beneficiaryId', (ctx) => {
    const { amount } = bodyOf(ctx, isDeponent);
    const { beneficiaryId = '' } = ctx.params;
    found(state.tables.beneficiaries.get(beneficiaryId));
    const before = step(ctx);
    const deponents = { ...before.deponents, [beneficiaryId]: toKopecks(amount) };
    keep(edited(deal(ctx), { ...before, deponents }));
    return { dealId: ctx.params.dealId, stepId: before.stepId, beneficiaryId, amount };
  });
  on('post', '/deals/:dealId/steps/:stepId/recipients', (ctx) => {
    const { amount, beneficiaryId, bankDetailsId } = bodyOf(ctx, isRecipient);
    const recipientId = keyOf(ctx);
    found(found(state.tables.beneficiaries.get(beneficiaryId)).bankDetails[bankDetailsId]);
    const before = step(ctx);
    const recipients = { ...before.recipients, [recipientId]: { bankDetailsId, amount: toKopecks(amount) } };
    keep(edited(deal(ctx), { ...before, recipients }));
    return { dealId: ctx.params.dealId, stepId: before.stepId, beneficiaryId, recipientId, amount };
  });
  on('post', '/deals/:dealId/steps/:stepId/complete', (ctx) => {
    keep(completed(deal(ctx), step(ctx)));
    return answered(deal(ctx), step(ctx));
  });
};
