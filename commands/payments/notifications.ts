/** What payers are told about their payments, and sellers about where their money goes. */

import { Type } from '@sinclair/typebox';
import type { Recorded } from '../../domain/core/decider.ts';
import { DAY_MS, HOUR_MS } from '../../domain/core/instants.ts';
import { Currency, Minor, OneOf, Uuid } from '../../domain/core/schema.ts';
import { amountText } from '../../domain/core/wording.ts';
import type { EventOf } from '../../domain/modules.ts';
import { type OpenPayment, payment } from '../../domain/payments/payment.ts';
import { securityAdvice } from '../accounts/notifications.ts';
import { type Cue, notification, plainMail } from '../core/notification.ts';
import { isAccepted } from '../core/refusals.ts';
import type { PaymentDeps } from './deps.ts';
import { findPayable, type PayablesPort } from './payables.ts';
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

const disputed = Type.Object({ ...params.properties, item_id: Uuid, won: Type.Boolean() });
type Disputed = Recorded<EventOf<'ChargedBack' | 'ChargebackWon'>>;
const disputeCue = ({ streamId: paymentId, type, data }: Disputed): Cue => {
  const { itemId, amountMinor, currency } = data;
  const won = type === 'ChargebackWon' ? 'yes' : '';
  return { about: { paymentId, itemId, minor: String(amountMinor), currency, won } };
};
const disputeParams = ({ paymentId = '', itemId = '', minor, currency = '', won }: Cue['about']) => ({
  ...{ payment_id: paymentId, item_id: itemId, minor: Number(minor), currency },
  won: won === 'yes',
});
const disputes = {
  kind: 'booking',
  urgency: 'high',
  worthMs: 7 * DAY_MS,
  params: disputed,
  on: { ChargedBack: disputeCue, ChargebackWon: disputeCue },
  mail: plainMail,
} as const;

/** The payer's bank took money back, or has given it back. What that ends has notices of its own. */
const chargedBack = notification('payment_charged_back', {
  ...disputes,
  find: async (about, { deps }) => {
    const given = disputeParams(about);
    const { state } = await deps.aggregates.load(payment, given.payment_id);
    return state.status === 'none' ? [] : [{ to: state.userId, params: given }];
  },
  text: {
    ru: (p) => ({
      title: p.won ? 'Спор с банком завершён' : 'Банк отозвал ваш платёж',
      body: p.won
        ? `Банк снова перечислил нам ${amountText('ru', p.minor, p.currency)} по вашему платежу.`
        : `Ваш банк отозвал ${amountText('ru', p.minor, p.currency)}. То, что не оплачено, может быть отменено. Если это ошибка, напишите нам.`,
    }),
    en: (p) => ({
      title: p.won ? 'The dispute with your bank has ended' : 'Your bank took a payment back',
      body: p.won
        ? `Your bank has sent us ${amountText('en', p.minor, p.currency)} of your payment again.`
        : `Your bank took ${amountText('en', p.minor, p.currency)} back. What is not paid for may be cancelled. If this is a mistake, write to us.`,
    }),
  },
  link: linkOf,
});

const sellerChargedBack = notification('seller_charged_back', {
  ...disputes,
  find: async (about, { deps }) => {
    const given = disputeParams(about);
    const { state } = await deps.aggregates.load(payment, given.payment_id);
    const owner = state.status === 'none' ? null : state.items.find(({ id }) => id === given.item_id)?.ownerId;
    return owner ? [{ to: owner, params: given }] : [];
  },
  text: {
    ru: (p) => ({
      title: p.won ? 'Спор с банком гостя выигран' : 'Банк гостя отозвал деньги',
      body: p.won
        ? `${amountText('ru', p.minor, p.currency)} снова у нас, и ваша доля тоже.`
        : `Банк гостя отозвал ${amountText('ru', p.minor, p.currency)}, и ваша доля уменьшилась. Отменённое бронирование придёт отдельным сообщением.`,
    }),
    en: (p) => ({
      title: p.won ? 'A dispute with a guest’s bank was won' : 'A guest’s bank took money back',
      body: p.won
        ? `${amountText('en', p.minor, p.currency)} is back, and with it your share.`
        : `A guest’s bank took ${amountText('en', p.minor, p.currency)} back, and with it your share. If the booking is cancelled, you are told so separately.`,
    }),
  },
  link: ({ item_id }) => `/provider/bookings/${item_id}`,
});

export const paymentNotifications = [paymentFailed, refundArrived, chargedBack, sellerChargedBack, settingsChanged];
