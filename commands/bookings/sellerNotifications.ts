/** What sellers are told about bookings with them. */
import { Type } from '@sinclair/typebox';
import { answerAwaitedBy } from '../../domain/bookings/answer.ts';
import { notices } from '../../domain/bookings/bookingEvents.ts';
import { DAY_MS } from '../../domain/core/instants.ts';
import type { NotificationLanguage } from '../../domain/core/notification.ts';
import { Instant, Nullable, OneOf } from '../../domain/core/schema.ts';
import { dayAndTime } from '../../domain/core/wording.ts';
import { type NoticeText, notification, plainMail } from '../core/notification.ts';
import { bookingFacts, bookingSince, factsOf, whatOf } from './noticeFacts.ts';

const params = Type.Object({
  ...bookingFacts,
  notice: OneOf(notices),
  /** Until when to answer; null: nothing to answer. */
  answer_by: Nullable(Instant),
});
type Params = (typeof params)['static'];

const titles: Readonly<Record<NotificationLanguage, Readonly<Record<Params['notice'], string>>>> = {
  ru: {
    paid: 'Новое оплаченное бронирование',
    changed: 'Бронирование изменено',
    reminder: 'Бронирование ждёт ответа',
    last_reminder: 'Скоро истечёт срок ответа',
  },
  en: {
    paid: 'New paid booking',
    changed: 'A booking was changed',
    reminder: 'A booking waits for your answer',
    last_reminder: 'The time to answer is running out',
  },
};
const ask = {
  ru: (until: string) => ` Подтвердите или отклоните до ${until}, иначе гость получит деньги назад.`,
  en: (until: string) => ` Confirm or reject it before ${until}, otherwise the guest gets the money back.`,
};
const text =
  (language: NotificationLanguage) =>
  (p: Params): NoticeText => ({
    title: titles[language][p.notice],
    body: `${p.reference}: ${whatOf(language, p)}.${p.answer_by === null ? '' : ask[language](dayAndTime(language, p.timezone, p.answer_by))}`,
  });

const linkOf = ({ booking_id }: Pick<Params, 'booking_id'>): string => `/provider/bookings/${booking_id}`;

/** The booking records each of these once, and reminds only while the answer is awaited. The SMS is sent beside it, to sellers who have a phone number. */
const sellerBooking = notification('seller_booking', {
  kind: 'booking',
  urgency: 'high',
  worthMs: DAY_MS / 2,
  params,
  on: {
    BookingSellerNotified: ({ streamId: bookingId, revision, data: { notice } }) => ({
      about: { bookingId, revision: String(revision), notice },
    }),
  },
  find: async (about, { deps }) => {
    const { bookingId = '', notice } = about;
    const state = await bookingSince(deps, about);
    if (state.status === 'none') return [];
    const told = notices.find((each) => each === notice) ?? 'paid';
    const facts = await factsOf(deps, bookingId, state);
    return [{ to: state.sellerId, params: { ...facts, notice: told, answer_by: answerAwaitedBy(state) } }];
  },
  text: { ru: text('ru'), en: text('en') },
  link: linkOf,
  mail: plainMail,
});

/** By the guest, an admin or the system. */
const sellerCancelled = notification('seller_booking_cancelled', {
  kind: 'booking',
  urgency: 'normal',
  worthMs: DAY_MS,
  params: Type.Object(bookingFacts),
  on: {
    BookingCancelled: ({ streamId: bookingId, revision, data: { by } }) =>
      by === 'provider' ? undefined : { about: { bookingId, revision: String(revision) } },
  },
  find: async (about, { deps }) => {
    const { bookingId = '' } = about;
    const state = await bookingSince(deps, about);
    // Nobody was told of a booking that was never paid.
    if (state.status !== 'cancelled' || !state.told.includes('paid')) return [];
    return [{ to: state.sellerId, params: await factsOf(deps, bookingId, state) }];
  },
  text: {
    ru: (p) => ({ title: 'Бронирование отменено', body: `${p.reference}: ${whatOf('ru', p)}. Места снова в продаже.` }),
    en: (p) => ({
      title: 'A booking was cancelled',
      body: `${p.reference}: ${whatOf('en', p)}. Its places are for sale again.`,
    }),
  },
  link: linkOf,
  mail: plainMail,
});

/** The system has rejected what the seller did not answer. Sellers who reject it themselves know. */
const sellerAnswerOverdue = notification('seller_answer_overdue', {
  kind: 'booking',
  urgency: 'normal',
  worthMs: DAY_MS,
  params: Type.Object(bookingFacts),
  on: {
    BookingRejected: ({ streamId: bookingId, revision, data: { by } }) =>
      by === 'system' ? { about: { bookingId, revision: String(revision) } } : undefined,
  },
  find: async (about, { deps }) => {
    const { bookingId = '' } = about;
    const state = await bookingSince(deps, about);
    if (state.status !== 'rejected') return [];
    return [{ to: state.sellerId, params: await factsOf(deps, bookingId, state) }];
  },
  text: {
    ru: (p) => ({
      title: 'Срок ответа истёк',
      body: `${p.reference}: ${whatOf('ru', p)}. Бронирование отклонено, гость получит деньги назад. Места снова в продаже.`,
    }),
    en: (p) => ({
      title: 'You did not answer in time',
      body: `${p.reference}: ${whatOf('en', p)}. The booking was rejected, and the guest gets the money back. Its places are for sale again.`,
    }),
  },
  link: linkOf,
  mail: plainMail,
});

export const sellerNotifications = [sellerBooking, sellerCancelled, sellerAnswerOverdue];
