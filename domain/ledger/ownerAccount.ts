/**
 * The balance that an owner can be paid out, in one currency. One stream decides it, so that nothing is paid twice or
 * beyond the balance. A policy records what payments release and what late refunds take back, so the balance can be
 * briefly behind a release, and then pays too little. A refund that takes back what was released is reserved here when
 * it is requested, so that no payout can take the same money.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, notFound, Rejected } from '../core/decider.ts';
import { ImmutableMap } from '../core/immutableMap.ts';
import { toMajor } from '../core/money.ts';
import { RecentIds } from '../core/recentIds.ts';
import { markOf, saidBefore } from '../core/saidBefore.ts';
import { Currency, Instant, Minor, Uuid } from '../core/schema.ts';
import { paidOut, payoutFailed, payoutRequested } from './ledger.ts';
import {
  type OwnerAccount,
  ownerAccountSnapshot,
  Payout,
  type PayoutStatus,
  RequestedPayout,
} from './ownerAccountState.ts';

export { type OwnerAccount, type PayoutStatus, payoutStatuses } from './ownerAccountState.ts';

/** The payment's event already has the postings; with this event the account records the change. */
const Change = Type.Object({
  ownerId: Uuid,
  currency: Currency,
  causeId: Uuid,
  /** When the cause happened. */
  causedAt: Type.Optional(Instant),
  amountMinor: Minor,
});
const Reservation = Type.Object({ ownerId: Uuid, currency: Currency, refundId: Uuid, paymentId: Uuid });

const ownerAccountEvents = {
  /** Released to the owner; `causeId` is the event that did it. */
  OwnerCredited: { data: Change },
  /** Taken back by a refund that came after the release. */
  OwnerDebited: { data: Change },
  /** Reserved for a refund of released money. `amountMinor` is the whole reservation. */
  RefundReserved: { data: Type.Composite([Reservation, Type.Object({ amountMinor: Minor })]) },
  /** The refund has taken its money, or has ended without it. */
  RefundReservationEnded: { data: Reservation },
  /** Reserved for a payout that our bank makes. */
  PayoutRequested: { data: RequestedPayout },
  /** `reference`: the bank's. */
  PayoutPaid: { data: Type.Composite([Payout, Type.Object({ reference: Type.String() })]) },
  /** The payout failed: the money is available again. */
  PayoutFailed: { data: Type.Composite([Payout, Type.Object({ reason: Type.String() })]) },
} as const satisfies EventDeclarations;
export type OwnerAccountEvent = EventsOf<typeof ownerAccountEvents>;

export type OwnerAccountCommand =
  /** Positive amounts are credits, negative ones debits. Each cause counts once. */
  | ({ readonly type: 'RecordChange' } & Static<typeof Change>)
  /** `overdraw`: also when the owner has less, and then owes the rest. */
  | ({ readonly type: 'ReserveRefund'; readonly amountMinor: number; readonly overdraw: boolean } & Static<
      typeof Reservation
    >)
  | ({ readonly type: 'EndRefundReservation' } & Static<typeof Reservation>)
  | {
      readonly type: 'RequestPayout';
      readonly payoutId: string;
      readonly ownerId: string;
      readonly currency: string;
      /** null: all there is. */
      readonly amountMinor: number | null;
      /** The admin who asks for it. */
      readonly requestedBy: string;
    }
  | { readonly type: 'ConfirmPayout'; readonly payoutId: string; readonly reference: string }
  | { readonly type: 'FailPayout'; readonly payoutId: string; readonly reason: string };

const decide = (command: OwnerAccountCommand, state: OwnerAccount): OwnerAccountEvent[] => {
  switch (command.type) {
    case 'RecordChange': {
      const { type, amountMinor, ...change } = command;
      if (amountMinor === 0 || state.causes.has(change.causeId)) return [];
      refuseIfForgotten(change, state);
      // Stryker disable next-line EqualityOperator: nothing is recorded of zero
      return amountMinor > 0
        ? [{ type: 'OwnerCredited', data: { ...change, amountMinor } }]
        : [{ type: 'OwnerDebited', data: { ...change, amountMinor: -amountMinor } }];
    }
    case 'ReserveRefund':
      return reserveRefund(command, state);
    case 'EndRefundReservation': {
      const { type, ...data } = command;
      return state.reserved.get(data.refundId) === undefined ? [] : [{ type: 'RefundReservationEnded', data }];
    }
    case 'RequestPayout':
      return requestPayout(command, state);
    case 'ConfirmPayout': {
      const { payoutId, reference } = command;
      const payout = pending(state, payoutId, 'paid', reference);
      if (!payout) return [];
      const postings = paidOut(payout.ownerId, payout.amountMinor);
      return [{ type: 'PayoutPaid', data: { ...payout, postings, reference } }];
    }
    case 'FailPayout': {
      const { payoutId, reason } = command;
      const payout = pending(state, payoutId, 'failed', reason);
      if (!payout) return [];
      const postings = payoutFailed(payout.ownerId, payout.amountMinor);
      return [{ type: 'PayoutFailed', data: { ...payout, postings, reason } }];
    }
  }
};

