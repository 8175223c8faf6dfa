/** Erasure, proved by search: no read operation of any role, no file and no metric has a marked text. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { routes } from '../../api/modules.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { formsOf } from '../kit/formsOf.ts';
import { caller, newTourist, once, signIn } from '../kit/http.ts';
import { day, newHotel, newRoom } from '../kit/stays.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { dataDir, demo, runtime } = sharedWorld();
const call = caller(runtime.api);

const mark = (what: string): string => `${what} ${randomUUID().replaceAll('-', '').slice(0, 16)}`;
const marks = {
  name: mark('Wanda'),
  note: mark('Заметка'),
  message: mark('says'),
  topic: mark('asks'),
  post: mark('writes'),
};
const forms = Object.values(marks).flatMap(formsOf);
const isMarked = (text: string): boolean => forms.some((form) => text.includes(form));

/** Every read operation at every id: where a marked text is shown. */
const shownBy = async (
  readers: Readonly<Record<string, string | undefined>>,
  ids: readonly string[],
): Promise<string[]> => {
  const reads = routes.filter(
    ({ method, path: at, id }) => method === 'GET' && !/export|metrics|\/auth\/oauth/i.test(at + id),
  );
  const requests = reads.flatMap(({ path: at }) =>
    at.includes(':') ? ids.map((id) => at.replaceAll(/:\w+/g, id)) : [at],
  );
  const all = requests.flatMap((at) => Object.keys(readers).map((reader) => ({ at, reader })));
  const found: string[] = [];
  await concurrentEach(all, 8, async ({ at, reader }) => {
    const token = readers[reader];
    const { status, body } = await call(`GET ${at}`, token === undefined ? {} : { token });
    expect(status, `${reader}: GET ${at}`).toBeLessThan(500);
    if (isMarked(typeof body === 'string' ? body : JSON.stringify(body))) found.push(`${reader}: GET ${at}`);
  });
  return found;
};

/** The files of the system except those of PostgreSQL, whose own log keeps former bytes for a while. */
const markedFiles = async (): Promise<string[]> => {
  const found: string[] = [];
  for (const name of await readdir(dataDir, { recursive: true })) {
    const file = path.join(dataDir, name);
    const isFile = await stat(file)
      .then((it) => it.isFile())
      .catch(() => false);
    if (!isFile || name.startsWith('postgres')) continue;
    let before = '';
    for await (const chunk of createReadStream(file, { encoding: 'latin1', highWaterMark: 4 * 1024 * 1024 })) {
      const text = Buffer.from(before + chunk, 'latin1').toString('utf8');
      if (isMarked(text)) found.push(name);
      before = String(chunk).slice(-500);
    }
  }
  return found;
};

it('nothing marked is left once the person is erased', async () => {
  const [admin, seller] = await Promise.all([signIn(call, demo, 'admin'), signIn(call, demo, 'hotelier')]);
  const [leaving, staying] = [await newTourist(call, admin, marks.name), await newTourist(call, admin, 'Yuri')];
  const { token } = leaving;
  const hotelId = await newHotel(call, seller);
  const roomId = await newRoom(call, seller, { hotelId });
  const stay = { type: 'hotel', item_id: roomId, check_in: day(20), check_out: day(22), guests: 2, notes: marks.note };
  const ok = async (request: string, body: object): Promise<string> => {
    const reply = await call(request, { token, headers: once(), body });
    expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
    return reply.body.id;
  };
  const bookingId = await ok('POST /api/v1/bookings/create', stay);
  const chatId = await ok('POST /api/v1/p2p-chats', { user_id: staying.id });
  await ok('POST /api/v1/messages', { thread_id: chatId, kind: 'text', body: marks.message });
  const ticketId = await ok('POST /api/v1/support/tickets', { subject: marks.topic, message: marks.post });

  const readers = { admin, seller, staying: staying.token, nobody: undefined };
  const ids = [leaving.id, bookingId, chatId, ticketId, hotelId];
  await until(
    async () => (await call(`GET /api/v1/messages/${chatId}`, { token: staying.token })).body.data.length > 0,
  );
  // The search finds what is there.
  for (const at of [`/api/v1/bookings/${bookingId}`, `/api/v1/messages/${chatId}`])
    expect(isMarked(JSON.stringify((await call(`GET ${at}`, { token })).body)), at).toBe(true);

  const gone = await call('DELETE /api/v1/me?settle=cancel', { token });
  expect(gone.body, JSON.stringify(gone.body)).toMatchObject({ status: 'erased' });
  const certificate = `GET /api/v1/erasures/${gone.body.certificate_id}`;
  await until(async () => (await call(certificate)).body.status === 'complete');
  expect(await shownBy(readers, ids)).toEqual([]);
  expect(await markedFiles()).toEqual([]);
  expect(isMarked(await (await fetch(`${runtime.metrics}/metrics`)).text())).toBe(false);
}, 120_000);
