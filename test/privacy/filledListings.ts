/** Everything that sellers offer, with a mark in every text and place, and what others do with it. The sellers leave. */
import { addDays, instantIn, todayIn, WEEKDAYS } from '../../domain/core/dates.ts';
import { type FavoriteKind, kindOf } from '../../domain/favorites/kinds.ts';
import { completeBooking } from '../kit/completed.ts';
import { once } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { type Cast, markedPicture, upload } from './people.ts';
import type { Writer } from './writer.ts';

const BIK = '044525225';
const TIMEZONE = 'Europe/Moscow';
const hours = [{ weekdays: [...WEEKDAYS], from: '00:00', to: '24:00' }];
const fixed = { timezone: TIMEZONE, currency: 'RUB' };
const day = (n: number) => addDays(todayIn(TIMEZONE, new Date().toISOString()), n);
/** Three days ahead. */
const slot = (hour: string) => instantIn(TIMEZONE, day(3), hour);

/** A name that stands in the bill of a booking: the bill is kept, and shown to its two sides and to admins. */
export const BILLED = 'zzbilled-by-a-seller-who-left';

const bookingIs = ({ call }: Writer, token: string, id: string, status: string) =>
  until(async () => (await call(`GET /api/v1/bookings/${id}`, { token })).body.status === status);

/** The lessons of an instructor, and what a guest books and says there. */
export const fillLessons = async (writer: Writer, cast: Cast): Promise<void> => {
  const { write, marks } = writer;
  const { guest, seller, admin, world } = cast;
  const teaching = { disciplines: ['ski'], levels: ['beginner'], max_group: 4, working_hours: hours };
  const terms = { ...fixed, ...teaching, confirmation: 'on_request', price_per_hour: 0 };
  const { id: instructor } = await write('POST /api/v1/instructors', seller.token, terms);
  await write('PATCH /api/v1/instructors/:id', seller.token, {}, instructor);
  const ask = (from: string, to: string) =>
    write(
      'POST /api/v1/instructors/booking/:id',
      guest.token,
      { slot_start: slot(from), slot_end: slot(to) },
      instructor,
    );
  await write('POST /api/v1/bookings/:id/reject', seller.token, {}, (await ask('10:00', '12:00')).id);

  const { id: booking_id } = await ask('14:00', '16:00');
  await bookingIs(writer, guest.token, booking_id, 'paid');
  await writer.call(`POST /api/v1/bookings/${booking_id}/confirm`, { token: seller.token, body: {} });
  await completeBooking(world.runtime, booking_id);
  const visit = { target_type: 'instructor', target_id: instructor, booking_id, rating: 4 };
  const picture_ids = [await upload(writer, cast, guest.token, 'reviews', await markedPicture(writer))];
  const review = await write('POST /api/v1/reviews', guest.token, { ...visit, picture_ids });
  await write('PATCH /api/v1/reviews/:id', guest.token, {}, review.id);
  await write('PUT /api/v1/reviews/:id/answer', seller.token, {}, review.id);
  const report = await write('POST /api/v1/reviews/:id/report', seller.token, {}, review.id);
  await write('POST /api/v1/admin/review-reports/:id/resolve', admin, { action: 'dismiss' }, report.id);
  await write('POST /api/v1/admin/reviews/:id/hide', admin, {}, review.id);

  for (const [key, token, ...ids] of [
    ['PUT /api/v1/provider/payment-settings', seller.token],
    ['PUT /api/v1/admin/payment-settings/owners/:owner_id', admin, seller.id],
  ] as const)
    await write(key, token, { nominal_account_bik: BIK, nominal_account_number: marks.account(BIK) }, ...ids);
};

/** Whoever stays marks it as a favourite, and is told when it is cheaper. */
const watch = async ({ call }: Writer, { staying }: Cast, kind: FavoriteKind, id: string): Promise<void> => {
  const body = kindOf(kind).watchedFor.includes('price_drop') ? { notify: ['price_drop'] } : {};
  const { status } = await call(`POST /api/v1/favorites/${kind}/${id}`, { token: staying.token, body });
  if (status >= 300) throw new Error(`the favourite was refused: ${status}`);
};

/** Booked by the guest who leaves, with marks, and by whoever stays. @param path with `:id` for the id */
const bookedByBoth = async (writer: Writer, { guest, staying }: Cast, path: string, body: object, id = '') => {
  await writer.write(path, guest.token, body, ...(id ? [id] : []));
  const own = { token: staying.token, headers: once(), body };
  const reply = await writer.call(path.replace(':id', id), own);
  if (reply.status !== 201) throw new Error(`${path} was refused: ${JSON.stringify(reply.body)}`);
  writer.know('bookings', reply.body.id);
};

