/** Requests with an `Idempotency-Key`, on a real table: what is run, and as which command. */

import { randomUUID } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { endpoint } from '../../api/http/endpoint.ts';
import { toProblem } from '../../api/http/errors.ts';
import { idempotencyMigrations, type KeyedRequest, once } from '../../api/http/idempotency.ts';
import { route } from '../../api/http/route.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import { Contended, Rejected } from '../../domain/core/decider.ts';
import { keepPeriods } from '../../infra/retention.ts';
import { type StoreServers, type Stores, startStoreServers } from '../kit/stores.ts';

let servers: StoreServers;
let stores: Stores;
beforeAll(async () => {
  servers = await startStoreServers();
  stores = await servers.fresh();
});
afterAll(async () => {
  await stores.stop();
  await servers.stop();
});

const person = randomUUID();
const pay = (bookingId: string, changes: Partial<KeyedRequest> = {}): KeyedRequest => ({
  caller: person,
  person,
  key: 'the same key',
  operation: 'POST /payments/process',
  params: {},
  body: { booking_id: bookingId },
  ...changes,
});
/** The command that the request ran as; undefined when it ran nothing. */
const commandOf = async (request: KeyedRequest): Promise<string | undefined> => {
  let ran: string | undefined;
  await once(stores, request, async (commandId) => {
    ran = commandId;
    return { status: 200, reply: null, position: null };
  });
  return ran;
};
const aDayPasses = () => stores.pool.query(`update ops.idempotency_keys set created_at = now() - interval '25 hours'`);

it('a key that is used again after its day is another command for another request, and the same for the same', async () => {
  const first = await commandOf(pay('booking 1'));
  expect(await commandOf(pay('booking 1'))).toBeUndefined();
  for (const forget of [async () => undefined, () => keepPeriods(stores.pool, [idempotencyMigrations])])
    for (const [request, isSame] of [
      [pay('booking 2'), false],
      [pay('booking 1', { params: { id: 'payment 1' } }), false],
      [pay('booking 1', { operation: 'POST /payments/refund' }), false],
      [pay('booking 1'), true],
    ] as const) {
      await aDayPasses();
      await forget();
      const command = await commandOf(request);
      expect(command).toBeTypeOf('string');
      expect(command === first, JSON.stringify(request)).toBe(isSame);
    }
});

it('a key within its day is refused for another request', async () => {
  const key = randomUUID();
  await commandOf(pay('booking 1', { key }));
  await expect(commandOf(pay('booking 2', { key }))).rejects.toMatchObject({ code: 'key_reused' });
});

it('keys of two callers are two commands', async () => {
  const key = randomUUID();
  const commands = [
    await commandOf(pay('booking 1', { key })),
    await commandOf(pay('booking 1', { key, caller: 'b' })),
  ];
  expect(new Set(commands).size).toBe(2);
});

/** Asks the operation `POST /notes` that does this. @returns the status and the body of the answer */
const noteThat = (handle: (context: CommandContext) => Promise<object>) => {
  const note = route('POST /notes', {
    id: 'note',
    access: 'public',
    summary: 'Note',
    idempotent: true,
    reply: Type.Object({}),
    handle: async ({ context }) => handle(context),
  });
  const app = { ...stores, http: { checkReplies: false } };
  const problems = (error: unknown, requestId: string) => toProblem(error, requestId, []);
  const shared = { limits: { count: () => undefined }, guards: [], problems };
  const respond = endpoint(app as never, shared as never, { ...note, service: 'test' } as never);
  return async (headers: Record<string, string>) => {
    const ctx = {
      state: { requestId: randomUUID() },
      ip: '127.0.0.1',
      headers,
      get: (name: string) => headers[name] ?? '',
      set: () => undefined,
      params: {},
      query: {},
      status: 0,
      body: undefined,
    };
    await respond(ctx as never);
    return { status: ctx.status };
  };
};

it('is a first attempt without a key only: a command with a key may have been tried before', async () => {
  const contexts: CommandContext[] = [];
  const ask = noteThat(async (context) => {
    contexts.push(context);
    return {};
  });
  await ask({});
  await ask({ 'idempotency-key': randomUUID() });
  expect(contexts.map(({ isFirstAttempt }) => isFirstAttempt)).toEqual([true, undefined]);
});

it('a refusal that passes is not kept: the same request can succeed a moment later', async () => {
  const outcomes = [new Contended(), new Rejected('conflict', 'It is so.')];
  const ask = noteThat(async () => {
    throw outcomes.shift();
  });
  const key = { 'idempotency-key': randomUUID() };
  await expect(ask(key)).rejects.toThrow(Contended);
  expect([await ask(key), await ask(key)]).toEqual([{ status: 409 }, { status: 409 }]);
});
