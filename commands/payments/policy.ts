/** What follows for payments: deadlines, captures and refunds, and calls to the modules whose items are paid for. */
import type { Recorded } from '../../domain/core/decider.ts';
import { addMs } from '../../domain/core/instants.ts';
import type { EventOf } from '../../domain/modules.ts';
import { isDead, type PaymentItem, payment, paysFor } from '../../domain/payments/payment.ts';
import { metrics } from '../../infra/metrics.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import { syncPayment } from './askProvider.ts';
import { cancelPayment, capturePayment, loadPayment } from './atProvider.ts';
import { freeReserved, postChargeback, requestReserved } from './chargebacks.ts';
import type { PaymentDeps } from './deps.ts';
import { reportDuplicate, returnDuplicate } from './duplicates.ts';
import { type PayableKind, payableKind } from './payables.ts';
import { lookNow, lookSoon, paymentLook } from './paymentLook.ts';
import { backoffOf } from './polling.ts';
import { submitRefund } from './refundAtProvider.ts';
import { reserveRefund, settleReservation, watchReservation } from './refunds.ts';
import { paymentSubmit, scheduleSubmit } from './submitPayment.ts';

type Ctx = PolicyContext<PaymentDeps>;

/** After this many attempts, which with the backoff take about eight hours, a refund goes to an operator. */
const MAX_REFUND_ATTEMPTS = 20;

/** Ends a payment that was not made within `PAYMENT_TTL_HOURS`. The job's id is the payment's. */
export const paymentTtl = defineJob<object, PaymentDeps>('payment_ttl', async ({ id }, { deps, context }) => {
  const { status } = await syncPayment(deps, followUp(context, 'sync'), id);
  if (!isDead(status) && status !== 'succeeded')
    await cancelPayment(deps, followUp(context, 'cancel'), id, 'pending_too_long');
  return undefined;
});

/** Ends a payment that is no longer needed: what it pays for has ended or was paid. The job's id is the payment's. */
export const paymentCancel = defineJob<object, PaymentDeps>('payment_cancel', async ({ id }, { deps, context }) => {
  const { state } = await deps.aggregates.load(payment, id);
  if (state.status !== 'none') await cancelPayment(deps, context, id, 'not_needed');
  return undefined;
});

/** Ends the payment that is open for something that has ended, so that nobody pays for it any more. */
export const endPaymentOf = async (
  deps: Pick<PaymentDeps, 'aggregates' | 'jobs' | 'now'>,
  cause: { readonly correlationId: string },
  itemId: string,
  { openPayment }: { readonly openPayment: string | null },
): Promise<void> => {
  if (openPayment === null) return;
  const { state } = await deps.aggregates.load(payment, openPayment);
  if (state.status === 'none' || !paysFor(state, itemId)) return;
  await paymentCancel.schedule(deps.jobs, cause, { id: openPayment, dueAt: deps.now(), data: {} });
};

/**
 * Captures the reserved money if at least one of the items is still available; otherwise cancels the payment, so that
 * the payer never pays. The job's id is the payment's.
 */
export const capture = defineJob<object, PaymentDeps>('capture', async ({ id }, { deps, context }) => {
  const { status, items } = await loadPayment(deps, id);
  if (status !== 'authorized') return undefined;
  const keep = (item: PaymentItem) => payableKind(deps, item.kind).keep(followUp(context, item.id), id, item);
  const kept = await Promise.all(items.map(keep));
  if (kept.some(Boolean)) await capturePayment(deps, context, id);
  else await cancelPayment(deps, context, id, 'not_to_be_had');
  return undefined;
});

/**
 * Has the provider carry out a refund, and asks until it is done, ever more rarely. After two weeks an operator decides.
 * The job's id is the refund's; `since`: when it was requested, or retried. Jobs of 0.1.0 have none.
 */
export const refund = defineJob<{ paymentId: string; since?: string }, PaymentDeps>(
  'refund',
  async ({ id, data, attempt }, { deps, context }) => {
    const { paymentId, since = deps.now() } = data;
    const { status } = await submitRefund(deps, context, paymentId, id, attempt >= MAX_REFUND_ATTEMPTS);
    if (status !== 'pending') return undefined;
    const againAt = backoffOf(since, deps.now());
    if (againAt) return { againAt };
    const left = { status: 'manual_review', hasFailed: false, reason: 'pending_too_long' } as const;
    const command = { type: 'ApplyRefundState', refundId: id, ...left } as const;
    await deps.aggregates.handle(payment, paymentId, command, followUp(context, 'too long'));
    return undefined;
  },
);

/**
 * Does the same for each item of a payment, each with ids of its own. One that fails does not prevent the others; the
 * event is then handled again for all of them.
 */
