/**
 * T-Bank's nominal account: deals that hold owners' money and pay it out, as pure steps, according to "Сделки" and
 * "Управление этапами сделок" of https://developer.tbank.ru/docs/api. Amounts are kopecks.
 */
import { ApiError } from '../core/apiError.ts';
import type { PaymentRecord } from '../payments/payments.ts';
import { kopecks } from './payments.ts';

export interface BeneficiaryRecord {
  readonly name: string;
  /** Payout accounts, by id. */
  readonly bankDetails: Readonly<Record<string, { readonly bik: string; readonly accountNumber: string }>>;
}

export interface StepRecord {
  readonly stepId: string;
  readonly description: string;
  readonly status: 'NEW' | 'COMPLETED';
  /** Amounts, by beneficiary. */
  readonly deponents: Readonly<Record<string, number>>;
  readonly recipients: Readonly<Record<string, { readonly bankDetailsId: string; readonly amount: number }>>;
}

export interface DealRecord {
  readonly dealId: string;
  readonly accountNumber: string;
  readonly status: 'DRAFT' | 'ACCEPTED' | 'COMPLETED' | 'CANCELLED';
  readonly steps: Readonly<Record<string, StepRecord>>;
}

const illegal = (message: string): ApiError => new ApiError(422, 'INVALID_STATUS', message);

const sum = (amounts: Iterable<number>): number => [...amounts].reduce((total, amount) => total + amount, 0);
const deposited = ({ steps }: DealRecord): number =>
  sum(Object.values(steps).flatMap(({ deponents }) => Object.values(deponents)));
const paidOut = ({ recipients }: StepRecord): number => sum(Object.values(recipients).map(({ amount }) => amount));

/**
 * Money that the terminal has received and that no deal holds or has paid out. In the sandbox it reaches the account at
 * once.
 */
export const available = (payments: Iterable<PaymentRecord>, deals: Iterable<DealRecord>): number => {
  const taken = [...payments]
    .filter(({ provider, object }) => provider === 'tbank' && object.status === 'succeeded')
    .map(({ object }) => kopecks(object.amount) - kopecks(object.refunded_amount));
  const kept = [...deals].filter(({ status }) => status === 'ACCEPTED' || status === 'COMPLETED').map(deposited);
  return sum(taken) - sum(kept);
};

/** Accepts a draft whose payouts equal its deposits, if the account covers it. */
export const isValid = (deal: DealRecord, money: number): boolean => {
  const steps = Object.values(deal.steps);
  const total = deposited(deal);
  return total > 0 && total === sum(steps.map(paidOut)) && total <= money;
};

/** Changes a step of a draft. */
export const edited = (deal: DealRecord, step: StepRecord): DealRecord => {
  if (deal.status !== 'DRAFT') throw illegal(`The deal is ${deal.status}, not DRAFT`);
  return { ...deal, steps: { ...deal.steps, [step.stepId]: step } };
};

export const accepted = (deal: DealRecord, money: number): DealRecord => {
  if (deal.status === 'ACCEPTED') return deal;
  if (deal.status !== 'DRAFT') throw illegal(`The deal is ${deal.status}, not DRAFT`);
  if (!isValid(deal, money)) throw new ApiError(422, 'NOT_ENOUGH_MONEY', 'The deal is not covered');
  return { ...deal, status: 'ACCEPTED' };
};

/** Pays the recipients of a step; the last step ends the deal. */
export const completed = (deal: DealRecord, step: StepRecord): DealRecord => {
  if (deal.status !== 'ACCEPTED') throw illegal(`The deal is ${deal.status}, not ACCEPTED`);
  const steps = { ...deal.steps, [step.stepId]: { ...step, status: 'COMPLETED' } } as const;
  const isOver = Object.values(steps).every(({ status }) => status === 'COMPLETED');
  return { ...deal, steps, status: isOver ? 'COMPLETED' : 'ACCEPTED' };
};

export const cancelled = (deal: DealRecord): DealRecord => {
  if (deal.status === 'COMPLETED') throw illegal('The deal has ended');
  return { ...deal, status: 'CANCELLED' };
};
