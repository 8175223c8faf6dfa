/** A corrected name is shown everywhere at once, except in what was agreed under the former one. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { photo } from '../files/samples.ts';
import { caller, newTourist, once, signIn } from '../kit/http.ts';
import { day, newHotel, newRoom } from '../kit/stays.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';
import { READS, shownBy } from './everyRead.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);

it('a corrected name reaches everything that shows it', async () => {
  const [admin, seller] = await Promise.all([signIn(call, demo, 'admin'), signIn(call, demo, 'hotelier')]);
  const former = `Wrong${randomUUID().slice(0, 8)}`;
  const right = `Right${randomUUID().slice(0, 8)}`;
  const [writer, reader] = [await newTourist(call, admin, former), await newTourist(call, admin, 'Yuri')];
  const { id, token } = writer;
  const done = async (request: string, body: object, as = token) => {
    const reply = await call(request, { token: as, headers: once(), body });
    expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
    return reply.body;
  };
  const roomId = await newRoom(call, seller, { hotelId: await newHotel(call, seller) });
  const stay = { type: 'hotel', item_id: roomId, check_in: day(20), check_out: day(22), guests: 2 };
  const booking = await done('POST /api/v1/bookings/create', stay);
  const chat = await done('POST /api/v1/p2p-chats', { user_id: reader.id });
  await done('POST /api/v1/messages', { thread_id: chat.id, kind: 'text', body: 'Hello' });
  const category = await done('POST /api/v1/admin/forums/categories', { title: 'Names', position: 960 }, admin);
  const topic = await done('POST /api/v1/forums/topics', { category_id: category.id, title: 'Who?', body: 'Me.' });
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await photo(40, 30))]), 'view.jpg');
  const uploaded = await fetch(`${runtime.api}/api/v1/attachments/upload?folder=stories`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  const story = await done('POST /api/v1/stories', { media_id: ((await uploaded.json()) as { id: string }).id });
  await done('POST /api/v1/friends/invite', { user_id: reader.id });

  const readers = { admin: { token: admin }, reader: { token: reader.token } };
  const ids = [id, booking.id, chat.id, category.id, topic.id, story.id];
  const reads = READS.flatMap(({ path: at }) =>
    at.includes(':') ? ids.map((one) => at.replaceAll(/:\w+/g, one)) : [at],
  );
  const shows = (name: string) => shownBy(call, readers, reads, (text) => (text.includes(name) ? [name] : []));
  const posts = `GET /api/v1/forums/topics/${topic.id}/posts`;
  const authors = async () =>
    (await call(posts, { token: reader.token })).body.data?.map((post: { author: string }) => post.author);
  await until(async () => (await authors())?.[0] === `${former} O.`);
  const before = await shows(former);
  for (const place of [posts, `GET /api/v1/forums/topics/${topic.id}`, 'GET /api/v1/friends/invitations'])
    expect(
      before.some((found) => found === `reader: ${place}: ${former}`),
      `${place} of ${before.join(', ')}`,
    ).toBe(true);

  await done('PUT /api/v1/users/me', { first_name: right });
  await until(async () => (await authors())?.[0] === `${right} O.`);
  // What was booked is corrected where it is: it may be for somebody else.
  const agreed = /\/(bookings|purchases|orders|audit)\b/;
  await until(async () => (await shows(former)).filter((found) => !agreed.test(found)).length === 0);
});
