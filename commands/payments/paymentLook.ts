/**
 * Looks at payments that somebody waits for, because a notification of the provider may be late or lost: a job soon after
 * the payer was given the page and as long as they may be on it, and whenever somebody asks us.
 */
import { type Recorded, Rejected } from '../../domain/core/decider.ts';
import { addMs, MINUTE_MS, msBetween } from '../../domain/core/instants.ts';
import { isDead, type OpenPayment } from '../../domain/payments/payment.ts';
import type { CommandContext } from '../core/handle.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { syncPayment } from './askProvider.ts';
import { loadPayment } from './atProvider.ts';
import type { PaymentDeps } from './deps.ts';
import { ProviderError } from './paymentProvider.ts';
import { backoffOf } from './polling.ts';
import { takeTurn } from './watchedPayments.ts';

export type AskingDeps = Pick<PaymentDeps, 'aggregates' | 'paymentProviders' | 'log'>;
type Deps = AskingDeps & Pick<PaymentDeps, 'pool' | 'now'>;

/** The first look, after the page was given. */
const FIRST_MS = 7_000;
/** While the payer is probably on the page. */
const OFTEN_MS = 10_000;
const ON_PAGE_MS = 5 * MINUTE_MS;

/** When to look again, RFC 3339; undefined after weeks. */
const nextLook = (since: string, now: string): string | undefined =>
  msBetween(since, now) < ON_PAGE_MS ? addMs(now, OFTEN_MS) : backoffOf(since, now);

const hasEnded = ({ status }: Pick<OpenPayment, 'status'>): boolean => isDead(status) || status === 'succeeded';

/** What the provider says; what we know when it does not answer, or reports another amount. */
const orKnown = async (
  deps: Pick<Deps, 'aggregates' | 'log'>,
  paymentId: string,
  asking: Promise<OpenPayment>,
): Promise<OpenPayment> =>
  asking.catch((error: unknown) => {
    if (!(error instanceof ProviderError || error instanceof Rejected)) throw error;
    deps.log.warn({ err: error, payment: paymentId }, 'the provider did not tell the status of a payment');
    return loadPayment(deps, paymentId);
  });

/** Asks about a payment until it has ended. The job's id is the payment's; `since`: when the payer could begin to pay. */
export const paymentLook = defineJob<{ since: string }, PaymentDeps>(
  'payment_look',
  async ({ id, data }, { deps, context }) => {
    const before = await loadPayment(deps, id);
    const asking = syncPayment(deps, context, id);
    // Nobody waits, so that it is asked again until there is an answer.
    const { status } = await (hasEnded(before) ? asking : orKnown(deps, id, asking));
    const againAt = nextLook(data.since, deps.now());
    return hasEnded({ status }) || againAt === undefined ? undefined : { againAt };
  },
);

/** The payer has the page, or confirms the payment in their bank's app. */
export const lookSoon = async (
  { streamId: id, at: since, meta }: Pick<Recorded, 'streamId' | 'at' | 'meta'>,
  { deps }: PolicyContext<PaymentDeps>,
): Promise<void> => paymentLook.schedule(deps.jobs, meta, { id, dueAt: addMs(since, FIRST_MS), data: { since } });

/** A refund of ours has ended: what else went back at the provider can be told apart now. */
export const lookNow = async (
  { streamId: id, meta }: Pick<Recorded, 'streamId' | 'meta'>,
  { deps }: PolicyContext<PaymentDeps>,
): Promise<void> => {
  const dueAt = deps.now();
  await paymentLook.schedule(deps.jobs, meta, { id, dueAt, data: { since: dueAt } });
};

/**
 * Before it is decided what goes back of a payment: asks the provider, whoever else has just asked, because some of it may
 * have been given back there. Without its answer, what is known counts.
 */
export const askBeforeRefund = async (
  deps: AskingDeps,
  context: CommandContext,
  paymentId: string,
): Promise<OpenPayment> => {
  const known = await loadPayment(deps, paymentId);
  return known.status === 'succeeded' ? orKnown(deps, paymentId, syncPayment(deps, context, paymentId)) : known;
};

/**
 * Somebody waits for a payment that may have moved: asks the provider, unless it was asked within the last seconds.
 * Without its answer, what is known counts.
 */
export const lookAt = async (deps: Deps, context: CommandContext, paymentId: string): Promise<OpenPayment> => {
  const known = await loadPayment(deps, paymentId);
  if (isDead(known.status) || known.providerPaymentId === null || !(await takeTurn(deps, paymentId))) return known;
  return orKnown(deps, paymentId, syncPayment(deps, context, paymentId));
};
