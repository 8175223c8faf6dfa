/** What guests are told about their bookings. */
import { standingOf } from '../../domain/bookings/answer.ts';
import type { OpenBooking } from '../../domain/bookings/booking.ts';
import { bookingTypes } from '../../domain/catalog/bookableItem.ts';
import { cancellers } from '../../domain/catalog/cancellation.ts';
import { daysBefore } from '../../domain/core/dates.ts';
import { DAY_MS, HOUR_MS } from '../../domain/core/instants.ts';
import { Instant, Nullable, OneOf } from '../../domain/core/schema.ts';
import { amountText, dayAndTime } from '../../domain/core/wording.ts';
import type { CoreDeps } from '../core/deps.ts';
import { type Cue, notification, type Settled } from '../core/notification.ts';
import {
  aboutOf,
  always,
  bookingMail,
  cueOf,
  type Mailed,
  money,
  type Place,
  params,
  toGuest,
  withCalendar,
} from './guestNotice.ts';
import { withZone } from './loadBooking.ts';
import { bookingSince, factsOf, whatOf } from './noticeFacts.ts';

/** The request to pay for the booking, which was answered or is over. */
const requestToPay = async (event: Place, deps: CoreDeps): Promise<Settled | undefined> => {
  const state = await bookingSince(deps, aboutOf(event));
  return state.status === 'none' ? undefined : { to: state.userId, key: event.streamId, version: 0 };
};

const bookingCreated = notification('booking_created', {
  ...always,
  urgency: 'normal',
  worthMs: HOUR_MS / 2,
  params: params({ ...money, pay_by: Instant }),
  // The event says it all: the most frequent of these notifications needs no look at the booking.
  on: {
    BookingCreated: ({
      streamId: bookingId,
      data: { userId, item, startsAt, totalMinor, currency, holdExpiresAt },
    }) => {
      const { type, listingId } = item;
      const price = { minor: String(totalMinor), currency, payBy: holdExpiresAt };
      if (totalMinor === 0) return undefined;
      return { about: { bookingId, userId, type, listingId, startsAt, ...price }, key: bookingId };
    },
  },
  settledBy: { BookingPaid: requestToPay },
  takenBackBy: { BookingExpired: requestToPay, BookingCancelled: requestToPay },
  find: async (about, { deps, at }) => {
    const { bookingId = '', userId = '', listingId = '', startsAt = '', minor, currency = '', payBy = '' } = about;
    const type = bookingTypes.find((each) => each === about.type);
    if (type === undefined || payBy <= at) return [];
    const facts = await factsOf(deps, bookingId, { item: { type, listingId }, startsAt });
    return [{ to: userId, params: { ...facts, minor: Number(minor), currency, pay_by: payBy } }];
  },
  text: {
    ru: (p) => ({
      title: 'Бронирование ждёт оплаты',
      body: `${whatOf('ru', p)}. Оплатите ${amountText('ru', p.minor, p.currency)} до ${dayAndTime('ru', p.timezone, p.pay_by)}.`,
    }),
    en: (p) => ({
      title: 'Your booking waits for its payment',
      body: `${whatOf('en', p)}. Pay ${amountText('en', p.minor, p.currency)} before ${dayAndTime('en', p.timezone, p.pay_by)}.`,
    }),
  },
});

const bookingPaid = notification('booking_paid', {
  ...always,
  worthMs: DAY_MS,
  mail: bookingMail<Mailed & { readonly answer_by: string | null }>(({ answer_by }) => answer_by === null),
  params: params({ answer_by: Nullable(Instant) }),
  on: { BookingPaid: cueOf },
  find: toGuest(['paid', 'confirmed'], (state) => ({
    answer_by: standingOf(state) === 'paid' ? (state.answerBy ?? state.startsAt) : null,
  })),
  text: {
    ru: (p) => ({
      title: p.answer_by === null ? 'Бронирование оплачено и подтверждено' : 'Бронирование оплачено',
      body:
        p.answer_by === null
          ? `${whatOf('ru', p)}. Номер бронирования ${p.reference}.`
          : `${whatOf('ru', p)}. Продавец ответит до ${dayAndTime('ru', p.timezone, p.answer_by)}, иначе деньги вернутся полностью.`,
    }),
    en: (p) => ({
      title: p.answer_by === null ? 'Your booking is paid and confirmed' : 'Your booking is paid',
      body:
        p.answer_by === null
          ? `${whatOf('en', p)}. Its reference is ${p.reference}.`
          : `${whatOf('en', p)}. The seller answers before ${dayAndTime('en', p.timezone, p.answer_by)}; otherwise you get all your money back.`,
    }),
  },
});

const bookingConfirmed = notification('booking_confirmed', {
  ...always,
  worthMs: DAY_MS,
  mail: bookingMail(() => true),
  params: params({}),
  on: { BookingConfirmed: cueOf },
  find: toGuest(['confirmed', 'completed'], () => ({})),
  text: {
    ru: (p) => ({
      title: 'Бронирование подтверждено',
      body: `${whatOf('ru', p)}. Номер бронирования ${p.reference}.`,
    }),
    en: (p) => ({ title: 'Your booking is confirmed', body: `${whatOf('en', p)}. Its reference is ${p.reference}.` }),
  },
});

