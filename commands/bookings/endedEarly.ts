/** What guests are told when their stay ends earlier, when they did not come, and when they came after all. */
import { DAY_MS } from '../../domain/core/instants.ts';
import { Currency, DateOnly, Instant, Minor } from '../../domain/core/schema.ts';
import { amountText, dayAndTime, dayText } from '../../domain/core/wording.ts';
import { notification } from '../core/notification.ts';
import { always, cueOf, params, toGuest, withCalendar } from './guestNotice.ts';
import { bookingSince, factsOf, whatOf } from './noticeFacts.ts';

const backRu = (minor: number, currency: string): string =>
  minor > 0 ? `Вернём ${amountText('ru', minor, currency)}` : 'Деньги не возвращаются';
const backEn = (minor: number, currency: string): string =>
  minor > 0 ? `You get ${amountText('en', minor, currency)} back` : 'Nothing is refunded';

const stayShortened = notification('booking_shortened', {
  ...always,
  worthMs: DAY_MS,
  mail: withCalendar,
  params: params({ minor: Minor, currency: Currency, check_out: DateOnly }),
  on: {
    BookingRescheduled: (event) => {
      const { change, item } = event.data;
      if (!change?.endsEarlier || item.type !== 'hotel') return undefined;
      return { about: { ...cueOf(event).about, minor: String(change.refundMinor), checkOut: item.checkOut } };
    },
  },
  find: async (about, { deps }) => {
    const { bookingId = '', minor, checkOut = '' } = about;
    const state = await bookingSince(deps, about);
    if (state.status === 'none') return [];
    const { userId: to, currency } = state;
    const facts = await factsOf(deps, bookingId, state);
    return [{ to, params: { ...facts, minor: Number(minor), currency, check_out: checkOut } }];
  },
  text: {
    ru: (p) => ({
      title: 'Проживание закончится раньше',
      body: `${whatOf('ru', p)}. По словам продавца, вы уезжаете ${dayText('ru', p.check_out)}. ${backRu(p.minor, p.currency)}. Если это не так, свяжитесь с продавцом.`,
    }),
    en: (p) => ({
      title: 'Your stay ends earlier',
      body: `${whatOf('en', p)}. The seller says that you leave on ${dayText('en', p.check_out)}. ${backEn(p.minor, p.currency)}. If this is wrong, contact the seller.`,
    }),
  },
});

const noShow = notification('booking_no_show', {
  ...always,
  worthMs: DAY_MS,
  params: params({ until: Instant }),
  on: { BookingNoShowRecorded: cueOf },
  find: toGuest(['no_show'], ({ withdrawableUntil, endsAt }) => ({ until: withdrawableUntil ?? endsAt })),
  text: {
    ru: (p) => ({
      title: 'Продавец записал, что вы не пришли',
      body: `${whatOf('ru', p)}. Места снова в продаже, деньги не возвращаются. Если вы пришли или придёте, свяжитесь с продавцом: до ${dayAndTime('ru', p.timezone, p.until)} он может это исправить.`,
    }),
    en: (p) => ({
      title: 'The seller recorded that you did not come',
      body: `${whatOf('en', p)}. Your places are for sale again, and nothing is refunded. If you came or are on your way, contact the seller, who can correct this until ${dayAndTime('en', p.timezone, p.until)}.`,
    }),
  },
});

const noShowWithdrawn = notification('booking_no_show_withdrawn', {
  ...always,
  worthMs: DAY_MS,
  params: params({}),
  on: { BookingNoShowWithdrawn: cueOf },
  find: toGuest(['paid', 'confirmed', 'completed'], () => ({})),
  text: {
    ru: (p) => ({
      title: 'Бронирование снова действует',
      body: `${whatOf('ru', p)}. Продавец записал, что вы пришли.`,
    }),
    en: (p) => ({
      title: 'Your booking is valid again',
      body: `${whatOf('en', p)}. The seller recorded that you came.`,
    }),
  },
});

export const earlyEndNotifications = [stayShortened, noShow, noShowWithdrawn];
