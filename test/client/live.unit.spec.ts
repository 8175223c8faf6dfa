/** Channels of the client: connections, resumption, order, slow handlers, tokens. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Change, type ClientOptions, createClient, type Reset, SubscriptionEnded } from '../../client/index.ts';
import { CHANNEL, type FakeSocket, fakeHub } from './fakeHub.ts';
import { fakeServer, problem, reply } from './fakeServer.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

const E1 = 'epoch-1';
const E2 = 'epoch-2';
const SINCE = { epoch: E1, offset: 5 };
/** Lets promises settle; no time passes. */
const settle = () => vi.advanceTimersByTimeAsync(0);

type Hub = ReturnType<typeof fakeHub>;
const clientOf = (hub: Hub, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: 'https://resort.test', WebSocket: hub.WebSocket, token: () => 'token', ...options });

/** A client with one subscription, and what its handlers were given. */
const start = async (options: Partial<ClientOptions> = {}, slow?: () => Promise<void>) => {
  const hub = fakeHub();
  const client = clientOf(hub, options);
  const offsets: number[] = [];
  const resets: Reset[] = [];
  const told: unknown[] = [];
  const ends: SubscriptionEnded[] = [];
  const errors: unknown[] = [];
  const subscription = client.live.subscribe(CHANNEL as string, {
    onChange: (change: Change) => {
      offsets.push(change.offset);
      return slow?.();
    },
    onReset: (reset) => void resets.push(reset),
    onEphemeral: (message) => void told.push(message),
    onEnd: (reason) => void ends.push(reason),
    onError: (error) => void errors.push(error),
  });
  await settle();
  return { hub, client, subscription, offsets, resets, told, ends, errors };
};
/** The same, with the subscription started behind offset 5. */
const started = async (...options: Parameters<typeof start>) => {
  const client = await start(...options);
  client.hub.newest().ready();
  client.hub.newest().subscribed(E1, 5);
  await settle();
  return client;
};
/** Waits until the client has opened its next socket. */
const reconnected = async (hub: Hub, before = hub.sockets.length): Promise<FakeSocket> => {
  for (let waited = 0; hub.sockets.length === before && waited < 100; waited++) await vi.advanceTimersByTimeAsync(500);
  return hub.newest();
};
const subscribes = ({ sent }: FakeSocket) => sent.filter(({ type }) => type === 'subscribe');