const ending = { ...money, by: OneOf(cancellers) };
const endingOf = ({ ending: ended, currency }: OpenBooking) => ({
  minor: ended?.refundMinor ?? 0,
  currency,
  by: ended?.by ?? ('system' as const),
});
const refundRu = ({ minor, currency }: { minor: number; currency: string }): string =>
  minor > 0 ? ` Вернём ${amountText('ru', minor, currency)}.` : '';
const refundEn = ({ minor, currency }: { minor: number; currency: string }): string =>
  minor > 0 ? ` You get ${amountText('en', minor, currency)} back.` : '';

const bookingRejected = notification('booking_rejected', {
  ...always,
  worthMs: DAY_MS,
  mail: withCalendar,
  params: params(ending),
  on: { BookingRejected: cueOf },
  find: toGuest(['rejected'], endingOf),
  text: {
    ru: (p) => ({
      title: p.by === 'system' ? 'Продавец не ответил вовремя' : 'Продавец отклонил бронирование',
      body: `${whatOf('ru', p)}.${refundRu(p)}`,
    }),
    en: (p) => ({
      title: p.by === 'system' ? 'The seller did not answer in time' : 'The seller rejected your booking',
      body: `${whatOf('en', p)}.${refundEn(p)}`,
    }),
  },
});

const bookingCancelled = notification('booking_cancelled', {
  ...always,
  worthMs: DAY_MS,
  mail: withCalendar,
  params: params(ending),
  on: { BookingCancelled: cueOf },
  find: toGuest(['cancelled'], endingOf),
  text: {
    ru: (p) => ({
      title: p.by === 'provider' ? 'Продавец отменил бронирование' : 'Бронирование отменено',
      body: `${whatOf('ru', p)}.${refundRu(p)}`,
    }),
    en: (p) => ({
      title: p.by === 'provider' ? 'The seller cancelled your booking' : 'Your booking is cancelled',
      body: `${whatOf('en', p)}.${refundEn(p)}`,
    }),
  },
});

const bookingChanged = notification('booking_changed', {
  ...always,
  urgency: 'normal',
  worthMs: DAY_MS,
  mail: withCalendar,
  params: params({}),
  // Before the payment, guests change what they are about to buy: nothing to be told.
  on: {
    BookingRescheduled: (event) => (event.data.change && !event.data.change.endsEarlier ? cueOf(event) : undefined),
  },
  find: toGuest(['paid', 'confirmed'], () => ({})),
  text: {
    ru: (p) => ({ title: 'Бронирование изменено', body: `Теперь: ${whatOf('ru', p)}.` }),
    en: (p) => ({ title: 'Your booking was changed', body: `It is now: ${whatOf('en', p)}.` }),
  },
});

const bookingExpired = notification('booking_expired', {
  ...always,
  urgency: 'normal',
  worthMs: DAY_MS,
  params: params({}),
  on: { BookingExpired: cueOf },
  find: toGuest(['expired'], () => ({})),
  text: {
    ru: (p) => ({ title: 'Бронирование не оплачено вовремя', body: `${whatOf('ru', p)}. Забронируйте ещё раз.` }),
    en: (p) => ({ title: 'Your booking was not paid in time', body: `${whatOf('en', p)}. Book it again.` }),
  },
});

const reminderOf = (event: Place): Cue => ({ about: aboutOf(event), key: event.streamId });

/** A day before. Guests who booked, or changed the booking, later than that know. */
const bookingReminder = notification('booking_reminder', {
  ...always,
  worthMs: DAY_MS / 2,
  params: params({}),
  on: {
    BookingPaid: reminderOf,
    BookingConfirmed: reminderOf,
    BookingRescheduled: (event) => (event.data.change ? reminderOf(event) : undefined),
  },
  find: async (about, { deps, at, eventAt }) => {
    const { bookingId = '' } = about;
    const state = await bookingSince(deps, about);
    if (state.status === 'none' || standingOf(state) !== 'confirmed' || state.startsAt <= at) return [];
    const { startsAt, timezone } = await withZone(deps, state);
    const remindAt = daysBefore(timezone ?? 'UTC', startsAt, 1);
    if (remindAt <= eventAt) return [];
    if (at < remindAt) return { againAt: remindAt };
    const key = `${bookingId} ${state.startsAt}`;
    return [{ to: state.userId, key, params: await factsOf(deps, bookingId, state) }];
  },
  text: {
    ru: (p) => ({ title: 'Уже завтра', body: `${whatOf('ru', p)}. Номер бронирования ${p.reference}.` }),
    en: (p) => ({ title: 'Your booking is tomorrow', body: `${whatOf('en', p)}. Its reference is ${p.reference}.` }),
  },
});

export const guestNotifications = [
  bookingCreated,
  bookingPaid,
  bookingConfirmed,
  bookingRejected,
  bookingCancelled,
  bookingChanged,
  bookingExpired,
  bookingReminder,
];