/** Stays in a hotel, whose owner also presents a company. */
export const fillHotel = async (writer: Writer, cast: Cast): Promise<void> => {
  const { write, call } = writer;
  const { token } = cast.sellers.hotelier;
  const charges = [{ kind: 'fee', name: BILLED, bps: 100 }];
  const { id: hotel } = await write('POST /api/v1/hotels', token, { ...fixed, stars: 3, charges });
  await write('PATCH /api/v1/hotels/:id', token, { charges }, hotel);
  const offered = { capacity: 2, units: 20, price_per_night: 90 };
  const { id: item_id } = await write('POST /api/v1/hotels/:id/rooms', token, offered, hotel);
  const ranges = [{ from: day(0), to: day(60), price: 90 }];
  await call(`PUT /api/v1/rooms/${item_id}/nights`, { token, body: { ranges } });
  const stay = { type: 'hotel', item_id, check_in: day(20), check_out: day(22), guests: 2 };
  await bookedByBoth(writer, cast, 'POST /api/v1/bookings/create', stay);
  await watch(writer, cast, 'hotel', hotel);
  await watch(writer, cast, 'room', item_id);
  await write('PATCH /api/v1/rooms/:id', token, { price_per_night: 80 }, item_id);
  const cheaper = { ranges: [{ from: day(0), to: day(60), price: 70 }] };
  await call(`PUT /api/v1/rooms/${item_id}/nights`, { token, body: cheaper });

  const company = await write('POST /api/v1/companies', token, { ...fixed, sells: ['hotel'] });
  await write('PATCH /api/v1/companies/:id', token, {}, company.id);
  await watch(writer, cast, 'company', company.id);
};

/** Bookings of every other kind. */
export const fillOutings = async (writer: Writer, cast: Cast): Promise<void> => {
  const { write } = writer;
  const { sellers } = cast;
  const at = slot('14:00');
  const dining = { ...fixed, average_bill: 900, deposit_per_guest: 0, confirmation: 'instant', sitting_minutes: 120 };
  const seats = { tables: [{ seats: 2, units: 9 }], opening_hours: hours };
  const { token: host } = sellers.restaurant;
  const { id: restaurant, tables } = await write('POST /api/v1/restaurants', host, { ...dining, ...seats });
  const table = { slot_start: at, guests: 2 };
  await bookedByBoth(writer, cast, 'POST /api/v1/restaurants/:id/table-bookings', table, restaurant);
  await write('PATCH /api/v1/restaurants/:id', host, { tables: [{ ...tables[0], name: undefined }] }, restaurant);
  await watch(writer, cast, 'restaurant', restaurant);

  const schedule = [{ from: day(3), to: day(3), weekdays: [...WEEKDAYS], time: '20:00' }];
  const riding = { activity: 'snowmobile', difficulty: 'easy', duration_minutes: 90, seats: 8, languages: ['ru'] };
  const { token: guide } = sellers.tour_operator;
  const trip = { ...fixed, ...riding, schedule, price_per_person: 10 };
  const { id: tour_id } = await write('POST /api/v1/tours', guide, trip);
  const departure = { tour_id, slot_start: slot('20:00') };
  await bookedByBoth(writer, cast, 'POST /api/v1/tour-bookings', { ...departure, guests: 2 });
  await watch(writer, cast, 'tour', tour_id);
  await write('PATCH /api/v1/tours/:id', guide, { price_per_person: 9 }, tour_id);

  const driving = { length_km: 5, duration_minutes: 30, service_hours: hours };
  const vehicles = [{ name: BILLED, class: 'minivan', seats: 4, luggage: 2, units: 3, price: 10 }];
  const { token: driver } = sellers.transfer_provider;
  const transfer = await write('POST /api/v1/transfers', driver, { ...fixed, ...driving, vehicles });
  const ride = { transfer_id: transfer.id, vehicle_id: transfer.vehicles[0].id, slot_start: slot('08:00') };
  await bookedByBoth(writer, cast, 'POST /api/v1/transfers/bookings', { ...ride, guests: 2 });
  const cheaper = [{ ...transfer.vehicles[0], price: 9 }];
  await watch(writer, cast, 'transfer', transfer.id);
  await write('PATCH /api/v1/transfers/:id', driver, { vehicles: cheaper }, transfer.id);
};
