/** The connection of the client: when it is opened, replaced and given up, and its tokens. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ClientOptions, SubscriptionEnded } from '../../client/index.ts';
import { CHANNEL, type FakeSocket } from './fakeHub.ts';
import { fakeServer, problem, reply } from './fakeServer.ts';
import { E1, type Hub, reconnected, settle, start, started, subscribes } from './liveStage.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

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

  it.each([
    ['stops', 4000],
    ['is killed', 1006],
  ])('moves within a second when the hub %s, at a random moment', async (_, code) => {
    const delays: number[] = [];
    for (let n = 0; n < 20; n++) {
      const { hub, client } = await started();
      const at = Date.now();
      hub.newest().end(code);
      await settle();
      while (hub.sockets.length === 1) await vi.advanceTimersByTimeAsync(10);
      delays.push(Date.now() - at);
      client.close();
    }
    expect(Math.max(...delays)).toBeLessThanOrEqual(1_010);
    expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(300);
  });

  /** How long the client waits, each time that this happens to its newest socket. */
  const waitsAfter = async (hub: Hub, times: number, happens: (socket: FakeSocket) => void): Promise<number[]> => {
    const waits: number[] = [];
    for (let n = 0; n < times; n++) {
      const at = Date.now();
      const before = hub.sockets.length;
      happens(hub.newest());
      while (hub.sockets.length === before) await vi.advanceTimersByTimeAsync(50);
      waits.push(Date.now() - at);
    }
    return waits;
  };

  it('is tried again ever less often, up to a limit', async () => {
    const { hub } = await started({ longestWaitMs: 5_000 });
    const waits = await waitsAfter(hub, 8, (socket) => socket.end(1006));
    expect(waits[0]).toBeLessThanOrEqual(1_050);
    expect(Math.max(...waits)).toBeLessThanOrEqual(5_050);
    expect(Math.min(...waits.slice(-3))).toBeGreaterThanOrEqual(2_500);
  });

  it.each([4001, 4002, 4004])('is tried again ever less often when the hub closes each with %i', async (code) => {
    const { hub } = await start({ longestWaitMs: 5_000 });
    const waits = await waitsAfter(hub, 8, (socket) => {
      socket.ready();
      socket.end(code);
    });
    expect(Math.min(...waits.slice(-3))).toBeGreaterThanOrEqual(2_500);
    hub.newest().ready();
    await vi.advanceTimersByTimeAsync(10_000);
    const [wait] = await waitsAfter(hub, 1, (socket) => socket.end(code));
    expect(wait).toBeLessThanOrEqual(1_050);
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
    [4505, 'frame_too_large'],
  ])('that is closed with %i is not opened again', async (code, name) => {
    const { hub, ends } = await started();
    hub.newest().end(code);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(hub.sockets).toHaveLength(1);
    expect(ends).toEqual([expect.any(SubscriptionEnded)]);
    expect(ends[0]?.code).toBe(name);
  });

  it.each([
    ['the account has too many', 4503],
    ['it has sent too many frames', 4504],
  ])('waits when %s, and resumes', async (_, code) => {
    const { hub, ends } = await started();
    hub.newest().end(code);
    await vi.advanceTimersByTimeAsync(19_000);
    expect(hub.sockets).toHaveLength(1);
    const socket = await reconnected(hub, 1);
    socket.ready();
    expect(socket.last('subscribe')).toMatchObject({ since: { epoch: E1, offset: 5 } });
    expect(ends).toEqual([]);
  });

  describe('of a device that is back online', () => {
    let browser: EventTarget;
    beforeEach(() => {
      browser = new EventTarget();
      vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser));
      vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser));
    });
    afterEach(() => void vi.unstubAllGlobals());
    const online = () => void browser.dispatchEvent(new Event('online'));

    it('is opened at once, and tried again soon', async () => {
      const { hub } = await started();
      await waitsAfter(hub, 6, (socket) => socket.end(1006));
      hub.newest().end(1006);
      await settle();
      const before = hub.sockets.length;
      online();
      await settle();
      expect(hub.sockets).toHaveLength(before + 1);
      const [wait] = await waitsAfter(hub, 1, (socket) => socket.end(1006));
      expect(wait).toBeLessThanOrEqual(1_050);
    });

    it('is replaced when the hub does not answer within four seconds', async () => {
      const { hub } = await started();
      online();
      expect(hub.newest().last('ping').type).toBe('ping');
      await vi.advanceTimersByTimeAsync(3_900);
      hub.newest().frame({ type: 'pong' });
      await vi.advanceTimersByTimeAsync(3_000);
      expect(hub.sockets).toHaveLength(1);
      online();
      await vi.advanceTimersByTimeAsync(4_000);
      expect(hub.newest().closedWith).toBeDefined();
      await vi.advanceTimersByTimeAsync(1_000);
      expect(hub.sockets).toHaveLength(2);
    });

    it('is opened anew when it was still being opened', async () => {
      const { hub } = await start();
      online();
      expect(hub.newest().closedWith).toBeDefined();
      await vi.advanceTimersByTimeAsync(1_000);
      expect(hub.sockets).toHaveLength(2);
    });

    it('is left alone when it was closed before', async () => {
      const { hub, client } = await started();
      client.close();
      await settle();
      online();
      await vi.advanceTimersByTimeAsync(120_000);
      expect(hub.sockets).toHaveLength(1);
    });
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

  it('of another person who signs in is used at once, and the connection is theirs', async () => {
    const { hub, client } = await startWith(reply(200, { access_token: 'other', refresh_token: 'r', expires_in: 900 }));
    hub.newest().ready();
    await client.signIn({ identifier: 'anna@resort.test', password: 'a long password' });
    expect(authorized(hub.newest())).toEqual(['old', 'other']);
    hub.newest().frame({ type: 'error', code: 'other_account', detail: 'The token belongs to another account.' });
    expect(hub.newest().closedWith).toBe(1000);
    const socket = await reconnected(hub);
    socket.open();
    expect(authorized(socket)).toEqual(['other']);
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

  it('that cannot be renewed now is tried with no socket, and renewed when the server is back', async () => {
    const away = Array.from({ length: 8 }, () => new TypeError('fetch failed'));
    const { hub, ends } = await startWith(...away, issued('new'));
    hub.newest().ready();
    hub.newest().end(4003);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(hub.sockets).toHaveLength(1);
    const socket = await reconnected(hub, 1);
    socket.open();
    expect(authorized(socket)).toEqual(['new']);
    expect(ends).toEqual([]);
  });

  it('that could not be renewed in time is asked for again while the connection is open', async () => {
    const { hub } = await startWith(new TypeError('fetch failed'), new TypeError('fetch failed'), issued('new'));
    hub.newest().ready(new Date(Date.now() + 80_000).toISOString());
    for (let n = 0; n < 5; n++) {
      expect(authorized(hub.newest())).toEqual(['old']);
      await vi.advanceTimersByTimeAsync(10_000);
      hub.newest().frame({ type: 'pong' });
    }
    expect(authorized(hub.newest())).toEqual(['old', 'new']);
    expect(hub.sockets).toHaveLength(1);
  });

  it('of the application that has expired is waited for, but not for ever', async () => {
    let token = 'old';
    const { hub, ends } = await started({ token: () => token });
    hub.newest().end(4003);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(hub.sockets).toHaveLength(1);
    token = 'new';
    const socket = await reconnected(hub, 1);
    socket.ready();
    expect(authorized(socket)).toEqual(['new']);
    socket.end(4003);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(hub.sockets).toHaveLength(2);
    expect(ends[0]?.code).toBe('bad_token');
  });

  it('that the hub ends again and again is replaced ever less often', async () => {
    let n = 0;
    const { hub, ends } = await start({ token: () => `token ${++n}` });
    for (const end = Date.now() + 60_000; Date.now() < end; ) {
      if (hub.newest().closedWith === undefined && hub.newest().sent.length === 0) {
        hub.newest().ready();
        hub.newest().end(4003);
      }
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(ends).toEqual([]);
    expect(hub.sockets.length).toBeGreaterThan(5);
    expect(hub.sockets.length).toBeLessThan(12);
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
