/**
 * The money of a captured payment at its provider, compared with ours. What went back there and is no refund of ours was
 * refunded by hand: it becomes a refund here. A refund of ours that may be under way is never counted a second time:
 * where the provider lists refunds, it is recognised; where it does not, its end is waited for. What cannot be told is a
 * mismatch, which a person looks at.
 */
import { Rejected } from '../core/decider.ts';
import { refunded } from '../ledger/ledger.ts';
import { openEscrow } from './paymentEscrow.ts';
import { type Difference, type MismatchEvent, mismatchEnded, mismatchFound } from './paymentMismatch.ts';
import { applyRefundState, evolveMoney, type MoneyEvent } from './paymentMoney.ts';
import {
  assertPaid,
  itemOf,
  leftMinor,
  madeThereDraw,
  type OpenPayment,
  paidItem,
  type Refund,
  refundedMinor,
} from './paymentState.ts';
import { hasNothing, type ListedRefund, type ProviderReport } from './providerReport.ts';

/** What follows from a comparison: `waits`: a refund of ours may explain the rest, as soon as it has ended. */
interface Compared {
  readonly events: readonly MoneyEvent[];
  readonly difference?: Difference;
  readonly waits?: boolean;
}

export const reportedMoney = (report: ProviderReport, state: OpenPayment): (MoneyEvent | MismatchEvent)[] => {
  if (report.providerPaymentId !== state.providerPaymentId) return [];
  if (state.status !== 'succeeded') return hasNothing(report) ? mismatchEnded(state) : [];
  const ours = report.refunds ? foundOfOurs(report.refunds, state) : [];
  const known = ours.reduce(evolveMoney, state);
  const { events, difference, waits } = report.status === 'succeeded' ? madeThere(report, known) : nothing;
  const after = events.reduce(evolveMoney, known);
  const differs = contradiction(report, state) ?? difference;
  const follows = differs ? mismatchFound(after, differs) : report.believed && !waits ? mismatchEnded(after) : [];
  return [...ours, ...events, ...follows];
};

const nothing: Compared = { events: [] };

/** Refunds of ours that the provider has made, and whose answer we have not got yet. */
const foundOfOurs = (listed: readonly ListedRefund[], state: OpenPayment): MoneyEvent[] => {
  const events: MoneyEvent[] = [];
  for (const { refundId: ourId, attempt, status, providerRefundId } of listed) {
    const refundId = ourId ?? '';
    if (status === 'failed' || !state.refunds[refundId]) continue;
    const now = events.reduce(evolveMoney, state);
    events.push(...applyRefundState({ type: 'ApplyRefundState', refundId, status, attempt, providerRefundId }, now));
  }
  return events;
};

/** What the provider says that we knew better when we asked; undefined without a contradiction. */
const contradiction = (report: ProviderReport, state: OpenPayment): Difference | undefined => {
  const { believed, status, currency, amountMinor } = report;
  if (believed?.status !== 'succeeded') return undefined;
  if (status !== 'succeeded') return { kind: 'status', ours: 'succeeded', theirs: status };
  if (currency !== state.currency) return { kind: 'currency', ours: state.currency, theirs: currency };
  // After refunds a provider may report what is left.
  if (amountMinor !== state.amountMinor && amountMinor !== state.amountMinor - refundedMinor(state))
    return { kind: 'amount', ours: `${state.amountMinor}`, theirs: `${amountMinor}` };
  const theirs = report.refundedMinor;
  if (theirs === undefined || theirs >= believed.refundedMinor) return undefined;
  return { kind: 'refunds', ours: `${believed.refundedMinor}`, theirs: `${theirs}` };
};

/** What was refunded there and is no refund of ours. */
const madeThere = (report: ProviderReport, state: OpenPayment): Compared => {
  const ours = refundedMinor(state);
  const differs = (theirs: number | string): Compared => ({
    events: [],
    difference: { kind: 'refunds', ours: `${ours}`, theirs: `${theirs}` },
  });
  const total = report.refundedMinor;
  const underWay = mayBeMade(report, state);
  if (total === undefined) {
    if (!report.isPartlyRefunded || (ours > 0 && ours < state.capturedMinor)) return nothing;
    return underWay > 0 ? { events: [], waits: true } : differs('a part');
  }
  if (total <= ours) return nothing;
  const waiting = inReview(state, total - ours);
  if (waiting && underWay <= (waiting.isSure ? 0 : total - ours)) {
    const command = { type: 'ApplyRefundState', refundId: waiting.id, status: 'succeeded' } as const;
    return openEscrow(state, waiting.itemId) ? differs(total) : { events: applyRefundState(command, state) };
  }
  const waits = underWay > 0;
  const sure = total - ours - underWay;
  if (sure <= 0) return { events: [], waits };
  const divided = divide(state, sure);
  if (!divided) return differs(total);
  const ids = report.foundRefundIds ?? {};
  const events: MoneyEvent[] = [];
  for (const [itemId, amountMinor] of divided) {
    const refundId = ids[itemId];
    if (refundId === undefined || state.refunds[refundId] || openEscrow(state, itemId)) return differs(total);
    events.push(...refundMadeThere(state, { refundId, itemId, amountMinor }));
  }
  return { events, waits };
};

