/** Makes a payment known to its provider, however often its answer is lost. */

import { type Recorded, Rejected } from '../../domain/core/decider.ts';
import { addMs, MINUTE_MS } from '../../domain/core/instants.ts';
import type { EventOf } from '../../domain/modules.ts';
import type { OpenPayment } from '../../domain/payments/payment.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { unlessRejected } from '../core/refusals.ts';
import { apply, giveUp, loadPayment, lookUp, providerOf } from './atProvider.ts';
import type { PaymentDeps } from './deps.ts';
import { payableKind } from './payables.ts';
import { tokenOf } from './paymentMethods.ts';
import { ProviderError } from './paymentProvider.ts';
import { receiptOfPayment } from './receipts.ts';

type Deps = Pick<PaymentDeps, 'aggregates' | 'paymentProviders' | 'payables' | 'settings'>;

/** After this long a request that started a payment has ended, with or without an answer of the provider. */
const RESUBMIT_MS = 2 * MINUTE_MS;

/** The token of the payment's saved method; null without one; undefined when it was removed meanwhile. */
const savedToken = async (
  deps: Pick<Deps, 'aggregates'>,
  { userId, paymentMethodId }: OpenPayment,
): Promise<string | null | undefined> => {
  if (paymentMethodId === null) return null;
  return (await unlessRejected(() => tokenOf(deps, userId, paymentMethodId)))?.token;
};

/** null: what the receipt needs was removed after the payment began. */
const unlessImpossible = (error: unknown): null => {
  if (error instanceof Rejected) return null;
  throw error;
};

/** What the payer reads at the provider: the text of the kind, where all items are of one kind and it has a text. */
const describe = (deps: Pick<PaymentDeps, 'payables'>, paymentId: string, state: OpenPayment): string => {
  const [kind, another] = new Set(state.items.map((item) => item.kind));
  const text = kind !== undefined && another === undefined ? payableKind(deps, kind).describe(state) : undefined;
  return text ?? `Order ${paymentId}`;
};

/**
 * Makes sure that the provider knows the payment. `again`: the provider may know it already. It is looked for before
 * anything ends the payment.
 */
export const submitPayment = async (
  deps: Deps,
  context: CommandContext,
  paymentId: string,
  { again = false }: { readonly again?: boolean } = {},
): Promise<OpenPayment> => {
  const before = await loadPayment(deps, paymentId);
  if (before.status !== 'pending') return before;
  const state = again ? await lookUp(deps, context, paymentId, before) : before;
  if (state.status !== 'pending') return state;
  const { amountMinor, currency, method, returnUrl, userId, capture } = state;
  const token = await savedToken(deps, state);
  const fail = (step: string, code: string) => giveUp(deps, followUp(context, step), paymentId, 'failed', code);
  if (token === undefined) return fail('method gone', 'method_removed');
  const receipt = state.hasReceipt ? await receiptOfPayment(deps, state).catch(unlessImpossible) : undefined;
  if (receipt === null) return fail('no receipt', 'receipt_impossible');
  try {
    const answer = await providerOf(deps, state.provider).create({
      paymentId,
      amountMinor,
      currency,
      method,
      returnUrl,
      description: describe(deps, paymentId, state),
      idempotencyKey: paymentId,
      customerId: userId,
      capture,
      ...(token !== null && { token }),
      ...(receipt && { receipt }),
    });
    return await apply(deps, followUp(context, 'submitted'), paymentId, answer);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind === 'away') throw error;
    return fail('refused', error.reason ?? 'refused');
  }
};

/**
 * Asks again about the charge of a saved method whose answer was lost, together with its notification. The job's id is
 * the payment's.
 */
export const paymentSubmit = defineJob<object, PaymentDeps>('payment_submit', async ({ id }, { deps, context }) => {
  await submitPayment(deps, context, id, { again: true });
  return undefined;
});

/** A payment on a page needs no such job: without an answer nobody has its address. */
export const scheduleSubmit = async (
  { streamId: id, at, data, meta }: Recorded<EventOf<'PaymentCreated'>>,
  { deps }: PolicyContext<PaymentDeps>,
): Promise<void> => {
  if (data.paymentMethodId === null) return;
  const dueAt = addMs(at, RESUBMIT_MS);
  await paymentSubmit.schedule(deps.jobs, meta, { id, dueAt, data: {} });
};
