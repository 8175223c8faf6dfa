/**
 * An adjustment of the ledger that people decide on: a correction, or a chargeback by the payer's bank. One admin
 * requests it with a reason, another one approves it.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, notFound, Rejected } from '../core/decider.ts';
import { Currency, Minor, Uuid } from '../core/schema.ts';
import { corrected, Entry } from './ledger.ts';

export const adjustmentKinds = ['correction', 'chargeback'] as const;
export const adjustmentStatuses = ['requested', 'approved', 'rejected'] as const;
export type AdjustmentStatus = (typeof adjustmentStatuses)[number];

/** Accounts that people may correct. The others belong to processes that would not know of it. */
const CORRECTABLE = /^(bank|fees|losses|commission|(clearing|service|available):[\w-]+)$/;

const Common = { requestedBy: Uuid, reason: Type.String(), amountMinor: Minor, currency: Currency };
const Correction = Type.Object({ ...Common, debit: Type.String(), credit: Type.String() });
const Chargeback = Type.Object({ ...Common, paymentId: Uuid, itemId: Uuid });

const adjustmentEvents = {
  CorrectionRequested: { data: Correction },
  ChargebackRequested: { data: Chargeback },
  /** A chargeback is posted by its payment, and has no postings here. */
  AdjustmentApproved: { data: Type.Object({ approvedBy: Uuid, ...Entry }) },
  AdjustmentRejected: { data: Type.Object({ rejectedBy: Uuid, reason: Type.String() }) },
} as const satisfies EventDeclarations;
export type AdjustmentEvent = EventsOf<typeof adjustmentEvents>;

interface Decided {
  readonly status: AdjustmentStatus;
  /** Why it was rejected. */
  readonly rejection?: string;
}
export type Adjustment =
  | { readonly status: 'none' }
  | (Decided & { readonly kind: 'correction' } & Readonly<Static<typeof Correction>>)
  | (Decided & { readonly kind: 'chargeback' } & Readonly<Static<typeof Chargeback>>);

export type AdjustmentCommand =
  | ({ readonly type: 'RequestCorrection' } & Static<typeof Correction>)
  | ({ readonly type: 'RequestChargeback' } & Static<typeof Chargeback>)
  | { readonly type: 'ApproveAdjustment'; readonly by: string }
  | { readonly type: 'RejectAdjustment'; readonly by: string; readonly reason: string };

const decide = (command: AdjustmentCommand, state: Adjustment): AdjustmentEvent[] => {
  if (command.type === 'RequestCorrection' || command.type === 'RequestChargeback') {
    if (state.status !== 'none') return [];
    if (command.amountMinor <= 0) throw new Rejected('invalid', 'The amount must be positive.', { fields: ['amount'] });
    return command.type === 'RequestCorrection' ? requestCorrection(command) : requestChargeback(command);
  }
  if (state.status === 'none') throw notFound('adjustment');
  const wanted = command.type === 'ApproveAdjustment' ? 'approved' : 'rejected';
  const words = command.type === 'RejectAdjustment' ? command.reason : undefined;
  if (state.status === wanted && words !== undefined && state.rejection !== words)
    throw new Rejected('conflict', 'This adjustment was rejected before, for another reason.');
  if (state.status === wanted) return [];
  if (state.status !== 'requested')
    throw new Rejected('invalid_transition', `This adjustment already has the status ${state.status}.`);
  if (command.type === 'RejectAdjustment')
    return [{ type: 'AdjustmentRejected', data: { rejectedBy: command.by, reason: command.reason } }];
  if (command.by === state.requestedBy)
    throw new Rejected('forbidden', 'You requested this adjustment yourself. Another admin must approve it.');
  const { amountMinor, currency } = state;
  const postings = state.kind === 'correction' ? corrected(state.debit, state.credit, amountMinor) : [];
  return [{ type: 'AdjustmentApproved', data: { approvedBy: command.by, currency, postings } }];
};

const requestCorrection = ({
  type,
  ...data
}: Extract<AdjustmentCommand, { type: 'RequestCorrection' }>): AdjustmentEvent[] => {
  const { debit, credit } = data;
  const wrong = [debit, credit].find((name) => !CORRECTABLE.test(name));
  if (wrong !== undefined)
    throw new Rejected(
      'invalid',
      `The account ${wrong} cannot be corrected. Use bank, fees, losses, commission, clearing:<provider>, service:<type> or available:<owner>.`,
      { fields: [wrong === debit ? 'debit' : 'credit'] },
    );
  if (debit === credit)
    throw new Rejected('invalid', 'The debited and the credited account must differ.', { fields: ['debit', 'credit'] });
  return [{ type: 'CorrectionRequested', data }];
};

const requestChargeback = ({
  type,
  ...data
}: Extract<AdjustmentCommand, { type: 'RequestChargeback' }>): AdjustmentEvent[] => [
  { type: 'ChargebackRequested', data },
];

const evolve = (state: Adjustment, event: AdjustmentEvent): Adjustment => {
  switch (event.type) {
    case 'CorrectionRequested':
      return { ...event.data, kind: 'correction', status: 'requested' };
    case 'ChargebackRequested':
      return { ...event.data, kind: 'chargeback', status: 'requested' };
    case 'AdjustmentApproved':
      return state.status === 'none' ? state : { ...state, status: 'approved' };
    case 'AdjustmentRejected':
      return state.status === 'none' ? state : { ...state, status: 'rejected', rejection: event.data.reason };
  }
};

export const adjustment: Decider<Adjustment, AdjustmentCommand, AdjustmentEvent> = {
  category: 'adjustment',
  events: adjustmentEvents,
  initial: { status: 'none' },
  decide,
  evolve,
};
