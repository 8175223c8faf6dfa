/** An account as it was opened, for the specs of what it decides. */
import { account } from '../../domain/accounts/account.ts';
import type { AccountEvent } from '../../domain/accounts/accountEvents.ts';
import { specification } from '../kit/given.ts';

/** An identity stream. */
export const FORMER = '018f0000-0000-5000-8000-0000000000f0';

export const given = specification(account);
export const anna = {
  role: 'tourist',
  email: 'anna@example.test',
  phone: null,
  firstName: 'Anna',
  lastName: 'Orlova',
  language: 'en',
  passwordHash: '$argon2id$…',
} as const;
export const opened: AccountEvent = { type: 'AccountOpened', data: anna };
export const byPhone: AccountEvent = {
  type: 'AccountOpened',
  data: { ...anna, email: null, phone: '+79990000001', passwordHash: null },
};

export const toTourist: AccountEvent = { type: 'RoleGranted', data: { role: 'tourist' } };
/** An identity at a provider. */
export const link = { provider: 'yandex', identityId: FORMER };
export const linked: AccountEvent = { type: 'ProviderLinked', data: { ...link, byHolder: true } };
export const linkedByEmail: AccountEvent = { type: 'ProviderLinked', data: link };
export const linking = { type: 'LinkProvider', ...link, asOf: 1 } as const;
export const byWord = { ...linking, byEmail: anna.email };
