/** Payment settings: the default provider, and the provider and bank account of each owner. */
import { type Static, Type } from '@sinclair/typebox';
import {
  changeOwnerSettings,
  type OwnerSettingsChange,
  setDefaultProvider,
} from '../../commands/payments/paymentSettings.ts';
import { notFound, Rejected } from '../../domain/core/decider.ts';
import { Nullable, ONLY_ONE, Uuid } from '../../domain/core/schema.ts';
import { NominalAccount, ProviderName, providerNames } from '../../domain/payments/paymentSettings.ts';
import { TaxDetails } from '../../domain/payments/taxDetails.ts';
import { accountById } from '../../projections/accounts/accounts.ts';
import { paymentSettings, paymentSettingsOf, settingsColumns } from '../../projections/payments/paymentSettings.ts';
import type { App } from '../http/app.ts';
import { route } from '../http/route.ts';

const SHOWS_SETTINGS = { none: 'shows settings without the numbers of bank accounts' };

const Everybody = Type.Object(
  {
    payment_provider_default: Type.String({ description: 'The provider for sellers who have not chosen one.' }),
    provider: Type.String({ description: 'The same as `payment_provider_default`.' }),
    providers: Type.Array(
      Type.Object({
        name: ProviderName,
        set_up: Type.Boolean(),
        escrow: Type.Boolean({ description: 'Whether it can keep the shares of sellers in escrow.' }),
      }),
    ),
  },
  { $id: 'PaymentSettings' },
);

const everybody = ({ paymentProviders }: App, chosen: Static<typeof ProviderName> | null): Static<typeof Everybody> => {
  const effective = (chosen && paymentProviders.byName.get(chosen)?.name) ?? paymentProviders.default.name;
  return {
    payment_provider_default: effective,
    provider: effective,
    providers: providerNames.map((name) => {
      const provider = paymentProviders.byName.get(name);
      return { name, set_up: provider !== undefined, escrow: provider?.escrow !== undefined };
    }),
  };
};

const getGlobal = route('GET /api/v1/admin/payment-settings', {
  id: 'getPaymentSettings',
  access: 'admin',
  harm: SHOWS_SETTINGS,
  summary: 'Get the default payment provider',
  reply: Everybody,
  handle: async (_, app) => everybody(app, (await paymentSettingsOf(app.db, ONLY_ONE)).provider),
});

const putGlobal = route('PUT /api/v1/admin/payment-settings', {
  id: 'updatePaymentSettings',
  access: 'admin',
  harm: 'money',
  summary: 'Set the default payment provider',
  description:
    'Applies to new payments. Existing payments and their refunds keep their provider. null restores the provider of the configuration.',
  body: Type.Object({ payment_provider_default: Nullable(ProviderName) }),
  reply: Everybody,
  errors: ['invalid'],
  projections: [paymentSettings],
  handle: async ({ body, context }, app) =>
    everybody(app, (await setDefaultProvider(app, context, body.payment_provider_default)).provider),
});

const { id, updated_at, ...settings } = paymentSettings.row.properties;
const OwnerSettings = Type.Object({ owner_id: Uuid, ...settings }, { $id: 'OwnerPaymentSettings' });

const { bik, accountNumber, holder } = NominalAccount.properties;
const Change = Type.Object(
  {
    provider: Type.Optional(Nullable(ProviderName)),
    nominal_account_bik: Type.Optional(Nullable(bik)),
    nominal_account_number: Type.Optional(Nullable(accountNumber)),
    nominal_account_holder: Type.Optional(Nullable(holder)),
    tax: Type.Optional(Nullable(Type.Object(TaxDetails.properties))),
  },
  { minProperties: 1, $id: 'OwnerPaymentSettingsUpdate' },
);

/** The account is set as a whole, removed as a whole (all null), or left unchanged. */
const changeOf = (body: Static<typeof Change>): OwnerSettingsChange => {
  const { nominal_account_bik: bik, nominal_account_number: accountNumber, nominal_account_holder: holder } = body;
  const change = {
    ...(body.provider !== undefined && { provider: body.provider }),
    ...(body.tax !== undefined && { taxDetails: body.tax }),
  };
  const parts = [bik, accountNumber, holder];
  if (parts.every((part) => part === undefined)) return change;
  if (parts.every((part) => part === null)) return { ...change, nominalAccount: null };
  if (!bik || !accountNumber || !holder)
    throw new Rejected(
      'invalid',
      'Send BIK, number and holder of the nominal account together, or null for all three.',
      { fields: ['nominal_account_bik', 'nominal_account_number', 'nominal_account_holder'] },
    );
  return { ...change, nominalAccount: { bik, accountNumber, holder } };
};

const changed = async (
  app: App,
  context: Parameters<typeof changeOwnerSettings>[1],
  ownerId: string,
  body: Static<typeof Change>,
): Promise<Static<typeof OwnerSettings>> => ({
  owner_id: ownerId,
  ...settingsColumns(await changeOwnerSettings(app, context, ownerId, changeOf(body))),
});

const CHANGE =
  'Fields that are left out keep their values. null removes a value. The nominal account is set as a whole. Its number must match its BIK; replies show only the last four digits. `tax` is what fiscal receipts say about the seller: tax number (INN) with right check digits, name, phone and rate of value-added tax.';

const getOwner = route('GET /api/v1/admin/payment-settings/owners/:owner_id', {
  id: 'getOwnerPaymentSettings',
  access: 'admin',
  harm: 'content',
  summary: 'Get the payment settings of an owner',
  params: Type.Object({ owner_id: Uuid }),
  reply: OwnerSettings,
  errors: ['not_found'],
  handle: async ({ params: { owner_id } }, app) => {
    if (!(await accountById(app.db, owner_id))) throw notFound('owner');
    return { owner_id, ...(await paymentSettingsOf(app.db, owner_id)) };
  },
});

const putOwner = route('PUT /api/v1/admin/payment-settings/owners/:owner_id', {
  id: 'updateOwnerPaymentSettings',
  access: 'admin',
  harm: 'money',
  summary: 'Update the payment settings of an owner',
  description: CHANGE,
  params: Type.Object({ owner_id: Uuid }),
  body: Change,
  reply: OwnerSettings,
  errors: ['not_found', 'invalid'],
  projections: [paymentSettings],
  handle: ({ params, body, context }, app) => changed(app, context, params.owner_id, body),
});

const getOwn = route('GET /api/v1/provider/payment-settings', {
  id: 'getOwnPaymentSettings',
  access: 'provider',
  harm: SHOWS_SETTINGS,
  summary: 'Get own payment settings',
  reply: OwnerSettings,
  handle: async ({ caller: { id: owner_id } }, app) => ({ owner_id, ...(await paymentSettingsOf(app.db, owner_id)) }),
});

const putOwn = route('PUT /api/v1/provider/payment-settings', {
  id: 'updateOwnPaymentSettings',
  access: 'provider',
  harm: 'money',
  summary: 'Update own payment settings',
  description: CHANGE,
  body: Change,
  reply: OwnerSettings,
  errors: ['not_found', 'invalid'],
  projections: [paymentSettings],
  handle: ({ caller, body, context }, app) => changed(app, context, caller.id, body),
});

export const paymentSettingsRoutes = [getGlobal, putGlobal, getOwner, putOwner, getOwn, putOwn];
