/**
 * Payment settings as owners and admins see them. Only the log has whole account numbers; it decides where money goes.
 */

import { type Static, Type } from '@sinclair/typebox';
import type { Recorded } from '../../domain/core/decider.ts';
import { Instant, Nullable, Uuid } from '../../domain/core/schema.ts';
import { maskedNumber } from '../../domain/payments/bankAccount.ts';
import { paymentsPurpose } from '../../domain/payments/index.ts';
import { type PaymentSettings, ProviderName } from '../../domain/payments/paymentSettings.ts';
import { VatRate } from '../../domain/payments/taxDetails.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';

const Settings = {
  provider: Nullable(ProviderName),
  nominal_account_bik: Nullable(Type.String()),
  /** All but the last four digits are `*`. */
  nominal_account_number: Nullable(Type.String()),
  nominal_account_holder: Nullable(Type.String()),
  tax: Nullable(
    Type.Object(
      { inn: Type.String(), name: Type.String(), phone: Type.String(), vat: VatRate },
      { description: 'What fiscal receipts say about the seller.' },
    ),
  ),
};

const accountColumns = (account: PaymentSettings['nominalAccount']) => ({
  nominal_account_bik: account?.bik ?? null,
  nominal_account_number: account ? maskedNumber(account.accountNumber) : null,
  nominal_account_holder: account?.holder ?? null,
});

/** Settings as columns, from their state on the write side. */
export const settingsColumns = ({ provider, nominalAccount, taxDetails: tax }: PaymentSettings) => ({
  provider,
  tax,
  ...accountColumns(nominalAccount),
});

const unset = settingsColumns({ provider: null, nominalAccount: null, taxDetails: null });

/** `id` is the owner's, or `ONLY_ONE` for the settings of everybody. */
const Row = Type.Object({ id: Uuid, ...Settings, updated_at: Instant });
export type PaymentSettingsRow = Static<typeof Row>;

const changed = (
  row: PaymentSettingsRow | undefined,
  { streamId: id, at }: Pick<Recorded, 'streamId' | 'at'>,
  columns: Partial<typeof unset>,
): PaymentSettingsRow => ({ ...unset, ...row, id, ...columns, updated_at: at });

export const paymentSettings = readModel('payment_settings', {
  version: 2,
  row: Row,
  key: 'id',
  personalData: {
    whose: 'id',
    texts: ['nominal_account_number', 'nominal_account_holder', 'tax.inn', 'tax.name', 'tax.phone'],
    why: paymentsPurpose,
    retention: 'account',
    seenBy: ['self', 'admins'],
  },
  on: {
    PaymentProviderChosen: (row, event) => changed(row, event, { provider: event.data.provider }),
    NominalAccountSet: (row, event) => changed(row, event, accountColumns(event.data)),
    NominalAccountRemoved: (row, event) => changed(row, event, accountColumns(null)),
    TaxDetailsSet: (row, event) => changed(row, event, { tax: event.data }),
    TaxDetailsRemoved: (row, event) => changed(row, event, { tax: null }),
  },
});

/** The settings of an owner, or of everybody (`ONLY_ONE`); all null if nothing was set. */
export const paymentSettingsOf = async (db: ReadDb, id: string): Promise<ReturnType<typeof settingsColumns>> => {
  const found = await tables(db, paymentSettings)
    .selectFrom('payment_settings')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (!found) return unset;
  const { id: _, updated_at, ...settings } = found;
  return settings;
};
