/** What e-mails to guests say of a booking. */
import { expect, it } from 'vitest';
import { detailLines } from '../../commands/bookings/mailDetails.ts';

const price = { guests: 2, totalMinor: 1_250_000, currency: 'RUB' };
const place = { address: 'Rosa Khutor, 1', timezone: 'Europe/Moscow' };

it('of a stay: arrival, departure, people, price and address', () => {
  const item = { type: 'hotel', checkIn: '2027-01-03', checkOut: '2027-01-07' } as never;
  expect(detailLines('en', { ...price, item }, place)).toEqual([
    'Arrival: 3 January 2027',
    'Departure: 7 January 2027',
    'Guests: 2',
    expect.stringMatching(/^Price: .*12,500/),
    'Address: Rosa Khutor, 1',
  ]);
});

it('of a slot: start and end by the clocks of the place, and no address where there is none', () => {
  const item = { type: 'tour', slotStart: '2027-01-03T06:00:00Z', slotEnd: '2027-01-03T09:30:00Z' } as never;
  expect(detailLines('ru', { ...price, item }, { ...place, address: null })).toEqual([
    'Начало: 3 января 2027 г., 09:00 (GMT+3)',
    'Окончание: 3 января 2027 г., 12:30 (GMT+3)',
    'Гостей: 2',
    expect.stringMatching(/^Стоимость: 12\s500/),
  ]);
});
