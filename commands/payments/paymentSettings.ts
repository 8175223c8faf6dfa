/** Settings of payments: the payment provider, and the bank accounts that owners are paid to. */

import { Rejected } from '../../domain/core/decider.ts';
import { isPlaceholder, ONLY_ONE } from '../../domain/core/schema.ts';
import {
  chosenProvider,
  type PaymentSettings,
  type ProviderName,
  paymentSettings,
  type NominalAccount as StoredAccount,
} from '../../domain/payments/paymentSettings.ts';
import type { TaxDetails } from '../../domain/payments/taxDetails.ts';
import { loadAccount } from '../accounts/accounts.ts';
import type { CommandContext } from '../core/handle.ts';
import type { PaymentDeps } from './deps.ts';
import type { NominalAccount, PaymentProvider } from './paymentProvider.ts';

type Deps = Pick<PaymentDeps, 'aggregates' | 'paymentProviders'>;

const settingsOf = async (deps: Pick<Deps, 'aggregates'>, id: string): Promise<PaymentSettings> =>
  (await deps.aggregates.load(paymentSettings, id)).state;

const refuseUnlessSetUp = ({ paymentProviders }: Deps, name: ProviderName | null | undefined): void => {
  if (name && !paymentProviders.byName.has(name))
    throw new Rejected('invalid', `The payment provider ${name} is not configured on this system.`, {
      fields: ['provider', 'payment_provider_default'],
    });
};

/** Sets the provider of owners who chose none. null: the provider of the configuration. @throws Rejected `invalid` */
export const setDefaultProvider = async (
  deps: Deps,
  context: CommandContext,
  provider: ProviderName | null,
): Promise<PaymentSettings> => {
  refuseUnlessSetUp(deps, provider);
  const command = { type: 'ChangePaymentSettings', provider } as const;
  return (await deps.aggregates.handle(paymentSettings, ONLY_ONE, command, context)).state;
};

export interface OwnerSettingsChange {
  /** null: as everybody. */
  readonly provider?: ProviderName | null;
  readonly nominalAccount?: StoredAccount | null;
  readonly taxDetails?: TaxDetails | null;
}

/**
 * Changes an owner's settings. Fields that are absent do not change, null removes a setting. In effect for payments
 * from now on.
 * @throws Rejected `not_found` when there is no account with this id; `invalid` for a provider that is not set up, or an
 * account number that does not fit its BIK
 */
export const changeOwnerSettings = async (
  deps: Deps,
  context: CommandContext,
  ownerId: string,
  change: OwnerSettingsChange,
): Promise<PaymentSettings> => {
  await loadAccount(deps, ownerId);
  refuseUnlessSetUp(deps, change.provider);
  const command = { type: 'ChangePaymentSettings', ...change } as const;
  return (await deps.aggregates.handle(paymentSettings, ownerId, command, context)).state;
};

/** Whether a provider takes money in a currency. */
export const takes = ({ currencies }: PaymentProvider, currency: string): boolean =>
  currencies === undefined || currencies.includes(currency);

/**
 * The provider of a new payment to these owners, and which setting chose it. A provider that does not accept the
 * currency is skipped.
 */
export const providerFor = async (
  deps: Deps,
  ownerIds: readonly string[],
  currency?: string,
): Promise<{ readonly provider: PaymentProvider; readonly reason: 'owner' | 'global' | 'default' }> => {
  const { byName, default: fallback } = deps.paymentProviders;
  const [everybody, ...owners] = await Promise.all([ONLY_ONE, ...new Set(ownerIds)].map((id) => settingsOf(deps, id)));
  const canBeUsed = (name: ProviderName): boolean => {
    const found = byName.get(name);
    return found !== undefined && (currency === undefined || takes(found, currency));
  };
  const chosen = everybody && chosenProvider(owners, everybody, canBeUsed);
  const provider = chosen && byName.get(chosen.name);
  return provider ? { provider, reason: chosen.reason } : { provider: fallback, reason: 'default' };
};

/** What fiscal receipts say about an owner; null where nothing is set or the owner was erased. */
export const taxDetailsOf = async (deps: Pick<Deps, 'aggregates'>, ownerId: string): Promise<TaxDetails | null> => {
  const { taxDetails } = await settingsOf(deps, ownerId);
  return taxDetails === null || isPlaceholder(taxDetails.inn) ? null : taxDetails;
};

/** The owner's bank account; null where none is set or the owner was erased. */
export const nominalAccountOf = async (
  deps: Pick<Deps, 'aggregates'>,
  ownerId: string,
): Promise<NominalAccount | null> => {
  const { nominalAccount } = await settingsOf(deps, ownerId);
  if (nominalAccount === null || isPlaceholder(nominalAccount.accountNumber)) return null;
  const { bik, accountNumber: number, holder } = nominalAccount;
  return { bik, number, holder };
};