describe('a connection', () => {
  it('is authenticated by its first frame, at the address of the platform', async () => {
    const { hub } = await started();
    expect(hub.newest().url).toBe('wss://resort.test/ws');
    expect(hub.newest().sent[0]).toEqual({ type: 'auth', token: 'token' });
    expect(subscribes(hub.newest())).toEqual([{ type: 'subscribe', channel: CHANNEL, id: expect.any(String) }]);
  });

  it('that is lost is opened again and resumes from the last change', async () => {
    const { hub, offsets, resets } = await started();
    hub.newest().change(E1, 6);
    hub.newest().change(E1, 7);
    hub.newest().end(1006);
    const socket = await reconnected(hub);
    socket.ready();
    expect(socket.last('subscribe')).toMatchObject({ channel: CHANNEL, since: { epoch: E1, offset: 7 } });
    socket.subscribed(E1, 7, true);
    socket.change(E1, 8);
    await settle();
    expect(offsets).toEqual([6, 7, 8]);
    expect(resets).toHaveLength(1);
  });

  it('moves within a second when the hub stops, at a random moment', async () => {
    const delays = new Set<number>();
    for (let n = 0; n < 5; n++) {
      const { hub, client } = await started();
      const at = Date.now();
      hub.newest().end(4000);
      await settle();
      while (hub.sockets.length === 1) await vi.advanceTimersByTimeAsync(10);
      delays.add(Date.now() - at);
      client.close();
    }
    expect(Math.max(...delays)).toBeLessThanOrEqual(1_010);
    expect(delays.size).toBeGreaterThan(1);
  });

  it('is tried again ever less often, up to a limit', async () => {
    const { hub } = await started({ longestWaitMs: 5_000 });
    const waits: number[] = [];
    for (let n = 0; n < 8; n++) {
      const at = Date.now();
      const before = hub.sockets.length;
      hub.newest().end(1006);
      while (hub.sockets.length === before) await vi.advanceTimersByTimeAsync(50);
      waits.push(Date.now() - at);
    }
    expect(waits[0]).toBeLessThan(500);
    expect(Math.max(...waits)).toBeLessThanOrEqual(5_050);
    expect(Math.min(...waits.slice(-3))).toBeGreaterThanOrEqual(2_500);
  });

  it('that is silent is asked for a sign of life, and replaced when none comes', async () => {
    const { hub } = await started();
    await vi.advanceTimersByTimeAsync(25_000);
    expect(hub.newest().last('ping').type).toBe('ping');
    hub.newest().frame({ type: 'pong' });
    await vi.advanceTimersByTimeAsync(25_000);
    expect(hub.sockets).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await reconnected(hub, 1)).sent).toEqual([]);
    expect(hub.sockets[0]?.closedWith).toBeDefined();
  });

  it('that does not become ready is given up', async () => {
    const { hub } = await start();
    hub.newest().open();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(hub.sockets[0]?.closedWith).toBeDefined();
    await reconnected(hub, 1);
  });

  it('that brings damaged frames is replaced', async () => {
    const { hub } = await started();
    const { newest } = hub;
    newest().frame({ toJSON: () => undefined });
    expect(newest().closedWith).toBeDefined();
    await reconnected(hub, 1);
  });

  it('is closed with its last subscription, and opened with the next', async () => {
    const { hub, client, subscription } = await started();
    subscription.close();
    expect(hub.newest().closedWith).toBe(1000);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(hub.sockets).toHaveLength(1);
    client.live.subscribe('provider_1', {});
    await settle();
    expect(hub.sockets).toHaveLength(2);
  });

  it.each([
    [4502, 'logged_out'],
    [4504, 'rate_limited'],
    [4505, 'frame_too_large'],
  ])('that is closed with %i is not opened again', async (code, name) => {
    const { hub, ends } = await started();
    hub.newest().end(code);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(hub.sockets).toHaveLength(1);
    expect(ends).toEqual([expect.any(SubscriptionEnded)]);
    expect(ends[0]?.code).toBe(name);
  });

  it('waits for places when the account has too many', async () => {
    const { hub, ends } = await started();
    hub.newest().end(4503);
    await vi.advanceTimersByTimeAsync(19_000);
    expect(hub.sockets).toHaveLength(1);
    await reconnected(hub, 1);
    expect(ends).toEqual([]);
  });
});

