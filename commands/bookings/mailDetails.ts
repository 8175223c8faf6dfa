/** What e-mails to guests say of a booking that stands: until when, for how many, for how much, and where. */
import type { OpenBooking } from '../../domain/bookings/booking.ts';
import type { NotificationLanguage } from '../../domain/core/notification.ts';
import { amountText, dayAndTime, dayText } from '../../domain/core/wording.ts';
import type { Offered } from './offeredItem.ts';

const WORDS = {
  ru: {
    reference: 'Номер бронирования',
    checkIn: 'Заезд',
    checkOut: 'Выезд',
    starts: 'Начало',
    ends: 'Окончание',
    guests: 'Гостей',
    price: 'Стоимость',
    address: 'Адрес',
  },
  en: {
    reference: 'Reference',
    checkIn: 'Arrival',
    checkOut: 'Departure',
    starts: 'Start',
    ends: 'End',
    guests: 'Guests',
    price: 'Price',
    address: 'Address',
  },
} as const satisfies Record<NotificationLanguage, object>;

export const referenceLine = (language: NotificationLanguage, reference: string): string =>
  `${WORDS[language].reference}: ${reference}`;

/** A line each. Days and times are those of the place. */
export const detailLines = (
  language: NotificationLanguage,
  { item, guests, totalMinor, currency }: Pick<OpenBooking, 'item' | 'guests' | 'totalMinor' | 'currency'>,
  { address, timezone }: Pick<Offered, 'address' | 'timezone'>,
): string[] => {
  const words = WORDS[language];
  const times =
    item.type === 'hotel'
      ? [
          `${words.checkIn}: ${dayText(language, item.checkIn)}`,
          `${words.checkOut}: ${dayText(language, item.checkOut)}`,
        ]
      : [
          `${words.starts}: ${dayAndTime(language, timezone, item.slotStart)}`,
          `${words.ends}: ${dayAndTime(language, timezone, item.slotEnd)}`,
        ];
  return [
    ...times,
    `${words.guests}: ${guests}`,
    `${words.price}: ${amountText(language, totalMinor, currency)}`,
    ...(address === null ? [] : [`${words.address}: ${address}`]),
  ];
};
