/** Commands that the same people repeat, on what has a history: a long chat, a long topic, a seller with many bookings. */
import { randomUUID } from 'node:crypto';
import { addDays, instantIn, todayIn } from '../../domain/core/dates.ts';
import { instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import { completeBooking } from '../kit/completed.ts';
import { day, newHotel, newRoom } from '../kit/stays.ts';
import { until } from '../kit/until.ts';
import type { Cast } from '../privacy/people.ts';
import type { Writer } from '../privacy/writer.ts';

const TIMEZONE = 'Europe/Moscow';
const slot = (hour: string) => instantIn(TIMEZONE, addDays(todayIn(TIMEZONE, new Date().toISOString()), 3), hour);

const approve = (address: string) =>
  fetch(address, { method: 'POST', body: new URLSearchParams({ action: 'approve' }), redirect: 'manual' });

/** What the commands are about. */
export interface Subjects {
  readonly roomId: string;
  readonly threadId: string;
  readonly topicId: string;
  readonly reviewId: string;
  readonly productId: string;
}

/** A lesson that a guest has had and reviews. */
const newReview = async ({ write, call, ids }: Writer, { guest, seller, world }: Cast): Promise<string> => {
  const [instructor = ''] = ids.get('instructors') ?? [];
  const lesson = { slot_start: slot('17:00'), slot_end: slot('18:00') };
  const { id: booking_id } = await write('POST /api/v1/instructors/booking/:id', guest.token, lesson, instructor);
  await until(async () => (await call(`GET /api/v1/bookings/${booking_id}`, guest)).body.status === 'paid');
  await write('POST /api/v1/bookings/:id/confirm', seller.token, {}, booking_id);
  await completeBooking(world.runtime, booking_id);
  const visit = { target_type: 'instructor', target_id: instructor, booking_id, rating: 4, picture_ids: [] };
  return (await write('POST /api/v1/reviews', guest.token, visit)).id;
};

export const makeSubjects = async (writer: Writer, cast: Cast): Promise<Subjects> => {
  const { write, call, ids } = writer;
  const { guest, staying, hotelier } = cast;
  const hotelId = await newHotel(call, hotelier);
  const category_id = [...(ids.get('categories') ?? [])].at(-1);
  const topic = { category_id, picture_ids: [], mentions: [] };
  const { body: products } = await call('GET /api/v1/insurance/products');
  return {
    roomId: await newRoom(call, hotelier, { hotelId, units: 90 }),
    threadId: (await write('POST /api/v1/p2p-chats', guest.token, { user_id: staying.id })).id,
    topicId: (await write('POST /api/v1/forums/topics', staying.token, topic)).id,
    reviewId: await newReview(writer, cast),
    productId: products.data[0].id,
  };
};

const book = async ({ write, call, ids }: Writer, { guest, sellers, hotelier }: Cast, { roomId }: Subjects) => {
  const { token } = guest;
  const first = (noun: string) => [...(ids.get(noun) ?? [])][0] ?? '';
  const stay = { type: 'hotel', item_id: roomId, check_in: day(30), check_out: day(32) };
  await write('POST /api/v1/bookings/quote', token, stay);
  const booked = await write('POST /api/v1/bookings/create', token, stay);
  await write('PATCH /api/v1/bookings/:id', token, {}, booked.id);
  const payment = await write('POST /api/v1/payments/process', token, { booking_id: booked.id, method: 'card' });
  await approve(payment.redirect_url);
  await until(async () => (await call(`GET /api/v1/bookings/${booked.id}`, { token })).body.status === 'paid');
  await write('POST /api/v1/bookings/:id/cancel', token, {}, booked.id);
  const table = { slot_start: slot('14:00'), guests: 2 };
  const seated = await write('POST /api/v1/restaurants/:id/table-bookings', token, table, first('restaurants'));
  await write('POST /api/v1/bookings/:id/cancel', token, {}, seated.id);
  const departure = { tour_id: first('tours'), slot_start: slot('20:00'), guests: 1 };
  const toured = await write('POST /api/v1/tour-bookings', token, departure);
  await write('POST /api/v1/bookings/:id/reject', sellers.tour_operator.token, {}, toured.id);
  const ranges = [{ from: day(40), to: day(41), price: 70 }];
  await write('PUT /api/v1/rooms/:id/nights', hotelier, { ranges }, roomId);
  await write('PATCH /api/v1/rooms/:id', hotelier, { price_per_night: 80, units: 90 }, roomId);
};

const buy = async ({ write }: Writer, { guest: { token } }: Cast, { productId }: Subjects) => {
  const insurance = { product_id: productId, valid_from: day(2), valid_to: day(4) };
  const persons = [{ birth_date: '1987-06-05' }];
  await write('POST /api/v1/insurance/quote', token, { ...insurance, persons });
  const insured = await write('POST /api/v1/insurance/purchase', token, { ...insurance, method: 'card', persons });
  await write('POST /api/v1/purchases/:id/cancel', token, {}, insured.id);
};

const chat = async ({ write }: Writer, { guest, staying, admin }: Cast, { threadId: thread_id }: Subjects) => {
  const said = await write('POST /api/v1/messages', guest.token, { thread_id, kind: 'text' });
  await write('POST /api/v1/messages/:id/read', staying.token, {}, said.id);
  await write('PATCH /api/v1/messages/:id', guest.token, {}, said.id);
  const report = await write('POST /api/v1/messages/:id/report', staying.token, {}, said.id);
  await write('POST /api/v1/admin/chat-reports/:id/resolve', admin, { action: 'dismiss' }, report.id);
  await write('DELETE /api/v1/messages/:id', guest.token, {}, said.id);
  await write('PATCH /api/v1/chats/:thread_id', guest.token, { pinned: true }, thread_id);
  const ticket = await write('POST /api/v1/support/tickets', guest.token);
  await write('POST /api/v1/support/tickets/:id/resolve', admin, {}, ticket.id);
};

const discuss = async ({ write }: Writer, { guest, seller, staying, admin }: Cast, made: Subjects) => {
  const post = await write('POST /api/v1/forums/topics/:id/posts', staying.token, { picture_ids: [] }, made.topicId);
  await write('PATCH /api/v1/forums/posts/:id', staying.token, {}, post.id);
  await write('PUT /api/v1/forums/posts/:id/reaction', seller.token, { kind: 'like' }, post.id);
  await write('DELETE /api/v1/forums/posts/:id/reaction', seller.token, {}, post.id);
  await write('PUT /api/v1/forums/topics/:id/read', seller.token, { seq: 1 }, made.topicId);
  const report = await write('POST /api/v1/forums/posts/:id/report', seller.token, {}, post.id);
  await write('POST /api/v1/admin/forums/reports/:id/resolve', admin, { action: 'dismiss' }, report.id);
  await write('DELETE /api/v1/forums/posts/:id', staying.token, {}, post.id);
  await write('PATCH /api/v1/reviews/:id', guest.token, { rating: 5, picture_ids: [] }, made.reviewId);
  await write('PUT /api/v1/reviews/:id/answer', seller.token, {}, made.reviewId);
};

const ownThings = async ({ write, call, ids }: Writer, { staying, sellers }: Cast) => {
  const { token } = staying;
  const [tour = ''] = ids.get('tours') ?? [];
  await write('DELETE /api/v1/favorites/:type/:id', token, {}, 'tour', tour);
  await write('POST /api/v1/favorites/:type/:id', token, { notify: ['price_drop'] }, 'tour', tour);
  const person = { user_id: sellers.tour_operator.id, email: null, phone: null };
  await write('POST /api/v1/friends/invite', token, person);
  const { body: sent } = await call('GET /api/v1/friends/invitations/sent?per_page=1', { token });
  await write('DELETE /api/v1/friends/invitations/sent/:id', token, {}, sent.data[0].id);
  const at = instantOf(Date.now() - MINUTE_MS);
  const session = await write('POST /api/v1/tracking/sessions', token, { started_at: at });
  const point = { seq: 0, t: at, alt: 1_500, acc: 5, speed: null };
  await write('POST /api/v1/tracking/sessions/:id/points', token, { points: [point] }, session.id);
  await write('POST /api/v1/tracking/sessions/:id/finish', token, {}, session.id);
  await write('POST /api/v1/notifications/mark-all-read', token);
  await write('PUT /api/v1/users/me', token, { phone: null, email: null });
  const event = { kind: 'click', occurred_at: at, session_id: randomUUID(), event_id: randomUUID() };
  await write('POST /api/v1/events', token, event);
};

/** One after the other, always in the same order. */
export const carryOut = async (writer: Writer, cast: Cast, made: Subjects): Promise<void> => {
  for (const some of [book, buy, chat, discuss, ownThings]) await some(writer, cast, made);
};
