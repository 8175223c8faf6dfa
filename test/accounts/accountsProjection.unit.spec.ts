import { expect, it } from 'vitest';
import { account } from '../../domain/accounts/account.ts';
import type { AccountEvent } from '../../domain/accounts/accountEvents.ts';
import { accounts } from '../../projections/accounts/accounts.ts';
import { happened, projection } from '../kit/projected.ts';

const ANNA = '018f0000-0000-7000-8000-00000000000a';
const BORIS = '018f0000-0000-7000-8000-00000000000b';
const [T1, T2] = ['2027-01-01T00:00:00.000Z', '2027-01-02T00:00:00.000Z'];
const rowsAfter = projection(accounts);
const of = (id: string, event: AccountEvent, at = T1) => happened(account.category, id, event, at);

const opened: AccountEvent = {
  type: 'AccountOpened',
  data: {
    role: 'tourist',
    email: 'anna@example.test',
    phone: null,
    firstName: 'Anna',
    lastName: 'Orlova',
    language: 'en',
    passwordHash: '$argon2id$…',
  },
};
const anna = {
  id: ANNA,
  role: 'tourist',
  email: 'anna@example.test',
  email_verified: true,
  phone: null,
  first_name: 'Anna',
  last_name: 'Orlova',
  language: 'en',
  has_password: true,
  created_at: T1,
  updated_at: T1,
};

it('shows an account, never its password', () => {
  const rows = rowsAfter([of(ANNA, opened)]);
  expect(rows).toEqual([anna]);
  expect(JSON.stringify(rows)).not.toContain('argon2');
});

it('shows that an account signs in only by code until it has a password', () => {
  const byPhone: AccountEvent = {
    ...opened,
    data: { ...opened.data, email: null, phone: '+79990000001', passwordHash: null },
  };
  const row = { ...anna, email: null, email_verified: false, phone: '+79990000001', has_password: false };
  expect(rowsAfter([of(ANNA, byPhone)])).toEqual([row]);
  const set: AccountEvent = { type: 'PasswordChanged', data: { passwordHash: 'x' } };
  expect(rowsAfter([of(ANNA, byPhone), of(ANNA, set, T2)])).toEqual([{ ...row, has_password: true, updated_at: T2 }]);
});

it.each<[AccountEvent, object]>([
  [{ type: 'ProfileChanged', data: { firstName: 'Anya' } }, { first_name: 'Anya' }],
  [
    { type: 'ProfileChanged', data: { lastName: 'P', language: 'ru' } },
    { last_name: 'P', language: 'ru' },
  ],
  [
    { type: 'EmailChanged', data: { email: null, former: BORIS } },
    { email: null, email_verified: false },
  ],
  [{ type: 'PhoneChanged', data: { phone: '+79990000002', former: null } }, { phone: '+79990000002' }],
  [{ type: 'PasswordRemoved', data: {} }, { has_password: false }],
  [{ type: 'RoleGranted', data: { role: 'hotelier' } }, { role: 'hotelier' }],
])('%j', (event, change) => {
  const rows = rowsAfter([of(ANNA, opened), of(BORIS, opened), of(ANNA, event, T2)]);
  expect(rows).toEqual([
    { ...anna, ...change, updated_at: T2 },
    { ...anna, id: BORIS },
  ]);
});

it('shows that an address was verified after it was entered', () => {
  const entered: AccountEvent = { type: 'EmailChanged', data: { email: 'a@example.test', former: null } };
  const rows = rowsAfter([of(ANNA, opened), of(ANNA, entered), of(ANNA, { type: 'EmailVerified', data: {} }, T2)]);
  expect(rows).toEqual([{ ...anna, email: 'a@example.test', updated_at: T2 }]);
});

it('ignores revoked tokens', () => {
  expect(rowsAfter([of(ANNA, opened), of(ANNA, { type: 'TokensRevoked', data: { tokenVersion: 1 } }, T2)])).toEqual([
    anna,
  ]);
});
