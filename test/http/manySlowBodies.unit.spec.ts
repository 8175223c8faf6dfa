/** Hundreds of slow bodies from one address, over real connections: others are answered meanwhile. */
import { connect, type Socket } from 'node:net';
import { Type } from '@sinclair/typebox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { route } from '../../api/http/route.ts';
import { type ServedModules, serveModules } from '../kit/servedModules.ts';
import { until } from '../kit/until.ts';

const answers = {
  summary: 'Answer',
  body: Type.Object({ name: Type.Optional(Type.String()) }),
  reply: Type.Object({ done: Type.Boolean() }),
  handle: () => ({ done: true }),
};
const modules = [
  {
    service: 'platform',
    routes: [
      route('POST /auth/login', { ...answers, id: 'signIn', access: 'public' }),
      route('PUT /api/v1/users/me', { ...answers, id: 'change', access: 'user' }),
      route('POST /api/v1/sos/request', { ...answers, id: 'sos', access: 'emergency' }),
    ],
  },
] as const;

let served: ServedModules;
const open: Socket[] = [];
beforeAll(async () => {
  served = await serveModules(modules, {
    authenticateUser: async (id: string) => ({ kind: 'user', id, role: 'tourist' }),
    health: async () => 'ok',
  });
});
afterAll(() => {
  for (const socket of open) socket.destroy();
  served.stop();
});

const BEGUN = '{"name":"Anna"';
const BYTES = 2_000;
/** Begins a body. @param account undefined: nobody is signed in */
const begin = (account?: string) => {
  const socket = connect({ host: '127.0.0.1', port: served.port });
  open.push(socket);
  let answer = '';
  socket.on('data', (data) => {
    answer += String(data);
  });
  socket.on('error', () => undefined);
  const head = [
    `${account ? 'PUT /api/v1/users/me' : 'POST /auth/login'} HTTP/1.1`,
    'host: x',
    ...(account ? [`authorization: Bearer ${account}`] : []),
    'content-type: application/json',
    `content-length: ${BYTES}`,
  ];
  socket.write([...head, '', BEGUN].join('\r\n'));
  return {
    answer: () => answer,
    status: () => Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1] ?? 0),
    end: () => void socket.write('}'.padEnd(BYTES - BEGUN.length)),
  };
};

/** The statuses of a sign-in, health and a call for help. */
const askForOthers = () => {
  const post = {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer boris' },
    body: '{}',
  };
  const asked = [
    ['/auth/login', post],
    ['/health', {}],
    ['/api/v1/sos/request', post],
  ] as const;
  return Promise.all(
    asked.map(async ([path, init]) => {
      const signal = AbortSignal.timeout(2_000);
      return (await fetch(served.origin + path, { ...init, signal })).status;
    }),
  );
};

it('few may go on, others are answered, and who is slow without malice is served', async () => {
  const phone = begin('phone');
  const ofAccounts = Array.from({ length: 420 }, (_, n) => begin(`account-${n % 7}`));
  const ofNobody = Array.from({ length: 100 }, () => begin());
  const flood = [...ofAccounts, ...ofNobody];
  const refused = () => flood.filter(({ status }) => status() === 408).length;
  // Four of each account may go on, and 20 of those whom nobody knows.
  await until(() => refused() === 520 - 28 - 20);
  expect(flood.find(({ status }) => status() === 408)?.answer()).toMatch(/connection: close.*"code":"too_slow"/is);
  expect(await askForOthers()).toEqual([200, 200, 200]);
  expect(phone.status()).toBe(0);
  phone.end();
  await until(() => phone.status() === 200);
  expect(refused()).toBe(520 - 28 - 20);
});
