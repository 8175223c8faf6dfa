/**
 * Escrow on T-Bank's nominal account: for each amount a deal of one step, whose depositor and recipient is the owner it
 * is kept for. Accepting the deal keeps the money, completing its step pays it out to the owner's bank, cancelling it
 * leaves it on the account. Refunds are the acquiring's; how the bank settles one against money that lay here is not
 * published.
 *
 * `providerEscrowId` is `<deal>:<step>`. Money of the acquiring reaches the account some time after it was paid; until
 * then a deal stays a draft and the escrow `pending`, and every question about it tries to accept it.
 */
import { derivedId } from '../../../infra/ids.ts';
import { validator } from '../../../infra/validation.ts';
import {
  type EscrowGateway,
  type NewEscrow,
  type NominalAccount,
  ProviderError,
  type ProviderEscrow,
} from '../paymentProvider.ts';
import { CURRENCY } from './api.ts';
import {
  BankDetails,
  Beneficiary,
  createNominalClient,
  Deal,
  Done,
  type NominalCall,
  Recipient,
  Step,
  type TbankNominalOptions,
  Validity,
} from './nominalApi.ts';

const isBeneficiary = validator(Beneficiary);
const isBankDetails = validator(BankDetails);
const isDeal = validator(Deal);
const isStep = validator(Step);
const isRecipient = validator(Recipient);
const isValidity = validator(Validity);
const isDone = validator(Done);

const refused = (reason: string): ProviderError =>
  new ProviderError('refused', `tbank nominal account: ${reason}`, reason);

export const tbankNominal = (options: TbankNominalOptions): EscrowGateway => {
  const call = createNominalClient(options);
  return {
    hold: (escrow) => hold(call, options.accountNumber, escrow),
    getEscrow: async (id) => {
      const now = await read(call, id);
      return now.status === 'pending' ? accept(call, id) : now;
    },
    release: async (id) => {
      const now = await read(call, id);
      if (now.status === 'released') return now;
      if (now.status !== 'held') throw refused(`escrow_${now.status}`);
      const { dealId, stepId } = partsOf(id);
      await call(isDone, 'POST', `/deals/${dealId}/steps/${stepId}/complete`);
      return read(call, id);
    },
    cancelEscrow: async (id) => {
      const now = await read(call, id);
      if (now.status === 'cancelled') return now;
      if (now.status === 'released') throw refused('escrow_released');
      await call(isDone, 'POST', `/deals/${partsOf(id).dealId}/cancel`);
      return read(call, id);
    },
  };
};

/** Every call has its own key, so that a repeated escrow continues where it stopped. */
const hold = async (call: NominalCall, accountNumber: string, escrow: NewEscrow): Promise<ProviderEscrow> => {
  const { escrowId, amountMinor, currency, providerPaymentId, recipient } = escrow;
  if (currency !== CURRENCY) throw refused('currency_not_supported');
  const key = (part: string) => derivedId('tbank escrow', escrowId, part);
  const payee = await register(call, recipient);
  const { dealId } = await call(isDeal, 'POST', '/deals', { idempotencyKey: key('deal'), body: { accountNumber } });
  const { stepId } = await call(isStep, 'POST', `/deals/${dealId}/steps`, {
    idempotencyKey: key('step'),
    body: { description: `Payment ${providerPaymentId}` },
  });
  const id = `${dealId}:${stepId}`;
  // After `DRAFT` the deal cannot be changed.
  const before = await read(call, id);
  if (before.status !== 'pending') return before;
  const amount = amountMinor / 100;
  const onStep = `/deals/${dealId}/steps/${stepId}`;
  await call(isDone, 'PUT', `${onStep}/deponents/${payee.beneficiaryId}`, { body: { amount } });
  const purpose = `Payout of payment ${providerPaymentId}`;
  const to = { ...payee, amount, purpose, keepOnVirtualAccount: false };
  await call(isRecipient, 'POST', `${onStep}/recipients`, { idempotencyKey: key('recipient'), body: to });
  return accept(call, id);
};

/** The owner as the bank knows them: one for each account. */
const register = async (call: NominalCall, { bik, number, holder }: NominalAccount) => {
  const key = (part: string) => derivedId('tbank beneficiary', bik, number, holder, part);
  const { beneficiaryId } = await call(isBeneficiary, 'POST', '/beneficiaries', {
    idempotencyKey: key('beneficiary'),
    body: { type: 'LITE_CONTACT', name: holder },
  });
  const { bankDetailsId } = await call(isBankDetails, 'POST', `/beneficiaries/${beneficiaryId}/bank-details`, {
    idempotencyKey: key('bank details'),
    body: { type: 'PAYMENT_DETAILS', bik, accountNumber: number },
  });
  return { beneficiaryId, bankDetailsId };
};

/** Accepts the deal once the account covers it. */
const accept = async (call: NominalCall, id: string): Promise<ProviderEscrow> => {
  const { dealId } = partsOf(id);
  const { isValid } = await call(isValidity, 'GET', `/deals/${dealId}/is-valid`);
  if (isValid) await call(isDone, 'POST', `/deals/${dealId}/accept`);
  return read(call, id);
};

const read = async (call: NominalCall, id: string): Promise<ProviderEscrow> => {
  const { dealId, stepId } = partsOf(id);
  const deal = await call(isDeal, 'GET', `/deals/${dealId}`);
  const step = await call(isStep, 'GET', `/deals/${dealId}/steps/${stepId}`);
  return { providerEscrowId: id, status: statusOf(deal, step) };
};

/** After a failed payout the money is still held: the bank needs other details. */
const statusOf = (deal: Deal, step: Step): ProviderEscrow['status'] => {
  if (step.status === 'COMPLETED' || deal.status === 'COMPLETED') return 'released';
  if (deal.status === 'CANCELLED') return 'cancelled';
  return deal.status === 'DRAFT' ? 'pending' : 'held';
};

const partsOf = (id: string) => {
  const [dealId = '', stepId = ''] = id.split(':').map(encodeURIComponent);
  return { dealId, stepId };
};
