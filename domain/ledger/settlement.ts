/**
 * A settlement: the provider has paid what it owed to our bank, less its fee. After it, `clearing:<provider>` is what the
 * provider still owes. One stream for each settlement, by the reference of the provider's registry.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, Rejected } from '../core/decider.ts';
import { Minor } from '../core/schema.ts';
import { Entry, settled } from './ledger.ts';

export const Settlement = Type.Object({
  provider: Type.String(),
  /** The provider's or the bank's reference. */
  reference: Type.String(),
  /** What our bank received; negative: what it paid. */
  amountMinor: Minor,
  /** What the provider kept. */
  feeMinor: Minor,
  currency: Entry.currency,
});
export type Settlement = Static<typeof Settlement>;

const settlementEvents = {
  SettlementPosted: { data: Type.Composite([Settlement, Type.Object({ postings: Entry.postings })]) },
} as const satisfies EventDeclarations;
export type SettlementEvent = EventsOf<typeof settlementEvents>;

export type SettlementState = Settlement | null;
export type SettlementCommand = { readonly type: 'PostSettlement' } & Settlement;

const decide = ({ type, ...data }: SettlementCommand, state: SettlementState): SettlementEvent[] => {
  const { amountMinor, feeMinor, provider } = data;
  if (state) {
    if (state.reference !== data.reference)
      throw new Rejected('conflict', `This settlement was posted before, with the reference ${state.reference}.`, {
        recorded: state.reference,
      });
    if (state.amountMinor === amountMinor && state.feeMinor === feeMinor) return [];
    throw new Rejected(
      'conflict',
      'A settlement with this reference was posted with other amounts. Correct it by an adjustment.',
    );
  }
  if (feeMinor < 0 || amountMinor + feeMinor === 0)
    throw new Rejected(
      'invalid',
      'The fee of a settlement cannot be negative, and amount and fee must not sum to zero.',
      { fields: ['fee', 'amount'] },
    );
  return [{ type: 'SettlementPosted', data: { ...data, postings: settled(provider, amountMinor, feeMinor) } }];
};

const evolve = (_: SettlementState, event: SettlementEvent): SettlementState => {
  const { postings, ...settlement } = event.data;
  return settlement;
};

export const settlement: Decider<SettlementState, SettlementCommand, SettlementEvent> = {
  category: 'settlement',
  short: 'it is posted once',
  events: settlementEvents,
  initial: null,
  decide,
  evolve,
};
