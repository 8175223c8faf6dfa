/**
 * An adjustment of the ledger that people decide on: a correction, a chargeback by the payer's bank, or a chargeback that
 * was won. One admin requests it with a reason, another one approves it.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, Rejected, requireExisting } from '../core/decider.ts';
import { markOf, saidBefore } from '../core/saidBefore.ts';
import { Currency, Minor, Uuid } from '../core/schema.ts';
import { corrected, Entry } from './ledger.ts';

export const adjustmentKinds = ['correction', 'chargeback', 'chargeback_won'] as const;
export const adjustmentStatuses = ['requested', 'approved', 'rejected'] as const;
export type AdjustmentStatus = (typeof adjustmentStatuses)[number];

/** Accounts that people may correct. The others belong to processes that would not know of it. */
const CORRECTABLE = /^(bank|fees|losses|commission|(clearing|service|available):[\w-]+)$/;

const Common = { requestedBy: Uuid, reason: Type.String(), amountMinor: Minor, currency: Currency };
const Correction = Type.Object({ ...Common, debit: Type.String(), credit: Type.String() });
const ofPayment = { paymentId: Uuid, itemId: Uuid };
/** What was booked stays booked without the money. Absent: it is cancelled, unless some of the money is left. */
export const keepsBooking = Type.Optional(Type.Literal(true));
const Chargeback = Type.Object({ ...Common, ...ofPayment, keepsBooking });
const ChargebackWon = Type.Object({ ...Common, ...ofPayment, chargebackId: Uuid });

/** Who wants a chargeback to be posted, and how, beside what the payment says of it. */
export const ChargebackWish = Type.Object({ requestedBy: Uuid, reason: Type.String(), keepsBooking });
export type ChargebackWish = Readonly<Static<typeof ChargebackWish>>;

const adjustmentEvents = {
  CorrectionRequested: { data: Correction },
  ChargebackRequested: { data: Chargeback },
  /** The bank has given the money of a chargeback back. */
  ChargebackWonRequested: { data: ChargebackWon },
  /** Chargebacks are posted by their payment, and have no postings here. */
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
  | (Decided & { readonly kind: 'chargeback' } & Readonly<Static<typeof Chargeback>>)
  | (Decided & { readonly kind: 'chargeback_won' } & Readonly<Static<typeof ChargebackWon>>);

export type AdjustmentCommand =
  | ({ readonly type: 'RequestCorrection' } & Static<typeof Correction>)
  | ({ readonly type: 'RequestChargeback' } & Static<typeof Chargeback>)
  | ({ readonly type: 'RequestChargebackWon' } & Static<typeof ChargebackWon>)
  | { readonly type: 'ApproveAdjustment'; readonly by: string }
  | { readonly type: 'RejectAdjustment'; readonly by: string; readonly reason: string };

const decide = (command: AdjustmentCommand, state: Adjustment): AdjustmentEvent[] => {
  if ('amountMinor' in command) {
    if (state.status !== 'none') return [];
    if (command.amountMinor <= 0) throw new Rejected('invalid', 'The amount must be positive.', { fields: ['amount'] });
    if (command.type === 'RequestCorrection') return requestCorrection(command);
    const { type, ...data } = command;
    return 'chargebackId' in data
      ? [{ type: 'ChargebackWonRequested', data }]
      : [{ type: 'ChargebackRequested', data }];
  }
  requireExisting(state, 'adjustment');
  const wanted = command.type === 'ApproveAdjustment' ? 'approved' : 'rejected';
  if (state.status === wanted)
    return command.type === 'RejectAdjustment'
      ? saidBefore('This adjustment was rejected before', markOf(state.rejection ?? null), command.reason)
      : [];
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

const evolve = (state: Adjustment, event: AdjustmentEvent): Adjustment => {
  switch (event.type) {
    case 'CorrectionRequested':
      return { ...event.data, kind: 'correction', status: 'requested' };
    case 'ChargebackRequested':
      return { ...event.data, kind: 'chargeback', status: 'requested' };
    case 'ChargebackWonRequested':
      return { ...event.data, kind: 'chargeback_won', status: 'requested' };
  }
  if (state.status === 'none') return state;
  return event.type === 'AdjustmentApproved'
    ? { ...state, status: 'approved' }
    : { ...state, status: 'rejected', rejection: event.data.reason };
};

export const adjustment: Decider<Adjustment, AdjustmentCommand, AdjustmentEvent> = {
  category: 'adjustment',
  short: 'a correction is approved or refused',
  events: adjustmentEvents,
  initial: { status: 'none' },
  decide,
  evolve,
};
