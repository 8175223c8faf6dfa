/** Requests with an `Idempotency-Key`, on a real table: what is run, and as which command. */

import { createHash, randomUUID } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { beforeAll, expect, it } from 'vitest';
import { endpoint } from '../../api/http/endpoint.ts';
import { toProblem } from '../../api/http/errors.ts';
import { idempotencyMigrations, type KeyedRequest, once } from '../../api/http/idempotency.ts';
import { type RequestFacts, route } from '../../api/http/route.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import { Contended, Rejected } from '../../domain/core/decider.ts';
import { encryptText } from '../../eventstore/vault.ts';
import { derivedId } from '../../infra/ids.ts';
import { keepPeriods } from '../../infra/retention.ts';
import { freshStores, type Stores } from '../kit/stores.ts';

let stores: Stores;
beforeAll(async () => {
  stores = await freshStores();
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
    return { status: 200, reply: null, position: null, etag: null };
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

const fails = (request: KeyedRequest): Promise<string> => {
  let ran = '';
  return once(stores, request, async (commandId) => {
    ran = commandId;
    throw new Contended();
  }).then(
    () => expect.unreachable(),
    () => ran,
  );
};

it('a body that means the same is the same request, however it is spelled', async () => {
  const body = { from: { lat: 43.5, name: 'Rosa Khutor', tags: ['a', 'b'] }, guests: 2 };
  const spelled = JSON.parse(
    '{"guests":2e0,"from":{"tags":["a","b"],"name":"Rosa\\u0020Khutor","lat":43.50}}',
  ) as typeof body;
  const key = randomUUID();
  expect(await commandOf(pay('', { key, body }))).toBeTypeOf('string');
  expect(await commandOf(pay('', { key, body: spelled }))).toBeUndefined();
  for (const other of [
    { ...body, guests: 3 },
    { ...body, from: { ...body.from, tags: ['b', 'a'] } },
  ])
    await expect(commandOf(pay('', { key, body: other }))).rejects.toMatchObject({ code: 'key_reused' });
  await expect(commandOf(pay('', { key, body, query: { settle: 'cancel' } }))).rejects.toMatchObject({
    code: 'key_reused',
  });
});

it('a request that failed goes on as the same command, however it is spelled, and keeps its key', async () => {
  const key = randomUUID();
  const failed = await fails(pay('', { key, body: { a: 1, b: 2 } }));
  expect(await fails(pay('', { key, body: { b: 2, a: 1 } }))).toBe(failed);
  await expect(commandOf(pay('', { key, body: { a: 1, b: 3 } }))).rejects.toMatchObject({ code: 'key_reused' });
  expect(await commandOf(pay('', { key, body: { b: 2, a: 1 } }))).toBe(failed);
});

it('the command of a key is the one that earlier releases made of it, and a secret is in no plain hash', async () => {
  const request = pay('booking 1', { key: randomUUID() });
  const former = derivedId('idempotency', person, request.key, formerHashOf(request));
  expect(await commandOf(request)).toBe(former);
  await aDayPasses();
  expect(await commandOf({ ...request, isSecret: true })).not.toBe(former);
});

const formerHashOf = ({ operation, params, body }: KeyedRequest) =>
  createHash('sha256')
    .update(JSON.stringify([operation, params, body]))
    .digest('hex');
/** A row as earlier releases wrote it. @param status of its answer; null: it was cut off */
const formerRow = async (request: KeyedRequest, status: number | null): Promise<void> => {
  const sealed = encryptText(await stores.vault.keyToWrite(person), JSON.stringify({ paid: true }), request.key);
  await stores.pool.query(
    `insert into ops.idempotency_keys (caller, key, request_hash, locked_until, status, reply)
     values ($1, $2, $3, now() - interval '1 second', $4, $5)`,
    [request.caller, request.key, formerHashOf(request), status, status && JSON.stringify(sealed)],
  );
};

it('keys of an earlier release are known: an answer is replayed, and what was cut off goes on', async () => {
  const answered = pay('booking 1', { key: randomUUID() });
  await formerRow(answered, 201);
  expect(await once(stores, answered, async () => expect.unreachable())).toMatchObject({
    status: 201,
    reply: { paid: true },
    replayed: true,
  });
  await expect(commandOf({ ...answered, body: { booking_id: 'booking 2' } })).rejects.toMatchObject({
    code: 'key_reused',
  });

  const cutOff = pay('booking 1', { key: randomUUID() });
  await formerRow(cutOff, null);
  expect(await commandOf(cutOff)).toBe(derivedId('idempotency', person, cutOff.key, formerHashOf(cutOff)));
  expect(await commandOf(cutOff)).toBeUndefined();
});

it('a form is compared by what came with it', async () => {
  const key = randomUUID();
  const upload = (digest: string) =>
    once(stores, pay('', { key, body: undefined, digest: async () => digest }), async () => ({
      ...{ status: 201, reply: { id: digest }, position: null, etag: null },
      received: digest,
    }));
  expect(await upload('picture 1')).toMatchObject({ reply: { id: 'picture 1' }, replayed: false });
  expect(await upload('picture 1')).toMatchObject({ reply: { id: 'picture 1' }, replayed: true });
  await expect(upload('picture 2')).rejects.toMatchObject({ code: 'key_reused' });
});

/** Asks the operation `POST /notes` that does this. @returns the status and the body of the answer */
const noteThat = (handle: (context: CommandContext, request: RequestFacts) => Promise<object>) => {
  const note = route('POST /notes', {
    id: 'note',
    access: 'user',
    summary: 'Note',
    reply: Type.Object({}),
    handle: async ({ context, request }) => handle(context, request),
  });
  const authenticateUser = async () => ({ kind: 'user', id: person, provedAt: Date.now() });
  const app = { ...stores, authenticateUser, http: { checkReplies: false } };
  const problems = (error: unknown, requestId: string) => toProblem(error, requestId, []);
  const shared = { limits: { count: () => undefined }, guards: [], problems };
  const respond = endpoint(app as never, shared as never, { ...note, service: 'test' } as never);
  return async (sent: Record<string, string>) => {
    const headers: Record<string, string> = { ...sent, authorization: 'Bearer token' };
    const etags: Record<string, string> = {};
    const ctx = {
      state: { requestId: randomUUID() },
      ip: '127.0.0.1',
      headers,
      get: (name: string) => headers[name] ?? '',
      set: (name: string, value: string) => {
        etags[name] = value;
      },
      res: { setHeader: (name: string, value: string) => ctx.set(name, value) },
      response: { get: (name: string) => etags[name] ?? '' },
      query: {},
      querystring: '',
      status: 0,
      body: undefined,
    };
    await respond(ctx as never, {});
    return { status: ctx.status, ...(etags.etag !== undefined && { etag: etags.etag }) };
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
  const outcomes = [
    new Contended(),
    new Rejected('fresh_proof_required', 'Confirm that it is you.'),
    new Rejected('conflict', 'It is so.'),
  ];
  const ask = noteThat(async () => {
    throw outcomes.shift();
  });
  const key = { 'idempotency-key': randomUUID() };
  await expect(ask(key)).rejects.toThrow(Contended);
  await expect(ask(key)).rejects.toThrow('Confirm');
  expect([await ask(key), await ask(key)]).toEqual([{ status: 409 }, { status: 409 }]);
});

it('a replayed answer has the ETag of the first, so that the client can go on from it', async () => {
  const ask = noteThat(async (_, { setHeader }) => {
    setHeader('etag', '"7-"');
    return {};
  });
  const key = { 'idempotency-key': randomUUID() };
  expect([await ask(key), await ask(key)]).toEqual([
    { status: 200, etag: '"7-"' },
    { status: 200, etag: '"7-"' },
  ]);
});
