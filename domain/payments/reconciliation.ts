/**
 * Reconciliation: one run compares all payments that may still differ with the provider's records. Auditors read the
 * differences; a run corrects nothing.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, notFound } from '../core/decider.ts';
import { ImmutableMap } from '../core/immutableMap.ts';
import { Count, OneOf, Uuid } from '../core/schema.ts';
import { isDead, type OpenPayment, refundedMinor } from './payment.ts';

/** `unknown`: the provider has no such payment. */
const differenceKinds = ['status', 'amount', 'currency', 'refunds', 'unknown'] as const;

export const Difference = Type.Object({
  paymentId: Uuid,
  provider: Type.String(),
  kind: OneOf(differenceKinds),
  /** What we have; amounts in minor units. */
  ours: Type.String(),
  theirs: Type.String(),
});
export type Difference = Static<typeof Difference>;

/** The most payments that a run names as unanswered. */
export const MAX_LISTED = 100;

const Result = Type.Object({
  checked: Count,
  /** How many of them the provider gave no answer about. */
  unanswered: Count,
  /** Which ones; at most `MAX_LISTED` of them. */
  unansweredIds: Type.Optional(Type.Array(Uuid)),
});

const reconciliationEvents = {
  /** `daily`, or requested by an operator. */
  ReconciliationStarted: { data: Type.Object({ trigger: OneOf(['daily', 'requested'] as const) }) },
  /** The payment still differs after the provider's report was applied. */
  DifferenceFound: { data: Difference },
  ReconciliationFinished: { data: Result },
} as const satisfies EventDeclarations;
export type ReconciliationEvent = EventsOf<typeof reconciliationEvents>;

export const reconciliationStatuses = ['running', 'finished'] as const;

export interface Reconciliation {
  readonly status: 'none' | (typeof reconciliationStatuses)[number];
  /** The recorded differences, by payment and kind. */
  readonly found: ImmutableMap<true>;
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
        .filter((difference) => state.status === 'running' && !state.found.get(nameOf(difference)))
        .map((data) => ({ type: 'DifferenceFound', data }));
    case 'FinishReconciliation': {
      assertStarted(state);
      const { type, ...data } = command;
      return state.status === 'finished' ? [] : [{ type: 'ReconciliationFinished', data }];
    }
  }
};

const assertStarted = ({ status }: Reconciliation): void => {
  if (status === 'none') throw notFound('reconciliation');
};

const evolve = (state: Reconciliation, event: ReconciliationEvent): Reconciliation => {
  switch (event.type) {
    case 'ReconciliationStarted':
      return { ...state, status: 'running' };
    case 'DifferenceFound':
      return { ...state, found: state.found.set(nameOf(event.data), true) };
    case 'ReconciliationFinished':
      return { ...state, status: 'finished' };
  }
};

export const reconciliation: Decider<Reconciliation, ReconciliationCommand, ReconciliationEvent> = {
  category: 'reconciliation',
  short: 'a run ends',
  events: reconciliationEvents,
  initial: { status: 'none', found: ImmutableMap.empty() },
  decide,
  evolve,
};

/** What a provider reports of a payment. */
export interface Theirs {
  readonly status: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** Total refunded; absent if the provider does not report it. */
  readonly refundedMinor?: number;
}

/** What a comparison needs of our record. */
export type ComparedPayment = Pick<OpenPayment, 'status' | 'provider' | 'amountMinor' | 'currency' | 'refunds'>;

/** Whether a payment ended without money on both sides. The names of the two statuses may differ. */
const sameEnd = (ours: OpenPayment['status'], theirs: string): boolean =>
  isDead(ours) && ['failed', 'cancelled', 'expired'].includes(theirs);

/** The differences between our records and the provider's. */
export const differencesBetween = (paymentId: string, ours: ComparedPayment, theirs: Theirs): Difference[] => {
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
