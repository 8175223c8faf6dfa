/** What bodies cannot do to others, through the real processes: with every reader stuck, and with hundreds of slow ones. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { caller, newTourist, signIn } from '../kit/http.ts';
import { quickest } from '../kit/quickest.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';
import { photo } from './samples.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
let tokens: string[];
let picture: Buffer;
beforeAll(async () => {
  picture = await photo(60, 40);
  const admin = await signIn(call, demo, 'admin');
  tokens = [];
  for (let n = 0; n < 8; n += 1) tokens.push((await newTourist(call, admin, 'Slow')).token);
});
const open: Socket[] = [];
afterAll(() => closeAll());

const upload = async (token: string): Promise<number> => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(picture)]), 'a.jpg');
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${runtime.api}/api/v1/attachments/upload?folder=chat`, { method: 'POST', headers, body: form }))
    .status;
};

/** Processes of the API that read uploads. */
const readers = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const isOfApi = readFileSync(`/proc/${pid}/status`, 'utf8').includes(`PPid:\t${runtime.pids.api}\n`);
        return isOfApi && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('files/reader/main');
      } catch {
        return false; // it has just ended
      }
    })
    .map(Number);

/** Health, a call for help and a sign-in. @returns their statuses, and how long the first two took together, in ms */
const askForOthers = async () => {
  const began = performance.now();
  const health = await call('GET /health');
  const alarm = await call('POST /api/v1/sos/request', { token: tokens[0] as string, body: {} });
  const ms = performance.now() - began;
  const { email } = demo.accounts.tourist2;
  const login = await call('POST /auth/login', { body: { identifier: email, password: demo.password } });
  return { ms, statuses: [health.status, Math.floor(alarm.status / 100), login.status] };
};

/** They are answered. @returns how long it took, in ms */
const msOfOthers = async (): Promise<number> => {
  const { ms, statuses } = await askForOthers();
  expect(statuses).toEqual([200, 2, 200]);
  return ms;
};
/** The API ends a reader that is stuck for too long by itself. */
const killIfThere = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

it.runIf(process.platform === 'linux')(
  'with every reader stuck, health and SOS answer; killed ones are replaced',
  async () => {
    const [anna, boris] = tokens as [string, string];
    await until(async () => {
      await Promise.all([upload(anna), upload(boris)]);
      return readers().length === 2;
    });
    const stuck = readers();
    for (const pid of stuck) process.kill(pid, 'SIGSTOP');
    const waiting = [upload(anna), upload(boris)];
    expect(await quickest(2_000, msOfOthers)).toBeLessThan(2_000);
    for (const pid of stuck) killIfThere(pid);
    expect((await Promise.all(waiting)).every((status) => status === 422 || status === 201)).toBe(true);
    expect(await upload(anna)).toBe(201);
  },
);

/** Begins a request. @returns the status once there is one, and what sends more of the body */
const begin = (path: string, headers: readonly string[], body: string) => {
  const { hostname, port } = new URL(runtime.api);
  const socket = connect({ host: hostname, port: Number(port) });
  open.push(socket);
  let answer = '';
  socket.on('data', (data) => {
    answer += String(data);
  });
  socket.on('error', () => undefined);
  socket.write([`${path} HTTP/1.1`, 'host: x', ...headers, '', body].join('\r\n'));
  return {
    status: () => Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1] ?? 0),
    send: (more: string) => void socket.write(more),
  };
};
const closeAll = () => {
  for (const socket of open.splice(0)) socket.destroy();
};

/** Begins an upload and sends a byte of its file. */
const slowUpload = (token: string) => {
  const boundary = randomUUID();
  return begin(
    'POST /api/v1/attachments/upload?folder=chat',
    [
      `authorization: Bearer ${token}`,
      `content-type: multipart/form-data; boundary=${boundary}`,
      'content-length: 900000',
    ],
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nx`,
  );
};

it('hundreds of slow uploads from some accounts keep no other request from being answered', async () => {
  const answers = Array.from({ length: 405 }, (_, n) => slowUpload(tokens[n % 5] as string));
  const refused = () => answers.filter(({ status }) => status() === 429 || status() === 503).length;
  // Four of each account may go on.
  await until(() => refused() >= 405 - 20);
  const { statuses } = await askForOthers();
  expect(statuses).toEqual([200, 2, 200]);
  closeAll();
  await until(async () => (await upload(tokens[0] as string)) === 201);
});

const BEGUN = '{"first_name":"Slow"';
/** Begins a body of 2 KB. @param token undefined: nobody is signed in */
const slowJson = (token: string | undefined) =>
  begin(
    token ? 'PUT /api/v1/users/me' : 'POST /auth/login',
    [...(token ? [`authorization: Bearer ${token}`] : []), 'content-type: application/json', 'content-length: 2000'],
    BEGUN,
  );

it('hundreds of slow JSON bodies keep no other request from being answered, and slow phones are served', async () => {
  const phone = slowJson(tokens[7]);
  const ofAccounts = Array.from({ length: 420 }, (_, n) => slowJson(tokens[n % 7]));
  const ofNobody = Array.from({ length: 100 }, () => slowJson(undefined));
  expect((await askForOthers()).statuses).toEqual([200, 2, 200]);
  const refused = () => [...ofAccounts, ...ofNobody].map(({ status }) => status()).filter((status) => status !== 0);
  // Four of each account may go on, and 20 of those whom nobody knows.
  await until(() => refused().length >= 520 - 28 - 20);
  // A server that is too busy to see at once who asks has no place for some of them.
  expect(refused().filter((status) => status !== 408 && status !== 503)).toEqual([]);
  expect(phone.status()).toBe(0);
  expect(await quickest(2_000, msOfOthers)).toBeLessThan(2_000);
  phone.send('}'.padEnd(2_000 - BEGUN.length));
  await until(() => phone.status() !== 0);
  expect(phone.status()).toBe(200);
  closeAll();
});