describe('a token', () => {
  const tokens = { access_token: 'old', refresh_token: 'refresh' };
  const issued = (access_token: string) => reply(200, { access_token, expires_in: 3_600 });
  const authorized = ({ sent }: FakeSocket) => sent.filter(({ type }) => type === 'auth').map(({ token }) => token);
  const startWith = (...answers: Parameters<typeof fakeServer>) => {
    const { fetch } = fakeServer(...answers);
    return start({ token: undefined, tokens, fetch } as Partial<ClientOptions>);
  };

  it('is replaced on the open connection before it expires', async () => {
    const { hub } = await startWith(issued('new'));
    hub.newest().ready(new Date(Date.now() + 600_000).toISOString());
    await vi.advanceTimersByTimeAsync(0);
    hub.newest().frame({ type: 'pong' });
    for (let minute = 0; minute < 9; minute++) {
      for (const half of [0, 1]) {
        await vi.advanceTimersByTimeAsync(half ? 30_000 : 20_000);
        hub.newest().frame({ type: 'pong' });
      }
      await vi.advanceTimersByTimeAsync(10_000);
    }
    const auths = hub.sockets.flatMap(authorized);
    expect(auths.at(-1)).toBe('new');
  });

  it.each([4003, 4501])('that is refused with %i is renewed, and the connection opened at once', async (code) => {
    const { hub, ends } = await startWith(issued('new'));
    hub.newest().open();
    hub.newest().end(code);
    await vi.advanceTimersByTimeAsync(1);
    expect(hub.sockets).toHaveLength(2);
    hub.newest().open();
    expect(authorized(hub.newest())).toEqual(['new']);
    expect(ends).toEqual([]);
  });

  it('that comes while another connection is opened is the one that it is opened with', async () => {
    let answer: (response: Response) => void = () => undefined;
    const { hub } = await startWith(() => new Promise((resolve) => (answer = resolve)));
    hub.newest().ready(new Date(Date.now() + 1_000).toISOString());
    for (let half = 0; half < 2; half++) {
      await vi.advanceTimersByTimeAsync(15_000);
      hub.newest().frame({ type: 'pong' });
    }
    hub.newest().end(1006);
    const socket = await reconnected(hub);
    answer(issued('new'));
    await settle();
    socket.open();
    expect(authorized(socket)).toEqual(['new']);
  });

  it('that stays refused ends the subscriptions', async () => {
    const { hub, ends } = await startWith(issued('new'), issued('newer'), issued('newest'));
    for (let n = 0; n < 3; n++) {
      hub.newest().end(4501);
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(ends[0]?.code).toBe('bad_token');
    expect(hub.sockets).toHaveLength(3);
  });

  it('that cannot be renewed ends them, too', async () => {
    const { hub, ends } = await startWith(problem(401, 'token_refused'));
    hub.newest().end(4501);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ends[0]?.code).toBe('bad_token');
  });

  it('is missing when nobody is signed in', async () => {
    const { hub, ends } = await start({ token: () => undefined });
    expect(hub.sockets).toEqual([]);
    expect(ends[0]?.code).toBe('not_signed_in');
  });

  it('of somebody else gets a connection of its own', async () => {
    const { hub } = await started();
    hub.newest().frame({ type: 'error', code: 'other_account', detail: '' });
    expect(hub.newest().closedWith).toBe(1000);
    await reconnected(hub, 1);
  });
});

