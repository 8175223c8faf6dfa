/** Choosing providers and accounts on aggregates in memory: what other commands get to hear. */

import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import type { Aggregates } from '../../commands/core/handle.ts';
import {
  changeOwnerSettings,
  nominalAccountOf,
  providerFor,
  setDefaultProvider,
} from '../../commands/payments/paymentSettings.ts';
import { account as accounts } from '../../domain/accounts/account.ts';
import { type AnyEvent, type Decider, streamName } from '../../domain/core/decider.ts';
import { ERASED } from '../../domain/core/schema.ts';
import { type PaymentSettingsEvent, paymentSettings } from '../../domain/payments/paymentSettings.ts';
import { contextOf } from '../kit/context.ts';

import { fakeProvider } from './fakeProvider.ts';

const [ANNA, BORIS] = [randomUUID(), randomUUID()];
const context = contextOf(ANNA, 'hotelier');
const account = { bik: '044030827', accountNumber: '40702810900000002851', holder: 'Anna Orlova' };
const [yookassa, tbank, fallback] = ['yookassa', 'tbank', 'default'].map((name) => ({ ...fakeProvider(), name })) as [
  ReturnType<typeof fakeProvider>,
  ReturnType<typeof fakeProvider>,
  ReturnType<typeof fakeProvider>,
];

const streams = new Map<string, AnyEvent[]>();
const load = <S, C, E extends AnyEvent>(decider: Decider<S, C, E>, id: string) => {
  const events = (streams.get(streamName(decider.category, id)) ?? []) as E[];
  return { state: events.reduce(decider.evolve, decider.initial), revision: null, position: null };
};
const aggregates: Aggregates = {
  load: async (decider, id) => load(decider, id),
  handle: async (decider, id, command) => {
    const stream = streamName(decider.category, id);
    const { state } = load(decider, id);
    const events = decider.decide(command, state);
    streams.set(stream, [...(streams.get(stream) ?? []), ...events]);
    return { ...load(decider, id), before: state, events };
  },
};
const deps = (...providers: (typeof yookassa)[]) => ({
  aggregates,
  paymentProviders: { default: fallback, byName: new Map(providers.map((each) => [each.name, each])) },
});
const both = deps(yookassa, tbank);

beforeEach(() => {
  streams.clear();
  for (const id of [ANNA, BORIS])
    streams.set(streamName(accounts.category, id), [
      { type: 'AccountOpened', data: { role: 'hotelier', email: null, phone: '+79990000001' } },
    ]);
});

it('a payment uses its owner’s provider, otherwise the default, otherwise the configured one', async () => {
  expect(await providerFor(both, [ANNA])).toEqual({ provider: fallback, reason: 'default' });
  await setDefaultProvider(both, context, 'yookassa');
  expect(await providerFor(both, [ANNA])).toEqual({ provider: yookassa, reason: 'global' });
  expect(await providerFor(both, [])).toEqual({ provider: yookassa, reason: 'global' });
  await changeOwnerSettings(both, context, ANNA, { provider: 'tbank' });
  expect(await providerFor(both, [ANNA, ANNA, BORIS])).toEqual({ provider: tbank, reason: 'owner' });
  await changeOwnerSettings(both, context, BORIS, { provider: 'yookassa' });
  expect(await providerFor(both, [ANNA, BORIS])).toEqual({ provider: yookassa, reason: 'global' });
});

it('a provider that does not accept the currency is skipped', async () => {
  const roubles = deps(yookassa, { ...tbank, currencies: ['RUB'] });
  await setDefaultProvider(roubles, context, 'yookassa');
  await changeOwnerSettings(roubles, context, ANNA, { provider: 'tbank' });
  expect(await providerFor(roubles, [ANNA], 'RUB')).toMatchObject({ provider: { name: 'tbank' }, reason: 'owner' });
  expect(await providerFor(roubles, [ANNA], 'EUR')).toEqual({ provider: yookassa, reason: 'global' });
});

it('a provider that is not configured is refused, and skipped where it was configured before', async () => {
  await changeOwnerSettings(both, context, ANNA, { provider: 'tbank' });
  expect(await providerFor(deps(yookassa), [ANNA])).toEqual({ provider: fallback, reason: 'default' });
  const refused = { code: 'invalid' };
  await expect(setDefaultProvider(deps(yookassa), context, 'tbank')).rejects.toMatchObject(refused);
  await expect(changeOwnerSettings(deps(), context, BORIS, { provider: 'tbank' })).rejects.toMatchObject(refused);
});

it('an owner is paid to their account, unless they were erased', async () => {
  expect(await nominalAccountOf(both, ANNA)).toBeNull();
  await changeOwnerSettings(both, context, ANNA, { nominalAccount: account });
  expect(await nominalAccountOf(both, ANNA)).toEqual({
    bik: account.bik,
    number: account.accountNumber,
    holder: 'Anna Orlova',
  });
  const erased: PaymentSettingsEvent = {
    type: 'NominalAccountSet',
    data: { ...account, accountNumber: ERASED, holder: ERASED },
  };
  streams.set(streamName(paymentSettings.category, BORIS), [erased]);
  expect(await nominalAccountOf(both, BORIS)).toBeNull();
});

it('settings need an existing account', async () => {
  await expect(changeOwnerSettings(both, context, randomUUID(), { provider: null })).rejects.toMatchObject({
    code: 'not_found',
  });
});
