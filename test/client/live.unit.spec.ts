/** Channels of the client: resumption, order, slow handlers. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeCodes } from '../../client/generated/realtime.ts';
import { createClient, type LiveState } from '../../client/index.ts';
import { CHANNEL, fakeHub } from './fakeHub.ts';
import { fakeServer, reply } from './fakeServer.ts';
import { clientOf, E1, E2, type Hub, reconnected, SINCE, settle, start, started, subscribes } from './liveStage.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

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

  describe('that the hub forbids, while the server does not show yet what this client wrote,', () => {
    const forbid = ({ hub }: { readonly hub: Hub }) =>
      hub.newest().frame({ type: 'error', code: 'forbidden', detail: 'No.', id: hub.newest().last('subscribe').id });
    const writeUnseen = async () => {
      const written = reply(201, { id: 'a' }, { 'x-event-position': '5/5', 'x-projected': 'false' });
      const server = fakeServer(written, ...[1, 2].map(() => reply(200, { data: [] })));
      const begun = await start({ fetch: server.fetch });
      await begun.client.startChat({ user_id: 'somebody' });
      begun.hub.newest().ready();
      forbid(begun);
      return begun;
    };

    it('is asked for again, and goes on', async () => {
      const { hub, ends, resets } = await writeUnseen();
      await vi.advanceTimersByTimeAsync(250);
      forbid({ hub });
      await vi.advanceTimersByTimeAsync(500);
      expect(subscribes(hub.newest())).toHaveLength(3);
      hub.newest().subscribed(E1, 5);
      await settle();
      expect([ends.length, resets.length]).toEqual([0, 1]);
    });

    it('ends when a read shows the write, when it is a minute old, and when it is closed', async () => {
      const one = await writeUnseen();
      await one.client.listOwnBookings();
      await vi.advanceTimersByTimeAsync(250);
      forbid(one);
      expect(one.ends).toMatchObject([{ code: 'forbidden' }]);
      const other = await writeUnseen();
      await vi.advanceTimersByTimeAsync(250);
      vi.setSystemTime(Date.now() + 60_000);
      forbid(other);
      expect(other.ends).toMatchObject([{ code: 'forbidden' }]);
      const third = await writeUnseen();
      third.subscription.close();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(subscribes(third.hub.newest())).toHaveLength(1);
    });
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

  it('of many that come and go is told to the hub no faster than it allows, and only if it stays', async () => {
    const { hub, client } = await started();
    const socket = hub.newest();
    const kept: string[] = [];
    for (let n = 0; n < 300; n++) {
      const channel = `provider_${n}`;
      const subscription = client.live.subscribe(channel, {});
      if (n % 4 !== 0) subscription.close();
      else kept.push(channel);
    }
    expect(socket.sent.length).toBeLessThanOrEqual(150);
    const before = socket.sent.length;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(socket.sent.length - before).toBeGreaterThan(5);
    expect(socket.sent.length - before).toBeLessThanOrEqual(10);
    for (let n = 0; n < 10; n++) {
      socket.frame({ type: 'pong' });
      await vi.advanceTimersByTimeAsync(1_000);
    }
    const left = new Set<unknown>();
    for (const { type, channel } of socket.sent)
      if (type === 'subscribe') left.add(channel);
      else if (type === 'unsubscribe') left.delete(channel);
    expect([...left]).toEqual([CHANNEL, ...kept]);
    expect(socket.sent.length).toBeLessThan(250);
  });

  it('that waits for its turn is asked for at once on the next connection', async () => {
    const { hub, client } = await started();
    for (let n = 0; n < 100; n++) client.live.subscribe(`provider_${n}`, {}).close();
    client.live.subscribe('provider_0', {});
    expect(hub.newest().last('subscribe').channel).not.toBe('provider_0');
    hub.newest().end(1006);
    const socket = await reconnected(hub);
    socket.ready();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(subscribes(socket).map(({ channel }) => channel)).toEqual([CHANNEL, 'provider_0']);
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

  it('needs a WebSocket', () => {
    vi.stubGlobal('WebSocket', undefined);
    const { live } = createClient({ baseUrl: 'https://resort.test' });
    expect(() => live.subscribe(CHANNEL, {})).toThrow('`ws`');
    vi.unstubAllGlobals();
  });

  it('is told each time that it goes on after a gap, before who is online is told again', async () => {
    const hub = fakeHub();
    const online = new Set<string>();
    const answers: boolean[] = [];
    clientOf(hub).live.subscribe(CHANNEL as string, {
      onSubscribed: ({ recovered }) => {
        answers.push(recovered);
        online.clear();
      },
      onEphemeral: ({ from }) => void online.add(from),
    });
    const isOnline = (from: string) =>
      hub.newest().frame({ channel: CHANNEL, type: 'presence.online', from, ts: '', data: {} });
    await settle();
    hub.newest().ready();
    hub.newest().subscribed(E1, 5);
    for (const from of ['1', '2']) isOnline(from);
    hub.newest().end(1006);
    const socket = await reconnected(hub);
    socket.ready();
    socket.subscribed(E1, 5, true);
    isOnline('2');
    expect([...online]).toEqual(['2']);
    // A new epoch of the same subscription: nobody has left unheard.
    socket.frame({ type: 'subscribed', channel: CHANNEL, epoch: E2, offset: 0, recovered: false });
    expect([...online]).toEqual(['2']);
    expect(answers).toEqual([false, true]);
  });

  it('that is closed when it begins gets nothing more', async () => {
    const hub = fakeHub();
    const resets: unknown[] = [];
    const subscription = clientOf(hub).live.subscribe(CHANNEL, {
      onSubscribed: () => subscription.close(),
      onReset: (reset) => resets.push(reset),
    });
    await settle();
    hub.newest().ready();
    hub.newest().subscribed(E1, 5);
    await settle();
    expect(resets).toEqual([]);
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

describe('the socket', () => {
  it('is idle, connecting or open, and each change is told', async () => {
    const states: LiveState[] = [];
    const hub = fakeHub();
    const client = clientOf(hub, { onLiveState: (state) => states.push(state) });
    expect(client.live.state).toBe('idle');
    const subscription = client.live.subscribe(CHANNEL, {});
    await settle();
    expect(client.live.state).toBe('connecting');
    hub.newest().ready();
    expect(client.live.state).toBe('open');
    hub.newest().end(1006);
    expect(client.live.state).toBe('connecting');
    (await reconnected(hub)).ready();
    subscription.close();
    expect(client.live.state).toBe('idle');
    client.live.subscribe(CHANNEL, {});
    await settle();
    hub.newest().ready();
    hub.newest().end(closeCodes.logged_out);
    await settle();
    expect(states).toEqual([
      'connecting',
      'open',
      'connecting',
      'open',
      'idle',
      'connecting',
      'open',
      'connecting',
      'idle',
    ]);
  });

  it('is not idle when the end of a subscription begins another one', async () => {
    const hub = fakeHub();
    const states: LiveState[] = [];
    const client = clientOf(hub, { onLiveState: (state) => states.push(state) });
    client.live.subscribe(CHANNEL, { onEnd: () => client.live.subscribe('provider_1', {}) });
    await settle();
    hub.newest().ready();
    const { id } = hub.newest().last('subscribe');
    hub.newest().frame({ type: 'error', code: 'forbidden', detail: 'No.', id });
    await settle();
    expect(states).toEqual(['connecting', 'open', 'connecting']);
    hub.newest().ready();
    expect(subscribes(hub.newest()).map(({ channel }) => channel)).toEqual(['provider_1']);
  });
});