describe('changes', () => {
  it('that come twice are handed over once', async () => {
    const { hub, offsets } = await started();
    for (const offset of [5, 6, 6, 7, 6, 8]) hub.newest().change(E1, offset);
    await settle();
    expect(offsets).toEqual([6, 7, 8]);
  });

  it('behind a gap are asked for again', async () => {
    const { hub, offsets, resets } = await started();
    hub.newest().change(E1, 6);
    hub.newest().change(E1, 9);
    const [unsubscribe, subscribe] = hub.newest().sent.slice(-2);
    expect(unsubscribe).toEqual({ type: 'unsubscribe', channel: CHANNEL });
    expect(subscribe).toMatchObject({ type: 'subscribe', since: { epoch: E1, offset: 6 } });
    // Still of the subscription that was left:
    hub.newest().change(E1, 10);
    hub.newest().frame({ type: 'subscribed', channel: CHANNEL, epoch: E1, offset: 10, recovered: false });
    hub.newest().frame({ type: 'unsubscribed', channel: CHANNEL, reason: 'asked' });
    hub.newest().subscribed(E1, 6, true);
    for (const offset of [7, 8, 9, 10]) hub.newest().change(E1, offset);
    await settle();
    expect(offsets).toEqual([6, 7, 8, 9, 10]);
    expect(resets).toHaveLength(1);
  });

  it('that the hub no longer has make the handlers read the state again', async () => {
    const { hub, offsets, resets, subscription } = await started();
    hub.newest().change(E1, 6);
    await settle();
    hub.newest().frame({ type: 'subscribed', channel: CHANNEL, epoch: E2, offset: 40, recovered: false });
    hub.newest().change(E1, 7); // of the epoch before
    hub.newest().subscribed(E2, 40);
    hub.newest().change(E2, 41);
    await settle();
    expect(resets.map(({ cursor }) => cursor)).toEqual([SINCE, { epoch: E2, offset: 40 }, { epoch: E2, offset: 40 }]);
    expect(resets.map(({ signal }) => signal.aborted)).toEqual([true, true, false]);
    expect(offsets).toEqual([6, 41]);
    expect(subscription.cursor).toEqual({ epoch: E2, offset: 41 });
  });

  it('go on from a stored cursor without reading the state', async () => {
    const hub = fakeHub();
    const resets: unknown[] = [];
    const subscription = clientOf(hub).live.subscribe(CHANNEL, {
      since: SINCE,
      onReset: (reset) => resets.push(reset),
    });
    await settle();
    hub.newest().ready();
    expect(hub.newest().last('subscribe')).toMatchObject({ since: SINCE });
    hub.newest().subscribed(E1, 5, true);
    hub.newest().change(E1, 6);
    await settle();
    expect(resets).toEqual([]);
    expect(subscription.cursor).toEqual({ epoch: E1, offset: 6 });
  });

  it('have no cursor until the state before them was read', async () => {
    const hub = fakeHub();
    const reads: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
    const subscription = clientOf(hub).live.subscribe(CHANNEL, {
      onReset: () => new Promise<void>((resolve, reject) => reads.push({ resolve, reject })),
      onError: () => undefined,
    });
    await settle();
    hub.newest().ready();
    hub.newest().subscribed(E1, 5);
    await settle();
    reads[0]?.reject(new Error('offline'));
    hub.newest().change(E1, 6);
    await settle();
    expect(subscription.cursor).toBeUndefined();
    hub.newest().subscribed(E2, 8);
    await settle();
    reads[1]?.resolve();
    await settle();
    expect(subscription.cursor).toEqual({ epoch: E2, offset: 8 });
    hub.newest().subscribed(E1, 9);
    await settle();
    subscription.close();
    reads[2]?.resolve();
    await settle();
    expect(subscription.cursor).toBeUndefined();
  });

  it('wait for a slow handler, in bounded number, and none is lost or repeated', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { hub, offsets, told } = await started({}, () => gate);
    const socket = hub.newest();
    for (let offset = 6; offset <= 2_005; offset++) socket.change(E1, offset);
    expect(offsets).toEqual([6]);
    expect(socket.sent.at(-1)).toEqual({ type: 'unsubscribe', channel: CHANNEL });
    socket.frame({ channel: CHANNEL, type: 'typing.started', from: '2', ts: '', data: {} });
    expect(told).toEqual([]); // not subscribed at the moment
    release();
    await settle();
    const since = socket.last('subscribe').since as { offset: number };
    expect(since).toEqual({ epoch: E1, offset: 1_006 });
    socket.subscribed(E1, since.offset, true);
    for (let offset = since.offset + 1; offset <= 2_005; offset++) socket.change(E1, offset);
    await settle();
    expect(offsets).toEqual(Array.from({ length: 2_000 }, (_, index) => index + 6));
  });

  it('go on after a handler has thrown', async () => {
    const hub = fakeHub();
    const seen: number[] = [];
    const errors: unknown[] = [];
    clientOf(hub).live.subscribe(CHANNEL as string, {
      since: SINCE,
      onChange: ({ offset }) => {
        seen.push(offset);
        if (offset === 6) throw new Error('broken');
        return offset === 7 ? Promise.reject(new Error('rejected')) : undefined;
      },
      onError: (error) => errors.push(error),
    });
    await settle();
    hub.newest().ready();
    hub.newest().subscribed(E1, 5, true);
    for (const offset of [6, 7, 8]) hub.newest().change(E1, offset);
    await settle();
    expect(seen).toEqual([6, 7, 8]);
    expect(errors).toEqual([new Error('broken'), new Error('rejected')]);
  });
});