const forEachItem = async (
  { deps, context }: Ctx,
  paymentId: string,
  work: (kind: PayableKind, context: CommandContext, item: PaymentItem) => Promise<unknown>,
): Promise<void> => {
  const { items } = await loadPayment(deps, paymentId);
  const one = async (item: PaymentItem) => work(payableKind(deps, item.kind), followUp(context, item.id), item);
  const done = await Promise.allSettled(items.map(one));
  for (const each of done) if (each.status === 'rejected') throw each.reason;
};

/** A payment has ended: nothing waits for it any more. */
const cancelJobsOf = async ({ deps: { jobs } }: Ctx, paymentId: string): Promise<void> => {
  await paymentTtl.cancel(jobs, paymentId);
  await paymentSubmit.cancel(jobs, paymentId);
  await paymentLook.cancel(jobs, paymentId);
};

const endItems = async (
  { streamId: paymentId }: Recorded<EventOf<'PaymentFailed' | 'PaymentCancelled' | 'PaymentExpired'>>,
  ctx: Ctx,
): Promise<void> => {
  await cancelJobsOf(ctx, paymentId);
  await forEachItem(ctx, paymentId, (kind, context, { id }) => kind.end(context, paymentId, id));
};

const startRefund = async (
  { streamId: paymentId, data, at: since, meta }: Recorded<EventOf<'RefundRequested' | 'RefundRetried'>>,
  ctx: Ctx,
): Promise<void> => {
  const { deps } = ctx;
  if ('isMadeThere' in data && data.isMadeThere) return;
  await reserveRefund(ctx, paymentId, data.refundId);
  await refund.schedule(deps.jobs, meta, { id: data.refundId, dueAt: deps.now(), data: { paymentId, since } });
};

/** The module that sold an item learns that its money went back. */
const tellItem = (
  { streamId: paymentId, data: { itemId } }: Recorded<EventOf<'RefundSucceeded' | 'ChargedBack'>>,
  ctx: Ctx,
): Promise<void> =>
  forEachItem(ctx, paymentId, async (kind, context, item) => {
    if (item.id === itemId) await kind.refunded?.(context, paymentId, item);
  });

/** A refund has ended: others of the payment that waited for it are sent now. */
const refundEnded = async (event: Recorded<EventOf<'RefundSucceeded' | 'RefundFailed'>>, ctx: Ctx): Promise<void> => {
  await settleReservation(event, ctx);
  const { refunds } = await loadPayment(ctx.deps, event.streamId);
  await lookNow(event, ctx);
  for (const [refundId, { status, providerRefundId }] of Object.entries(refunds))
    if (status === 'pending' && providerRefundId === null) await refund.runNow(ctx.deps.jobs, refundId);
};

export const paymentPolicy = policy<PaymentDeps>('payments', {
  PaymentCreated: async (event, ctx) => {
    const { streamId: id, at, meta } = event;
    const dueAt = addMs(at, ctx.deps.settings.paymentTtlMs);
    await paymentTtl.schedule(ctx.deps.jobs, meta, { id, dueAt, data: {} });
    await scheduleSubmit(event, ctx);
  },
  PaymentActionRequested: lookSoon,
  PaymentProcessingStarted: lookSoon,
  PaymentAuthorized: ({ streamId: id, meta }, { deps }) =>
    capture.schedule(deps.jobs, meta, { id, dueAt: deps.now(), data: {} }),
  PaymentSucceeded: async ({ streamId: paymentId, at }, ctx) => {
    await cancelJobsOf(ctx, paymentId);
    await forEachItem(ctx, paymentId, (kind, context, item) => kind.settle(context, paymentId, item, at));
  },
  PaymentFailed: endItems,
  PaymentCancelled: endItems,
  PaymentExpired: endItems,
  RefundRequested: startRefund,
  RefundRetried: startRefund,
  RefundReviewRequested: async (event, ctx) => {
    const { streamId: paymentId, data } = event;
    metrics.reviewNeeded.inc({ what: 'refund' });
    ctx.deps.log.error({ paymentId, refundId: data.refundId, error_code: data.code }, 'a refund needs manual review');
    await lookNow(event, ctx);
  },
  PaymentMismatchFound: async ({ streamId: paymentId, data }, { deps }) => {
    metrics.reviewNeeded.inc({ what: 'payment_mismatch' });
    deps.log.error({ paymentId, ...data }, 'a payment differs from its record at the provider');
  },
  RefundSucceeded: async (event, ctx) => {
    await refundEnded(event, ctx);
    await tellItem(event, ctx);
  },
  RefundFailed: refundEnded,
  ChargebackReserved: requestReserved,
  ChargedBack: tellItem,
  RefundReserved: watchReservation,
  AdjustmentApproved: postChargeback,
  AdjustmentRejected: freeReserved,
  DuplicateChargeReceived: returnDuplicate,
  DuplicateChargeReviewRequested: reportDuplicate,
});