/** Whether a refund may be carried out there without our knowledge. */
const isOpenQuestion = ({ status, isKnownToHaveFailed }: Refund): boolean =>
  status === 'pending' || (status === 'manual_review' && !isKnownToHaveFailed);

/** Whether what went back there may hide in a refund of ours whose end we do not know. */
export const hasOpenRefunds = ({ refunds }: Pick<OpenPayment, 'refunds'>): boolean =>
  Object.values(refunds).some(isOpenQuestion);

/** How much of what went back may belong to refunds of ours, although we don't know it yet. */
const mayBeMade = ({ refunds: listed }: ProviderReport, { refunds }: OpenPayment): number => {
  // In a list, refunds of ours are recognised.
  if (listed) return 0;
  const open = Object.values(refunds).filter(isOpenQuestion);
  return open.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
};

/** A refund that waits for a person and has this amount: the person has made it there. */
const inReview = ({ refunds }: OpenPayment, amountMinor: number) => {
  const found = Object.entries(refunds).find(
    ([, refund]) => refund.status === 'manual_review' && refund.amountMinor === amountMinor,
  );
  return found && { id: found[0], itemId: found[1].itemId, isSure: found[1].isKnownToHaveFailed };
};

/** Which items the money came from; undefined when that cannot be told. */
const divide = (state: OpenPayment, amountMinor: number): [itemId: string, amountMinor: number][] | undefined => {
  const items = state.items.map(({ id }) => [id, leftMinor(state, id)] as const);
  const left = items.filter(([, minor]) => minor > 0);
  const from = left.length > 0 ? left : items.slice(0, 1);
  const total = from.reduce((sum, [, minor]) => sum + minor, 0);
  if (from.length > 1 && amountMinor < total) return undefined;
  // All that was left, and more: the rest is nobody's.
  return from.map(([id, minor], n) => [id, minor + (n === 0 ? amountMinor - total : 0)]);
};

interface MadeThere {
  readonly refundId: string;
  readonly itemId: string;
  readonly amountMinor: number;
}

/** The money has gone already, so that it is never refused for its amount. */
const refundMadeThere = (state: OpenPayment, { refundId, itemId, amountMinor }: MadeThere): MoneyEvent[] => {
  const { provider, currency } = state;
  const { draw, lossMinor } = madeThereDraw(state, itemId, amountMinor);
  const postings = refunded(provider, paidItem(state, itemOf(state, itemId)), draw, lossMinor);
  const about = { refundId, itemId, amountMinor, currency };
  return [
    { type: 'RefundRequested', data: { ...about, cause: 'requested', isMadeThere: true } },
    { type: 'RefundSucceeded', data: { ...about, postings } },
  ];
};

/**
 * An operator says what a mismatch of refunds is about.
 * @throws Rejected `not_found`, `invalid`, `invalid_transition` unless there is such a mismatch, `refund_too_large`
 */
export const recordMadeThere = (made: MadeThere, state: OpenPayment): MoneyEvent[] => {
  const { refundId, itemId, amountMinor } = made;
  if (state.refunds[refundId]) return [];
  itemOf(state, itemId);
  assertPaid(state);
  if (state.mismatch?.kind !== 'refunds')
    throw new Rejected(
      'invalid_transition',
      'The refunds of this payment agree with its provider, as far as is known. Request a refund instead.',
    );
  if (amountMinor <= 0) throw new Rejected('invalid', 'The refund amount must be positive.', { fields: ['amount'] });
  const left = leftMinor(state, itemId);
  if (amountMinor > left)
    throw new Rejected('refund_too_large', 'The amount is higher than what is left of the item.', {
      refundable_minor: left,
      currency: state.currency,
    });
  return refundMadeThere(state, made);
};
