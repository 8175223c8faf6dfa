/** What payers are told about their payments, and sellers about where their money goes. */

import { Type } from '@sinclair/typebox';
import type { Recorded } from '../../domain/core/decider.ts';
import { DAY_MS, HOUR_MS } from '../../domain/core/instants.ts';
import { Currency, Minor, OneOf, Uuid } from '../../domain/core/schema.ts';
import { amountText } from '../../domain/core/wording.ts';
import { type OpenPayment, payment } from '../../domain/payments/payment.ts';
import { securityAdvice } from '../accounts/notifications.ts';
import { type Cue, notification, plainMail } from '../core/notification.ts';
import { isAccepted } from '../core/refusals.ts';
import type { PaymentDeps } from './deps.ts';
import { findPayable, type PayablesPort } from './payable.ts';
import { type SettingsChangeKind, settingsChangeKinds, settingsTitles } from './settingsChanges.ts';

const params = Type.Object({ payment_id: Uuid, minor: Minor, currency: Currency });
const linkOf = ({ payment_id }: { readonly payment_id: string }): string => `/payments/${payment_id}`;

/** Failures of payments for the same item replace each other. */
const itemOf = ({ items }: OpenPayment): string => items[0]?.id ?? '';

/** Whether the payer can still pay for something that the payment was for: not all was paid in another way, or cancelled. */
const isLeftToPay = async (deps: PayablesPort, { userId: id, items }: OpenPayment): Promise<boolean> => {
  const payer = { kind: 'user', id, role: 'tourist' } as const;
  for (const item of items) if (await isAccepted(() => findPayable(deps, payer, item))) return true;
  return false;
};

const paymentFailed = notification<typeof params, PaymentDeps>('payment_failed', {
  kind: 'booking',
  urgency: 'high',
  worthMs: HOUR_MS,
  params,
  on: { PaymentFailed: ({ streamId: paymentId }) => ({ about: { paymentId } }) },
  settledBy: {
    PaymentSucceeded: async ({ streamId: paymentId, at }, { aggregates }) => {
      const { state } = await aggregates.load(payment, paymentId);
      return state.status === 'none' ? undefined : { to: state.userId, key: itemOf(state), version: Date.parse(at) };
    },
  },
  find: async ({ paymentId = '' }, { deps, eventAt }) => {
    const { state } = await deps.aggregates.load(payment, paymentId);
    // Money that came after all outranks the failure, and so does another payment.
    if (state.status !== 'failed' || !(await isLeftToPay(deps, state))) return [];
    const { userId: to, amountMinor: minor, currency } = state;
    const params = { payment_id: paymentId, minor, currency };
    return [{ to, key: itemOf(state), version: Date.parse(eventAt), params }];
  },
  text: {
    ru: (p) => ({
      title: 'Оплата не прошла',
      body: `${amountText('ru', p.minor, p.currency)} не списаны. Попробуйте ещё раз или оплатите другим способом.`,
    }),
    en: (p) => ({
      title: 'Your payment failed',
      body: `${amountText('en', p.minor, p.currency)} was not taken. Try again, or pay in another way.`,
    }),
  },
  link: linkOf,
});

const refundArrived = notification('refund_arrived', {
  kind: 'booking',
  urgency: 'normal',
  worthMs: DAY_MS,
  params,
  on: {
    RefundSucceeded: ({ streamId: paymentId, data: { amountMinor, currency } }) => ({
      about: { paymentId, minor: String(amountMinor), currency },
    }),
  },
  find: async ({ paymentId = '', minor, currency = '' }, { deps }) => {
    const { state } = await deps.aggregates.load(payment, paymentId);
    if (state.status === 'none') return [];
    return [{ to: state.userId, params: { payment_id: paymentId, minor: Number(minor), currency } }];
  },
  text: {
    ru: (p) => ({
      title: 'Деньги возвращены',
      body: `Возврат ${amountText('ru', p.minor, p.currency)} отправлен. Банк зачислит его в течение нескольких дней.`,
    }),
    en: (p) => ({
      title: 'Your refund is on its way',
      body: `${amountText('en', p.minor, p.currency)} was sent back. Your bank shows it within some days.`,
    }),
  },
  link: linkOf,
});

const changeOf =
  (changed: SettingsChangeKind) =>
  ({ streamId: ownerId }: Pick<Recorded, 'streamId'>): Cue => ({ about: { ownerId, changed } });

/** Where a seller's money goes was changed. An SMS is sent beside it: `settingsChanges.ts`. */
const settingsChanged = notification('payment_settings_changed', {
  kind: 'system',
  urgency: 'critical',
  worthMs: 7 * DAY_MS,
  params: Type.Object({ changed: OneOf(settingsChangeKinds) }),
  on: {
    PaymentProviderChosen: changeOf('provider'),
    NominalAccountSet: changeOf('bank_account'),
    NominalAccountRemoved: changeOf('bank_account_removed'),
  },
  find: async ({ ownerId = '', changed }) => {
    const known = settingsChangeKinds.find((each) => each === changed);
    return known === undefined ? [] : [{ to: ownerId, params: { changed: known } }];
  },
  text: {
    ru: ({ changed }) => ({
      title: settingsTitles.ru[changed],
      body: securityAdvice.ru,
    }),
    en: ({ changed }) => ({
      title: settingsTitles.en[changed],
      body: securityAdvice.en,
    }),
  },
  link: () => '/provider/payment-settings',
  mail: plainMail,
  toFormerAddresses: true,
});

export const paymentNotifications = [paymentFailed, refundArrived, settingsChanged];