/** A change from before what is remembered may have been counted. Only a person can tell. */
const refuseIfForgotten = ({ causeId, causedAt }: Omit<Static<typeof Change>, 'amountMinor'>, state: OwnerAccount) => {
  if (!state.causes.remembers(causedAt))
    throw new Rejected(
      'conflict',
      `The account no longer remembers whether the event ${causeId} of ${causedAt} was counted. Compare the history of the account.`,
    );
};

const reserveRefund = (
  { type, overdraw, ...data }: Extract<OwnerAccountCommand, { type: 'ReserveRefund' }>,
  { availableMinor, reserved }: OwnerAccount,
): OwnerAccountEvent[] => {
  const more = data.amountMinor - (reserved.get(data.refundId) ?? 0);
  const show = (minor: number): string => `${toMajor(minor, data.currency)} ${data.currency}`;
  if (more <= 0) return [];
  if (more > availableMinor && !overdraw)
    throw new Rejected(
      'balance_too_low',
      `The share of this item was released, and the refund takes ${show(more)} of it. Only ${show(Math.max(0, availableMinor))} is available. Refund less, or ask an admin to refund it.`,
      { available_minor: availableMinor, currency: data.currency },
    );
  return [{ type: 'RefundReserved', data }];
};

const requestPayout = (
  {
    payoutId,
    ownerId,
    currency,
    amountMinor: requested,
    requestedBy,
  }: Extract<OwnerAccountCommand, { type: 'RequestPayout' }>,
  { availableMinor, payouts }: OwnerAccount,
): OwnerAccountEvent[] => {
  if (payouts.get(payoutId)) return [];
  const amountMinor = requested ?? availableMinor;
  if (requested !== null && requested <= 0)
    throw new Rejected('invalid', 'The payout amount must be positive.', { fields: ['amount'] });
  if (amountMinor <= 0 || amountMinor > availableMinor)
    throw new Rejected('balance_too_low', 'The amount is higher than the available balance of this owner.', {
      available_minor: availableMinor,
      currency,
    });
  const postings = payoutRequested(ownerId, amountMinor);
  return [{ type: 'PayoutRequested', data: { payoutId, ownerId, currency, amountMinor, postings, requestedBy } }];
};

/**
 * The payout that still has to reach the status `next`; undefined when it has it.
 * @param words the reference or the reason that is told with it
 * @throws SaidOtherwise when it has the status with other words
 */
const pending = ({ payouts }: OwnerAccount, payoutId: string, next: PayoutStatus, words: string) => {
  const payout = payouts.get(payoutId);
  if (!payout) throw notFound('payout');
  const { status, told, requestedBy: _, ...data } = payout;
  if (status === next) {
    const noun = next === 'paid' ? 'reference' : 'reason';
    saidBefore(`This payout was recorded as ${status} before`, markOf(told ?? null), words, { noun, recorded: told });
    return undefined;
  }
  if (status !== 'requested') throw new Rejected('invalid_transition', `This payout already has the status ${status}.`);
  return data;
};

const evolve = (state: OwnerAccount, event: OwnerAccountEvent): OwnerAccount => {
  const { availableMinor, causes, reserved, payouts } = state;
  switch (event.type) {
    case 'OwnerCredited': {
      const { causeId, causedAt, amountMinor } = event.data;
      return { ...state, availableMinor: availableMinor + amountMinor, causes: causes.add(causeId, causedAt) };
    }
    case 'OwnerDebited': {
      const { causeId, causedAt, amountMinor } = event.data;
      return { ...state, availableMinor: availableMinor - amountMinor, causes: causes.add(causeId, causedAt) };
    }
    case 'RefundReserved': {
      const { refundId, amountMinor } = event.data;
      const more = amountMinor - (reserved.get(refundId) ?? 0);
      return { ...state, availableMinor: availableMinor - more, reserved: reserved.set(refundId, amountMinor) };
    }
    case 'RefundReservationEnded': {
      const { refundId } = event.data;
      const before = reserved.get(refundId) ?? 0;
      return { ...state, availableMinor: availableMinor + before, reserved: reserved.delete(refundId) };
    }
    case 'PayoutRequested': {
      const { payoutId, amountMinor } = event.data;
      const requested = payouts.set(payoutId, { ...event.data, status: 'requested' });
      return { ...state, availableMinor: availableMinor - amountMinor, payouts: requested };
    }
    case 'PayoutPaid': {
      const { reference, ...payout } = event.data;
      return { ...state, payouts: payouts.set(payout.payoutId, { ...payout, status: 'paid', told: reference }) };
    }
    case 'PayoutFailed': {
      const { reason, ...payout } = event.data;
      const failed = payouts.set(payout.payoutId, { ...payout, status: 'failed', told: reason });
      return { ...state, availableMinor: availableMinor + payout.amountMinor, payouts: failed };
    }
  }
};

export const ownerAccount: Decider<OwnerAccount, OwnerAccountCommand, OwnerAccountEvent> = {
  category: 'ownerAccount',
  events: ownerAccountEvents,
  initial: {
    availableMinor: 0,
    causes: RecentIds.empty(),
    reserved: ImmutableMap.empty(),
    payouts: ImmutableMap.empty(),
  },
  decide,
  evolve,
  snapshot: ownerAccountSnapshot,
};
