/**
 * Which provider takes payments, and where an owner's money goes. There is one stream with the default,
 * `paymentSettings-<ONLY_ONE>`, and one for each owner with settings of their own. A payment keeps the provider that it
 * started with.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, Rejected } from '../core/decider.ts';
import { differences } from '../core/differences.ts';
import { Nullable, OneOf, Personal } from '../core/schema.ts';
import { fitsBik } from './bankAccount.ts';
import { isInn, TaxDetails } from './taxDetails.ts';

export const providerNames = ['yookassa', 'tbank'] as const;
export const ProviderName = OneOf(providerNames);
export type ProviderName = Static<typeof ProviderName>;

/** An account in a Russian bank. Its holder may be a person. */
export const NominalAccount = Type.Object({
  bik: Type.String({ pattern: '^\\d{9}$', examples: ['044525225'] }),
  accountNumber: Personal(Type.String({ pattern: '^\\d{20}$' })),
  holder: Personal(Type.String({ minLength: 1, maxLength: 200 })),
});
export type NominalAccount = Static<typeof NominalAccount>;

const paymentSettingsEvents = {
  /** null: the default; in the default's own stream: the provider of the configuration. */
  PaymentProviderChosen: { data: Type.Object({ provider: Nullable(ProviderName) }) },
  NominalAccountSet: { data: NominalAccount, person: 'stream' },
  NominalAccountRemoved: { data: Type.Object({}) },
  /** What fiscal receipts say about the owner. */
  TaxDetailsSet: { data: TaxDetails, person: 'stream' },
  TaxDetailsRemoved: { data: Type.Object({}) },
} as const satisfies EventDeclarations;
export type PaymentSettingsEvent = EventsOf<typeof paymentSettingsEvents>;

export interface PaymentSettings {
  readonly provider: ProviderName | null;
  readonly nominalAccount: NominalAccount | null;
  readonly taxDetails: TaxDetails | null;
}

/** Fields that are absent do not change; null removes a setting. */
export type PaymentSettingsCommand = { readonly type: 'ChangePaymentSettings' } & Partial<PaymentSettings>;

const decide = (
  { provider, nominalAccount, taxDetails }: PaymentSettingsCommand,
  state: PaymentSettings,
): PaymentSettingsEvent[] => {
  const changed = differences(state, { provider, nominalAccount, taxDetails });
  const events: PaymentSettingsEvent[] = [];
  if (changed.provider !== undefined)
    events.push({ type: 'PaymentProviderChosen', data: { provider: changed.provider } });
  if (changed.nominalAccount === null) events.push({ type: 'NominalAccountRemoved', data: {} });
  else if (changed.nominalAccount) {
    const { bik, accountNumber } = changed.nominalAccount;
    if (!fitsBik(bik, accountNumber))
      throw new Rejected('invalid', 'The account number and the BIK do not match: one of them has a wrong digit.', {
        fields: ['nominal_account_bik', 'nominal_account_number'],
      });
    events.push({ type: 'NominalAccountSet', data: changed.nominalAccount });
  }
  if (changed.taxDetails === null) events.push({ type: 'TaxDetailsRemoved', data: {} });
  else if (changed.taxDetails) {
    if (!isInn(changed.taxDetails.inn))
      throw new Rejected('invalid', 'The tax number (INN) has a wrong digit: its check digits do not match.', {
        fields: ['tax/inn'],
      });
    events.push({ type: 'TaxDetailsSet', data: changed.taxDetails });
  }
  return events;
};

const evolve = (state: PaymentSettings, event: PaymentSettingsEvent): PaymentSettings => {
  switch (event.type) {
    case 'PaymentProviderChosen':
      return { ...state, provider: event.data.provider };
    case 'NominalAccountSet':
      return { ...state, nominalAccount: event.data };
    case 'NominalAccountRemoved':
      return { ...state, nominalAccount: null };
    case 'TaxDetailsSet':
      return { ...state, taxDetails: event.data };
    case 'TaxDetailsRemoved':
      return { ...state, taxDetails: null };
  }
};

export const paymentSettings: Decider<PaymentSettings, PaymentSettingsCommand, PaymentSettingsEvent> = {
  category: 'paymentSettings',
  short: 'a seller changes them now and then',
  events: paymentSettingsEvents,
  initial: { provider: null, nominalAccount: null, taxDetails: null },
  decide,
  evolve,
};

/**
 * The provider of a payment to these owners: theirs if all who chose one agree, otherwise the default, each only if it
 * is configured. null: the provider of the configuration.
 */
export const chosenProvider = (
  owners: readonly PaymentSettings[],
  everybody: PaymentSettings,
  isSetUp: (name: ProviderName) => boolean,
): { readonly name: ProviderName; readonly reason: 'owner' | 'global' } | null => {
  const usable = ({ provider }: PaymentSettings): ProviderName[] => (provider && isSetUp(provider) ? [provider] : []);
  const [theirs, ...others] = new Set(owners.flatMap(usable));
  if (theirs && others.length === 0) return { name: theirs, reason: 'owner' };
  const [name] = usable(everybody);
  return name ? { name, reason: 'global' } : null;
};