describe('a subscription', () => {
  it('ends when the hub refuses it, or the access ends', async () => {
    const first = await start();
    first.hub.newest().ready();
    const { id } = first.hub.newest().last('subscribe');
    first.hub.newest().frame({ type: 'error', code: 'forbidden', detail: 'No.', id });
    expect(first.ends[0]).toMatchObject({ code: 'forbidden', message: 'No.' });
    const second = await started();
    second.hub.newest().frame({ type: 'unsubscribed', channel: CHANNEL, reason: 'forbidden' });
    expect(second.ends[0]).toMatchObject({ code: 'forbidden' });
    second.hub.newest().change(E1, 6);
    await settle();
    expect(second.offsets).toEqual([]);
  });

  it('that is closed ends at the hub, too, and can be made again', async () => {
    const { hub, client, subscription, offsets } = await started();
    client.live.subscribe('provider_1', {});
    subscription.close();
    expect(hub.newest().last('unsubscribe')).toEqual({ type: 'unsubscribe', channel: CHANNEL });
    const again: number[] = [];
    client.live.subscribe(CHANNEL as string, { onChange: ({ offset }) => again.push(offset) });
    hub.newest().change(E1, 6); // still of the subscription of before
    hub.newest().frame({ type: 'unsubscribed', channel: CHANNEL, reason: 'asked' });
    hub.newest().subscribed(E1, 6);
    hub.newest().change(E1, 7);
    await settle();
    expect([offsets, again]).toEqual([[], [7]]);
    expect(hub.sockets).toHaveLength(1);
  });

  it('can be closed while there is no connection yet, and made again', async () => {
    const { hub, client, subscription } = await start();
    client.live.subscribe('provider_1', {});
    subscription.close();
    client.live.subscribe(CHANNEL, {});
    hub.newest().ready();
    expect(subscribes(hub.newest()).map(({ channel }) => channel)).toEqual(['provider_1', CHANNEL]);
  });

  it('ends when there is no such address', async () => {
    const WebSocket = class {
      constructor() {
        throw new SyntaxError('not an address');
      }
    } as never;
    const { ends } = await start({ WebSocket });
    expect(ends[0]).toMatchObject({ code: 'failed', message: 'SyntaxError: not an address' });
  });

  it('is one for each channel', async () => {
    const { client } = await started();
    expect(() => client.live.subscribe(CHANNEL, {})).toThrow('share it');
  });

  it('needs a WebSocket', () => {
    vi.stubGlobal('WebSocket', undefined);
    const { live } = createClient({ baseUrl: 'https://resort.test' });
    expect(() => live.subscribe(CHANNEL, {})).toThrow('`ws`');
    vi.unstubAllGlobals();
  });

  it('gets ephemeral messages at once, and publishes some', async () => {
    const { hub, told, subscription, errors } = await start();
    const publish = subscription.publish as (type: string, data: object) => boolean;
    expect(publish('typing.started', {})).toBe(false);
    hub.newest().ready();
    hub.newest().subscribed(E1, 0);
    const message = { channel: CHANNEL, type: 'typing.started', from: '2', ts: '', data: {} };
    hub.newest().frame(message);
    expect(told).toEqual([message]);
    const sent = Array.from({ length: 60 }, () => publish('typing.started', {})).filter(Boolean);
    expect(sent).toHaveLength(50);
    const published = hub.newest().last('publish');
    expect(published).toMatchObject({ channel: CHANNEL, event: 'typing.started', data: {} });
    hub.newest().frame({ type: 'error', code: 'not_publishable', detail: 'No.', id: published.id });
    expect(errors).toEqual([expect.objectContaining({ code: 'not_publishable' })]);
  });
});
