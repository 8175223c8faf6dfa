/** How the operations are called by which people write to and about each other, and admins about them. */
import { addDays, instantIn, todayIn, WEEKDAYS } from '../../domain/core/dates.ts';
import { HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import { completeBooking } from '../kit/completed.ts';
import { signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import type { DemoPerson } from '../kit/world.ts';
import { type Cast, markedDocument, markedPicture, upload } from './people.ts';
import type { Writer } from './writer.ts';

const bookingIs = ({ call }: Writer, token: string, id: string, status: string) =>
  until(async () => (await call(`GET /api/v1/bookings/${id}`, { token })).body.status === status);

export const fillChats = async (writer: Writer, cast: Cast): Promise<void> => {
  const { write, know, call } = writer;
  const { guest, staying, admin } = cast;
  const { token } = guest;
  const { id: thread_id } = await write('POST /api/v1/p2p-chats', token, { user_id: staying.id });
  know('messages', thread_id);
  const files = [
    await upload(writer, cast, token, 'chat', markedDocument(writer)),
    await upload(writer, cast, token, 'chat', await markedPicture(writer)),
  ];
  const said = await write('POST /api/v1/messages', token, { thread_id, kind: 'text' });
  await write('POST /api/v1/messages', token, { thread_id, kind: 'image', attachments: [files[1]] });
  await write('PATCH /api/v1/messages/:id', token, {}, said.id);
  // It is kept for admins.
  const attachments = [await upload(writer, cast, token, 'chat', markedDocument(writer))];
  const rude = await write('POST /api/v1/messages', token, { thread_id, kind: 'text', attachments });
  await call(`POST /api/v1/messages/${rude.id}/report`, { token: staying.token, body: { reason: 'This is rude' } });
  await write('DELETE /api/v1/messages/:id', token, {}, rude.id);
  const answer = { thread_id, kind: 'text', body: 'Some answer' };
  const { body: answered } = await call('POST /api/v1/messages', { token: staying.token, body: answer });
  const report = await write('POST /api/v1/messages/:id/report', token, {}, answered.id);
  await write('POST /api/v1/admin/chat-reports/:id/resolve', admin, { action: 'remove' }, report.id);
  await write('POST /api/v1/chats/:thread_id/report', token, {}, thread_id);
  const group = await write('POST /api/v1/chats', token, { user_id: null, member_ids: [staying.id] });
  await write('PUT /api/v1/chats/:thread_id/title', token, {}, group.id);
  await write('POST /api/v1/support/tickets', token);
};

export const fillForums = async (writer: Writer, cast: Cast): Promise<void> => {
  const { write, call, know } = writer;
  const { guest, seller, admin } = cast;
  const { token } = guest;
  const body = { title: 'Proofs', position: 901 };
  const { body: category } = await call('POST /api/v1/admin/forums/categories', { token: admin, body });
  know('categories', category.id);
  const picture_ids = [await upload(writer, cast, token, 'forums', await markedPicture(writer))];
  const topic = await write('POST /api/v1/forums/topics', token, { category_id: category.id, picture_ids });
  await write('PATCH /api/v1/forums/topics/:id', token, {}, topic.id);
  const post = await write('POST /api/v1/forums/topics/:id/posts', token, {}, topic.id);
  await write('PATCH /api/v1/forums/posts/:id', token, {}, post.id);
  const report = await write('POST /api/v1/forums/posts/:id/report', seller.token, {}, post.id);
  await write('POST /api/v1/admin/forums/reports/:id/resolve', admin, { action: 'remove' }, report.id);
  const appeal = { kind: 'post', subject_id: post.id };
  const filed = await write('POST /api/v1/forums/appeals', token, appeal);
  await write('POST /api/v1/admin/forums/appeals/:id/answer', admin, { action: 'refuse' }, filed.id);
  const other = await write('POST /api/v1/forums/topics/:id/posts', token, {}, topic.id);
  await write('POST /api/v1/admin/forums/posts/:id/remove', admin, {}, other.id);
  const kept = await write('POST /api/v1/forums/topics/:id/posts', token, {}, topic.id);
  await write('PATCH /api/v1/forums/posts/:id', token, {}, kept.id);
  await write('POST /api/v1/forums/posts/:id/report', seller.token, {}, kept.id);
  await call(`DELETE /api/v1/forums/posts/${kept.id}`, { token });
  await write('POST /api/v1/admin/forums/topics/:id/remove', admin, {}, topic.id);
  const end = instantOf(Date.now() + HOUR_MS);
  await write('POST /api/v1/admin/forums/sanctions', admin, { account_id: guest.id, topic_id: null, until: end });
};

export const fillStories = async (writer: Writer, cast: Cast): Promise<void> => {
  const { write } = writer;
  const { guest, seller, admin } = cast;
  const media_id = await upload(writer, cast, guest.token, 'stories', await markedPicture(writer));
  const story = await write('POST /api/v1/stories', guest.token, { media_id });
  const report = await write('POST /api/v1/stories/:id/report', seller.token, {}, story.id);
  await write('POST /api/v1/admin/story-reports/:id/resolve', admin, { action: 'remove' }, report.id);
};

const BIK = '044525225';
const TIMEZONE = 'Europe/Moscow';
const hours = [{ weekdays: [...WEEKDAYS], from: '00:00', to: '24:00' }];
const fixed = { timezone: TIMEZONE, currency: 'RUB', status: 'published', images: [] };
const place = { name: 'Larch', city: 'Testville', location: { latitude: 43.6, longitude: 40.2 }, description: '' };
/** Three days ahead. */
const slot = (hour: string) => instantIn(TIMEZONE, addDays(todayIn(TIMEZONE, new Date().toISOString()), 3), hour);

/** The lessons of the seller who leaves, and what a guest books and says there. */
export const fillLessons = async (writer: Writer, cast: Cast): Promise<void> => {
  const { write, marks } = writer;
  const { guest, seller, admin, world } = cast;
  const teaching = { disciplines: ['ski'], levels: ['beginner'], max_group: 4, working_hours: hours };
  // As of every listing: they are what is advertised, and stay in the log.
  const images = [{ url: 'https://example.test/lesson.jpg', is_main: true }];
  const advertised = { city: place.city, location: place.location, images };
  const terms = { ...fixed, ...teaching, ...advertised, confirmation: 'on_request', price_per_hour: 0 };
  const { id: instructor } = await write('POST /api/v1/instructors', seller.token, terms);
  await write('PATCH /api/v1/instructors/:id', seller.token, advertised, instructor);
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

/** Bookings of every other kind, with sellers who stay. */
export const fillOutings = async (writer: Writer, { guest, world }: Cast): Promise<void> => {
  const { write, call, know } = writer;
  const offer = async (kind: string, who: DemoPerson, body: object) => {
    const token = await signIn(call, world.demo, who);
    const reply = await call(`POST /api/v1/${kind}`, { token, body: { ...fixed, ...body } });
    if (reply.status !== 201) throw new Error(`the listing was refused: ${JSON.stringify(reply.body)}`);
    know(kind, reply.body.id);
    return reply.body;
  };
  const table = { tables: [{ name: 'Barrel', seats: 2, units: 9 }], sitting_minutes: 120, opening_hours: hours };
  const dining = { ...place, address: 'Lesnaya 7', average_bill: 900, deposit_per_guest: 0, confirmation: 'instant' };
  const { id: restaurant } = await offer('restaurants', 'restaurant', { ...table, ...dining });
  const at = slot('14:00');
  await write('POST /api/v1/restaurants/:id/table-bookings', guest.token, { slot_start: at }, restaurant);

  const schedule = [{ from: at.slice(0, 10), to: at.slice(0, 10), weekdays: [...WEEKDAYS], time: '20:00' }];
  const riding = { activity: 'snowmobile', difficulty: 'easy', duration_minutes: 90, seats: 8, price_per_person: 10 };
  const trip = { ...place, ...riding, schedule, meeting_point: 'Below', languages: ['ru'] };
  const { id: tour_id } = await offer('tours', 'touroperator', trip);
  await write('POST /api/v1/tour-bookings', guest.token, { tour_id, slot_start: slot('20:00') });

  const { location, ...road } = place;
  const ends = { origin: { name: 'Airport', location }, destination: { name: 'Hut', location } };
  const driving = { length_km: 5, duration_minutes: 30, service_hours: hours };
  const vehicles = [{ name: 'Van', class: 'minivan', seats: 4, luggage: 2, units: 3, price: 10 }];
  const transfer = await offer('transfers', 'transfer', { ...road, ...ends, ...driving, vehicles });
  const ride = { transfer_id: transfer.id, vehicle_id: transfer.vehicles[0].id, slot_start: slot('08:00') };
  await write('POST /api/v1/transfers/bookings', guest.token, ride);
};
