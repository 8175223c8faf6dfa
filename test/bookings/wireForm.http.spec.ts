/** What REST replies and what realtime messages carry is the same row, for the guest and for the seller. */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Change, type Client, channels, createClient } from '../../client/index.ts';
import { caller, once, signIn } from '../kit/http.ts';
import { day, newHotel, newRoom } from '../kit/stays.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);

const people = {
  tourist: { channel: channels.user(demo.accounts.tourist.id), token: '', messages: [] as Change[] },
  hotelier: { channel: channels.provider(demo.accounts.hotelier.id), token: '', messages: [] as Change[] },
};
type Person = keyof typeof people;
const everybody = Object.keys(people) as Person[];

const clients: Client[] = [];
let subscribed = 0;
beforeAll(async () => {
  for (const who of everybody) {
    const person = people[who];
    person.token = await signIn(call, demo, who);
    const client = createClient({ baseUrl: runtime.api, token: () => person.token, WebSocket });
    clients.push(client);
    client.live.subscribe<string>(person.channel, {
      onReset: () => {
        subscribed += 1;
      },
      onChange: (change) => person.messages.push(change),
    });
  }
  await until(() => subscribed === everybody.length);
});
afterAll(() => {
  for (const client of clients) client.close();
});

const as = (who: Person) => ({ token: people[who].token });
const ok = async (who: Person, request: string, body?: object) => {
  const reply = await call(request, { ...as(who), headers: once(), ...(body && { body }) });
  expect(reply.status, `${request} ${JSON.stringify(reply.body)}`).toBeLessThan(300);
  return reply.body;
};
/** The newest message about a row that a person got on their channel. */
const messageTo = (who: Person, entity: string, id: string) =>
  until(() =>
    people[who].messages.findLast(
      ({ type, data }) => type.startsWith(`${entity}.`) && (data as { id: string }).id === id,
    ),
  );

it('a booking, a payment and a trip look the same over REST and in realtime', async () => {
  const { token } = people.hotelier;
  const hotelId = await newHotel(call, token, { name: 'Two Views' });
  const item = {
    type: 'hotel',
    item_id: await newRoom(call, token, { hotelId }),
    check_in: day(10),
    check_out: day(12),
    guests: 2,
  };

  const booked = await ok('tourist', 'POST /api/v1/bookings/create', item);
  for (const who of everybody) {
    // What follows on the booking may come between the two.
    await until(async () => {
      const row = await ok(who, `GET /api/v1/bookings/${booked.id}`);
      return isDeepStrictEqual((await messageTo(who, 'booking', booked.id)).data, row);
    });
  }
  const [guest, seller] = await Promise.all(everybody.map((who) => messageTo(who, 'booking', booked.id)));
  expect(guest?.data).toMatchObject({ title: 'Two Views', unit_title: 'Attic', nights: 2, total: 161 });
  expect(guest?.data).not.toHaveProperty('commission');
  expect(seller?.data).toMatchObject({ commission: { commission: 16.1, provider: 144.9 } });

  const process = { booking_id: booked.id, method: 'card' };
  const { payment_id: paymentId } = await ok('tourist', 'POST /api/v1/payments/process', process);
  const payment = await ok('tourist', `GET /api/v1/payments/${paymentId}`);
  const message = await until(async () => {
    // Events that are projected together make one message.
    const { data } = await messageTo('tourist', 'payment', paymentId);
    return (data as { status: string }).status === payment.status && data;
  });
  expect(message).toEqual(payment);
  expect(payment).not.toHaveProperty('provider_reason');

  const trip = await ok('tourist', 'POST /api/v1/trip-booking/aggregate', { items: [item] });
  expect(trip.bookings[0]).not.toHaveProperty('commission');
  const { bookings: _, due: __, due_minor: ___, ...fixed } = trip; // the message may come before the bookings exist
  expect((await messageTo('tourist', 'trip', trip.id)).data).toMatchObject(fixed);
});
