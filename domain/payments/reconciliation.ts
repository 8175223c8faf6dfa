/**
 * Our word against the provider's: one run over all payments that may still differ, and what was found. Auditors read
 * it: differences are facts, and nothing here mends them.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, Rejected } from '../core/decider.ts';
import { OneOf, Uuid } from '../core/schema.ts';
import { isDead, type OpenPayment } from './payment.ts';

/** `unknown`: the provider does not know the payment at all. */
export const differenceKinds = ['status', 'amount', 'currency', 'refunds', 'unknown'] as const;

export const Difference = Type.Object({
  paymentId: Uuid,
  provider: Type.String(),
  kind: OneOf(differenceKinds),
  /** What we have; amounts in minor units. */
  ours: Type.String(),
  theirs: Type.String(),
});
export type Difference = Static<typeof Difference>;

const Count = Type.Integer({ minimum: 0 });
const Result = Type.Object({
  checked: Count,
  /** Of them, those that the provider could not be asked about. */
  unanswered: Count,
});

export const reconciliationEvents = {
  /** `daily`, or because somebody wanted it now. */
  ReconciliationStarted: { data: Type.Object({ trigger: OneOf(['daily', 'requested'] as const) }) },
  /** The provider was asked, what it said was taken over, and it still differs. */
  DifferenceFound: { data: Difference },
  ReconciliationFinished: { data: Result },
} as const satisfies EventDeclarations;
export type ReconciliationEvent = EventsOf<typeof reconciliationEvents>;

export const reconciliationStatuses = ['running', 'finished'] as const;

export interface Reconciliation {
  readonly status: 'none' | (typeof reconciliationStatuses)[number];
  /** By payment and kind: those that have been recorded. */
  readonly found: readonly string[];
}

export type ReconciliationCommand =
  | { readonly type: 'StartReconciliation'; readonly trigger: 'daily' | 'requested' }
  | { readonly type: 'RecordDifferences'; readonly differences: readonly Difference[] }
  | ({ readonly type: 'FinishReconciliation' } & Static<typeof Result>);

const nameOf = ({ paymentId, kind }: Difference): string => `${paymentId}:${kind}`;

const decide = (command: ReconciliationCommand, state: Reconciliation): ReconciliationEvent[] => {
  switch (command.type) {
    case 'StartReconciliation':
      if (state.status !== 'none') return [];
      return [{ type: 'ReconciliationStarted', data: { trigger: command.trigger } }];
    case 'RecordDifferences':
      assertStarted(state);
      return command.differences
        .filter((difference) => state.status === 'running' && !state.found.includes(nameOf(difference)))
        .map((data) => ({ type: 'DifferenceFound', data }));
    case 'FinishReconciliation': {
      assertStarted(state);
      const { type, ...data } = command;
      return state.status === 'finished' ? [] : [{ type: 'ReconciliationFinished', data }];
    }
  }
};

const assertStarted = ({ status }: Reconciliation): void => {
  if (status === 'none') throw new Rejected('not_found', 'There is no such reconciliation.');
};

const evolve = (state: Reconciliation, event: ReconciliationEvent): Reconciliation => {
  switch (event.type) {
    case 'ReconciliationStarted':
      return { ...state, status: 'running' };
    case 'DifferenceFound':
      return { ...state, found: [...state.found, nameOf(event.data)] };
    case 'ReconciliationFinished':
      return { ...state, status: 'finished' };
  }
};

export const reconciliation: Decider<Reconciliation, ReconciliationCommand, ReconciliationEvent> = {
  category: 'reconciliation',
  events: reconciliationEvents,
  initial: { status: 'none', found: [] },
  decide,
  evolve,
};

/** As much as a provider says of a payment. */
export interface Theirs {
  readonly status: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** Given back in all; absent where the provider does not say. */
  readonly refundedMinor?: number;
}

/** What has arrived back with the payer. */
const refundedMinor = ({ refunds }: OpenPayment): number =>
  Object.values(refunds).reduce((sum, { status, amountMinor }) => sum + (status === 'succeeded' ? amountMinor : 0), 0);

/** Ended without money is one and the same, whatever each side calls it. */
const sameEnd = (ours: OpenPayment['status'], theirs: string): boolean =>
  isDead(ours) && ['failed', 'cancelled', 'expired'].includes(theirs);

/** Where our word and the provider's are not the same. */
export const differencesBetween = (paymentId: string, ours: OpenPayment, theirs: Theirs): Difference[] => {
  const differs = (kind: Difference['kind'], mine: string | number, other: string | number): Difference[] =>
    mine === other ? [] : [{ paymentId, provider: ours.provider, kind, ours: `${mine}`, theirs: `${other}` }];
  const refunded = refundedMinor(ours);
  return [
    ...(sameEnd(ours.status, theirs.status) ? [] : differs('status', ours.status, theirs.status)),
    ...differs('amount', ours.amountMinor, theirs.amountMinor),
    ...differs('currency', ours.currency, theirs.currency),
    ...differs('refunds', refunded, theirs.refundedMinor ?? refunded),
  ];
};
