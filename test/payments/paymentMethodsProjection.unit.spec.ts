import { expect, it } from 'vitest';
import type { SavedMethodsEvent } from '../../domain/payments/savedMethods.ts';
import { paymentMethods } from '../../projections/payments/paymentMethods.ts';
import { at, GUEST, id } from '../bookings/bookingFixtures.ts';
import { happened, projection } from '../kit/projected.ts';

const rowsAfter = projection(paymentMethods);
const [A, B] = [id(1), id(2)] as const;
const [T1, T2, T3] = [at(0), at(5), at(6)] as const;
const then = (event: SavedMethodsEvent, time = T2) => happened('savedMethods', GUEST, event, time);

const requested = (methodId: string, time = T1) => {
  const data = { methodId, method: 'card' as const, provider: 'yookassa', referenceSecret: 'pm-1' };
  return then({ type: 'PaymentMethodRequested', data }, time);
};
const card = { brand: 'Mir', last4: '4004', exp: '12/40' };
const activated = (methodId: string) =>
  then({ type: 'PaymentMethodActivated', data: { methodId, tokenSecret: 'pm-1', ...card } });
const chosen = (methodId: string, former: string | null, time = T2) =>
  then({ type: 'DefaultPaymentMethodChanged', data: { methodId, former } }, time);

const row = {
  id: A,
  user_id: GUEST,
  method: 'card',
  provider: 'yookassa',
  brand: null,
  last4: null,
  exp: null,
  default: false,
  status: 'requires_action',
  failure_code: null,
  created_at: T1,
  updated_at: T1,
};
const active = { ...row, ...card, status: 'active', updated_at: T2 };

it('a method is requested, then active with its masked number and nothing of its token', () => {
  expect(rowsAfter([requested(A)])).toEqual([row]);
  expect(rowsAfter([requested(A), activated(A)])).toEqual([active]);
});

it('one that was not saved says why', () => {
  const failed = then({ type: 'PaymentMethodFailed', data: { methodId: A, code: 'not_confirmed' } });
  expect(rowsAfter([requested(A), failed])).toEqual([
    { ...row, status: 'failed', failure_code: 'not_confirmed', updated_at: T2 },
  ]);
});

it('the default is one: the former gives it up', () => {
  const two = [requested(A), activated(A), chosen(A, null), requested(B), activated(B)];
  expect(rowsAfter(two)).toEqual([
    { ...active, default: true },
    { ...active, id: B },
  ]);
  expect(rowsAfter([...two, chosen(B, A, T3)])).toEqual([
    { ...active, updated_at: T3 },
    { ...active, id: B, default: true, updated_at: T3 },
  ]);
});

it('a removed one is gone', () => {
  const removed = then({ type: 'PaymentMethodRemoved', data: { methodId: A } });
  expect(rowsAfter([requested(A), activated(A), removed])).toEqual([]);
});

it('tells its person', () => expect(paymentMethods.topics(row)).toEqual([`realtime:user_${GUEST}`]));
