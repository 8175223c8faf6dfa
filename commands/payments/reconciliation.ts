/**
 * Reconciliation: once a day the payments that are due (`watchedPayments.ts`) are compared with their provider's records,
 * because a notification may have been lost or money may have moved unasked. A run is a stream of the differences. Its
 * progress is in a table, so that any worker can continue it.
 */

import { nextDaily } from '../../domain/core/dates.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import {
  type Difference,
  differencesBetween,
  MAX_LISTED,
  reconciliation,
} from '../../domain/payments/reconciliation.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { derivedId } from '../../infra/ids.ts';
import { metrics } from '../../infra/metrics.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import { unlessRejected } from '../core/refusals.ts';
import { syncPayment } from './askProvider.ts';
import { finalReason, loadPayment } from './atProvider.ts';
import type { PaymentDeps } from './deps.ts';
import { ProviderError } from './paymentProvider.ts';
import { listDue, noteAsked, watch } from './watchedPayments.ts';

type Ctx = PolicyContext<PaymentDeps>;

/** Payments for each run of the job: even if each waits for its provider's time limit, the job stays short. */
const AT_ONCE = 8;

/** Starts a run each day. There is one such job, however many workers set it. */
export const dailyReconciliation = defineJob<object, PaymentDeps>(
  'reconciliation_daily',
  async (_, { deps, context }) => {
    const againAt = nextDaily(context.at, deps.settings.reconciliationHour);
    const runId = derivedId('reconciliation', againAt);
    await deps.aggregates.handle(reconciliation, runId, { type: 'StartReconciliation', trigger: 'daily' }, context);
    return { againAt };
  },
);

/** A payment has changed. */
const watchPayment = async ({ streamId: paymentId, at, meta }: Recorded, { deps }: Ctx): Promise<void> => {
  await watch(deps, paymentId, at);
  const dueAt = nextDaily(deps.now(), deps.settings.reconciliationHour);
  await dailyReconciliation.scheduleOnce(deps.jobs, meta, { id: 'daily', dueAt, data: {} });
};

/** Starts a run on request. @returns the run's id */
export const reconcileNow = async (
  { aggregates }: Pick<PaymentDeps, 'aggregates'>,
  context: CommandContext,
): Promise<string> => {
  const runId = derivedId(context.commandId, 'reconciliation');
  await aggregates.handle(reconciliation, runId, { type: 'StartReconciliation', trigger: 'requested' }, context);
  return runId;
};

/** Lists the payments of a new run and schedules its job. */
const listPayments = async ({ streamId: runId, at, meta }: Recorded, { deps }: Ctx): Promise<void> => {
  await listDue(deps, runId, at);
  await reconciliationRun.schedule(deps.jobs, meta, { id: runId, dueAt: at, data: {} });
};

/** Compares some payments, then runs again as a new job. The job's id is the run's. */
export const reconciliationRun = defineJob<object, PaymentDeps>('reconciliation_run', async ({ id: runId }, ctx) => {
  const { deps, context } = ctx;
  const { rows } = await deps.pool.query<{ payment_id: string }>(
    'select payment_id from ops.reconciliation_checks where run_id = $1 and answered is null limit $2',
    [runId, AT_ONCE],
  );
  await concurrentEach(rows, AT_ONCE, ({ payment_id }) => checkPayment(ctx, runId, payment_id));
  if (rows.length === AT_ONCE) return { againAt: context.at };
  await finish(ctx, runId);
  return undefined;
});

/** Differences are recorded before the payment is marked as done. */
const checkPayment = async ({ deps, context }: Ctx, runId: string, paymentId: string): Promise<void> => {
  const of = followUp(context, paymentId);
  const differences = await compare(deps, of, paymentId);
  if (differences) await noteAsked(deps, paymentId);
  if (differences && differences.length > 0) {
    metrics.reviewNeeded.inc({ what: 'reconciliation' });
    await deps.aggregates.handle(reconciliation, runId, { type: 'RecordDifferences', differences }, of);
  }
  await deps.pool.query('update ops.reconciliation_checks set answered = $3 where run_id = $1 and payment_id = $2', [
    runId,
    paymentId,
    differences !== undefined,
  ]);
};

/** Applies what moves the payment forward, then compares. Returns undefined when the provider cannot be asked. */
const compare = async (
  deps: PaymentDeps,
  context: CommandContext,
  paymentId: string,
): Promise<Difference[] | undefined> => {
  const before = await loadPayment(deps, paymentId);
  const { provider: name } = before;
  const provider = deps.paymentProviders.byName.get(name);
  // The provider has not replied to the creation: no payer has its page. A saved method may have been charged.
  if (before.providerPaymentId === null && before.paymentMethodId === null) return [];
  if (!provider) return undefined;
  try {
    // Rejected: another amount, a difference, which is found below.
    await unlessRejected(() => syncPayment(deps, context, paymentId));
    const { providerPaymentId } = await loadPayment(deps, paymentId);
    if (providerPaymentId === null) return [];
    const theirs = await provider.get(providerPaymentId);
    return differencesBetween(paymentId, await loadPayment(deps, paymentId), theirs);
  } catch (error) {
    const theirs = finalReason(error);
    if (theirs === undefined) {
      if (error instanceof ProviderError) return undefined;
      throw error;
    }
    const { status: ours } = await loadPayment(deps, paymentId);
    return [{ paymentId, provider: name, kind: 'unknown', ours, theirs }];
  }
};

/** Finishes the run; safe to repeat after a crash. */
const finish = async ({ deps, context }: Ctx, runId: string): Promise<void> => {
  const { rows } = await deps.pool.query<{ checked: number; unanswered: number; ids: string[] | null }>(
    `select count(*) as checked, count(*) filter (where not answered) as unanswered,
            (array_agg(payment_id::text order by payment_id) filter (where not answered))[1:${MAX_LISTED}] as ids
     from ops.reconciliation_checks where run_id = $1`,
    [runId],
  );
  const { checked = 0, unanswered = 0, ids } = rows[0] ?? {};
  const command = { type: 'FinishReconciliation', checked, unanswered, unansweredIds: ids ?? [] } as const;
  await deps.aggregates.handle(reconciliation, runId, command, followUp(context, 'finish'));
  await deps.pool.query('delete from ops.reconciliation_checks where run_id = $1', [runId]);
};

export const reconciliationPolicy = policy<PaymentDeps>('reconciliation', { ReconciliationStarted: listPayments });

/** It has followed the log from its beginning: payments from before it are watched, too. */
export const paymentWatchPolicy = policy<PaymentDeps>('payment_watch', {
  PaymentCreated: watchPayment,
  PaymentSucceeded: watchPayment,
  PaymentFailed: watchPayment,
  PaymentCancelled: watchPayment,
  PaymentExpired: watchPayment,
  RefundRequested: watchPayment,
  RefundRetried: watchPayment,
  RefundSucceeded: watchPayment,
  RefundFailed: watchPayment,
  RefundReviewRequested: watchPayment,
  ShareReleased: watchPayment,
  EscrowReleased: watchPayment,
  PaymentMismatchFound: watchPayment,
  PaymentMismatchEnded: watchPayment,
});
