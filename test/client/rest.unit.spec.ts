/** Calls of the client: what is sent, what is repeated, and how tokens are renewed. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, type ClientOptions, createClient, NoAnswer, type Tokens } from '../../client/index.ts';
import { fakeServer, problem, reply } from './fakeServer.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

const network = () => new TypeError('fetch failed');
type Server = ReturnType<typeof fakeServer>;
const clientOf = (server: Server, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: 'https://resort.test/', fetch: server.fetch, token: () => 'token', ...options });

/** What a call comes to, once all waits of the client are over. */
const outcome = async <T>(call: Promise<T>): Promise<T | Error> => {
  const settled = call.catch((error: Error) => error);
  await vi.advanceTimersByTimeAsync(120_000);
  return settled;
};

const tableBooking = { id: 'r/1', slot_start: '2026-12-01T18:00:00Z', guests: 2 };

describe('a request', () => {
  it('has the fields of the input where the operation expects them', async () => {
    const server = fakeServer(reply(201, { id: 'b' }), reply(200, { data: [] }));
    const client = clientOf(server);
    expect(await client.bookTable(tableBooking)).toEqual({ id: 'b' });
    await client.listOwnBookings({ status: 'paid', page: 2 });
    const [post, get] = server.asked;
    expect(post).toMatchObject({
      method: 'POST',
      url: 'https://resort.test/api/v1/restaurants/r%2F1/table-bookings',
      body: { slot_start: tableBooking.slot_start, guests: 2 },
    });
    expect(post?.headers.get('authorization')).toBe('Bearer token');
    expect(post?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
    expect(get).toMatchObject({ url: 'https://resort.test/api/v1/bookings/me?page=2&status=paid', body: undefined });
    expect(get?.headers.get('idempotency-key')).toBeNull();
  });

  it('is not sent without a path parameter', async () => {
    const server = fakeServer();
    await expect(clientOf(server).getBooking({ id: '' })).rejects.toThrow('id is required');
    expect(server.asked).toEqual([]);
  });

  it('uses the API key where the operation takes one', async () => {
    const server = fakeServer(reply(200, { data: [] }), reply(200, {}));
    const client = clientOf(server, { apiKey: 'key' });
    await client.searchAuditEvents();
    await client.getCurrentUser();
    expect(server.asked.map(({ headers }) => [headers.get('x-api-key'), headers.get('authorization')])).toEqual([
      ['key', null],
      [null, 'Bearer token'],
    ]);
  });

  it('reads what this client wrote, whichever server answers', async () => {
    const list = () => reply(200, { data: [] });
    const at = (position: string) => reply(201, { id: 'b' }, { 'x-event-position': position });
    const server = fakeServer(at('10/10'), at('9/9'), ...[list(), list()], ...[at('3/3'), list()]);
    const client = clientOf(server);
    await client.bookTable(tableBooking);
    await client.bookTable(tableBooking);
    await client.listOwnBookings();
    vi.setSystemTime(Date.now() + 60_000);
    await client.listOwnBookings();
    await client.bookTable(tableBooking); // in another log, after a move
    await client.listOwnBookings();
    expect(server.asked.map(({ headers }) => headers.get('x-min-position'))).toEqual([
      ...[null, null, '10/10', null],
      ...[null, '3/3'],
    ]);
  });
});

describe('a call that fails', () => {
  it('is repeated with the same key after a lost connection, 503, and while the first attempt runs', async () => {
    const server = fakeServer(
      network(),
      problem(503, 'unavailable', { 'retry-after': '2' }),
      problem(409, 'in_flight', { 'retry-after': '1' }),
      reply(201, { id: 'b' }),
    );
    expect(await outcome(clientOf(server).bookTable(tableBooking))).toEqual({ id: 'b' });
    expect(new Set(server.asked.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    expect(server.asked).toHaveLength(4);
  });

  it('waits as long as the server asks', async () => {
    const server = fakeServer(problem(503, 'unavailable', { 'retry-after': '5' }), reply(200, {}));
    const call = clientOf(server).getCurrentUser();
    await vi.advanceTimersByTimeAsync(4_900);
    expect(server.asked).toHaveLength(1);
    expect(await outcome(call)).toEqual({});
  });

  it('is given up after some attempts, and when the wait would be long', async () => {
    const away = fakeServer(...Array.from({ length: 5 }, network));
    expect(await outcome(clientOf(away).getCurrentUser())).toBeInstanceOf(NoAnswer);
    expect(away.asked).toHaveLength(5);
    const busy = fakeServer(problem(503, 'unavailable', { 'retry-after': '60' }));
    expect(await outcome(clientOf(busy).getCurrentUser())).toMatchObject({ status: 503, retryAfter: 60 });
  });

  it('is not repeated when that could do something twice', async () => {
    const server = fakeServer(network());
    expect(await outcome(clientOf(server).signIn({ identifier: 'a', password: 'b' }))).toBeInstanceOf(NoAnswer);
    expect(server.asked).toHaveLength(1);
  });

  it('has the problem document of the server, or says what a proxy answered', async () => {
    const server = fakeServer(problem(422, 'validation_failed'), new Response('<h1>no</h1>', { status: 418 }));
    const client = clientOf(server);
    const refused = await outcome(client.bookTable(tableBooking));
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ status: 422, code: 'validation_failed', message: 'It is validation_failed.' });
    expect(await outcome(client.getCurrentUser())).toMatchObject({ status: 418, code: 'http_418' });
  });

  it('may take 30 seconds, an upload ten minutes, or as long as the application says', async () => {
    const limits = vi.spyOn(AbortSignal, 'timeout');
    const answers = () => fakeServer(reply(200, {}), reply(201, { id: 'a' }), reply(201, { id: 'a' }));
    const upload = { folder: 'chat', file: new File(['video'], 'run.mp4') } as const;
    for (const client of [clientOf(answers()), clientOf(answers(), { timeoutMs: 60_000 })]) {
      await client.getCurrentUser();
      await client.uploadAttachment(upload);
      await client.uploadAttachment(upload, { timeoutMs: 5_000 });
    }
    expect(limits.mock.calls.flat()).toEqual([30_000, 600_000, 5_000, 60_000, 60_000, 5_000]);
    limits.mockRestore();
  });

  it('ends at its time limit, and when its caller ends it', async () => {
    const silent = (_: unknown, signal: AbortSignal) =>
      new Promise<Response>((_resolve, reject) => {
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const client = clientOf(fakeServer(silent, silent));
    await expect(client.signIn({ identifier: 'a', password: 'b' }, { timeoutMs: 5 })).rejects.toBeInstanceOf(NoAnswer);
    const stopping = new AbortController();
    const call = client.getCurrentUser({}, { signal: stopping.signal });
    stopping.abort(new Error('left the page'));
    await expect(call).rejects.toThrow('left the page');
  });
});

describe('tokens', () => {
  const tokens: Tokens = { access_token: 'old', refresh_token: 'refresh' };
  const issued = (access_token: string) => reply(200, { access_token, token_type: 'bearer', expires_in: 3_600 });
  const signedIn = (server: Server) => {
    const stored: (Tokens | undefined)[] = [];
    const onTokens = (next: Tokens | undefined) => stored.push(next);
    return { stored, client: createClient({ baseUrl: 'https://resort.test', fetch: server.fetch, tokens, onTokens }) };
  };
  const sentTokens = ({ asked }: Server) => asked.map(({ headers }) => headers.get('authorization'));

  it('are renewed once for all calls that are refused meanwhile', async () => {
    const refuse = () => problem(401, 'unauthenticated');
    const server = fakeServer(refuse, refuse, refuse, issued('new'), reply(200, 1), reply(200, 2), reply(200, 3));
    const { client, stored } = signedIn(server);
    expect(await Promise.all([client.getCurrentUser(), client.listOwnTrips(), client.listOwnPayments()])).toEqual([
      1, 2, 3,
    ]);
    expect(server.asked.filter(({ url }) => url.endsWith('/auth/refresh'))).toHaveLength(1);
    expect(sentTokens(server).slice(-3)).toEqual(Array(3).fill('Bearer new'));
    expect(stored).toEqual([{ access_token: 'new', refresh_token: 'refresh' }]);
  });

  it('are renewed for what needs them only for a part, not for a wrong password', async () => {
    const server = fakeServer(
      ...[problem(401, 'unauthenticated'), issued('new'), reply(200, 1)],
      problem(401, 'wrong_credentials'),
    );
    const { client } = signedIn(server);
    const quote = { tariff_id: 'adult', valid_from: '2026-12-20', quantity: 1, promo: 'SNOW' } as never;
    expect(await client.quotePasses(quote)).toBe(1);
    expect(sentTokens(server).at(-1)).toBe('Bearer new');
    await expect(client.signIn({ identifier: 'a', password: 'b' })).rejects.toMatchObject({ status: 401 });
    expect(server.asked).toHaveLength(4);
  });

  it('that are refused end the session', async () => {
    const server = fakeServer(problem(401, 'unauthenticated'), problem(401, 'token_refused'));
    const { client, stored } = signedIn(server);
    await expect(client.getCurrentUser()).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(stored).toEqual([undefined]);
  });

  it('stay when the server cannot renew them now', async () => {
    const server = fakeServer(problem(401, 'unauthenticated'), ...Array.from({ length: 5 }, network));
    const { client, stored } = signedIn(server);
    expect(await outcome(client.getCurrentUser())).toBeInstanceOf(NoAnswer);
    expect(stored).toEqual([]);
  });

  it('of a sign-in are used from then on, renewed before they expire, and gone after a sign-out', async () => {
    const server = fakeServer(
      reply(200, { access_token: 'first', refresh_token: 'mine', expires_in: 3_600 }),
      reply(200, {}),
      issued('second'),
      reply(200, {}),
      reply(204),
    );
    const { client, stored } = signedIn(server);
    await client.signIn({ identifier: 'a', password: 'b' });
    await client.getCurrentUser();
    vi.setSystemTime(Date.now() + 3_590_000);
    await client.getCurrentUser();
    await client.signOut({ scope: 'session' });
    expect(sentTokens(server).filter((_, index) => index !== 2)).toEqual([
      'Bearer old',
      'Bearer first',
      'Bearer second',
      'Bearer second',
    ]);
    expect(server.asked[2]).toMatchObject({ url: 'https://resort.test/auth/refresh', body: { refresh_token: 'mine' } });
    expect(stored.map((each) => each?.access_token)).toEqual(['first', 'second', undefined]);
  });
});
