/** Several who listen to one channel of a client. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CallOptions, Cursor, createClient, SubscribeOptions } from '../../client/index.ts';
import { CHANNEL } from './fakeHub.ts';
import { E1, E2, reconnected, SINCE, settle, started, subscribes } from './liveStage.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

type Client = ReturnType<typeof createClient>;
/** Another subscription to the channel, and what its handlers were given. */
const join = (client: Client, options: SubscribeOptions = {}) => {
  const offsets: number[] = [];
  const resets: Cursor[] = [];
  const told: unknown[] = [];
  const ends: unknown[] = [];
  const errors: unknown[] = [];
  const answers: boolean[] = [];
  const subscription = client.live.subscribe(CHANNEL as string, {
    onChange: ({ offset }) => void offsets.push(offset),
    onReset: ({ cursor }) => void resets.push(cursor),
    onEphemeral: (message) => void told.push(message),
    onSubscribed: ({ recovered }) => void answers.push(recovered),
    onEnd: (reason) => void ends.push(reason),
    onError: (error) => void errors.push(error),
    ...options,
  });
  return { subscription, offsets, resets, told, ends, errors, answers };
};
const typing = { channel: CHANNEL, type: 'typing.started', from: '2', ts: '', data: {} };

describe('subscriptions to one channel', () => {
  it('that begin together are one of the hub, and each gets every frame once', async () => {
    const { hub, client, offsets, resets, told } = await started();
    hub.newest().end(1006);
    const other = join(client);
    const socket = await reconnected(hub);
    socket.ready();
    const third = join(client);
    expect(subscribes(socket)).toHaveLength(1);
    socket.subscribed(E1, 5, true);
    for (const offset of [6, 7, 7]) socket.change(E1, offset);
    socket.frame(typing);
    await settle();
    for (const each of [other, third])
      expect(each).toMatchObject({ offsets: [6, 7], resets: [SINCE], told: [typing], answers: [false] });
    expect([offsets, resets.length, told]).toEqual([[6, 7], 1, [typing]]);
  });

  it('begin at the place of the others, who miss and repeat nothing', async () => {
    const { hub, client, offsets, resets } = await started();
    const socket = hub.newest();
    socket.change(E1, 6);
    const late = join(client);
    const [unsubscribe, subscribe] = socket.sent.slice(-2);
    expect(unsubscribe).toEqual({ type: 'unsubscribe', channel: CHANNEL });
    expect(subscribe).toMatchObject({ type: 'subscribe', since: { epoch: E1, offset: 6 } });
    socket.change(E1, 7); // still of the subscription of before
    socket.subscribed(E1, 6, true);
    for (const offset of [7, 8]) socket.change(E1, offset);
    await settle();
    expect(late).toMatchObject({ offsets: [7, 8], resets: [{ epoch: E1, offset: 6 }], answers: [false] });
    expect(late.subscription.cursor).toEqual({ epoch: E1, offset: 8 });
    expect([offsets, resets.length]).toEqual([[6, 7, 8], 1]);
  });

  it('begin when the connection that was lost meanwhile is there again', async () => {
    const { hub, client, offsets, resets } = await started();
    hub.newest().change(E1, 6);
    const late = join(client);
    hub.newest().end(1006); // before the answer
    const socket = await reconnected(hub);
    socket.ready();
    expect(subscribes(socket)).toMatchObject([{ since: { epoch: E1, offset: 6 } }]);
    socket.subscribed(E1, 6, true);
    socket.change(E1, 7);
    await settle();
    expect(late).toMatchObject({ offsets: [7], resets: [{ epoch: E1, offset: 6 }] });
    expect([offsets, resets.length]).toEqual([[6, 7], 1]);
  });

  it('go on from their own stored cursors', async () => {
    const { hub, client, offsets, resets } = await started();
    const socket = hub.newest();
    for (const offset of [6, 7]) socket.change(E1, offset);
    join(client);
    const behind = join(client, { since: SINCE }); // while the hub is asked for the one before
    expect(socket.last('subscribe')).toMatchObject({ since: SINCE });
    const stale = join(client, { since: { epoch: 'of before', offset: 1 } });
    expect(socket.last('subscribe')).toMatchObject({ since: SINCE });
    socket.subscribed(E1, 5, true);
    for (const offset of [6, 7, 8]) socket.change(E1, offset);
    await settle();
    expect(behind).toMatchObject({ offsets: [6, 7, 8], resets: [], answers: [true] });
    expect(stale).toMatchObject({ offsets: [6, 7, 8], resets: [SINCE], answers: [false] });
    expect([offsets, resets.length]).toEqual([[6, 7, 8], 1]);
  });

  it('all read their state again when changes were missed for good', async () => {
    const { hub, client, resets } = await started();
    const other = join(client);
    hub.newest().subscribed(E2, 40);
    await settle();
    expect(resets.at(-1)?.cursor).toEqual({ epoch: E2, offset: 40 });
    expect(other.resets).toEqual([{ epoch: E2, offset: 40 }]);
  });

  it('do not wait for the slow handlers of one, who gets all changes later', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { hub, client, offsets, resets } = await started({}, () => gate);
    const quick = join(client);
    const socket = hub.newest();
    socket.subscribed(E1, 5, true);
    const send = (from: number, to: number) => {
      for (let offset = from; offset <= to; offset++) socket.change(E1, offset);
    };
    send(6, 1_500);
    expect([quick.offsets.length, offsets.length]).toEqual([1_495, 1]);
    const late = join(client);
    expect(socket.last('subscribe')).toMatchObject({ since: { offset: 1_500 } });
    socket.subscribed(E1, 1_500, true);
    release();
    await settle();
    expect(socket.last('subscribe')).toMatchObject({ since: { offset: 1_006 } });
    socket.subscribed(E1, 1_006, true);
    send(1_007, 1_510);
    await settle();
    const all = Array.from({ length: 1_505 }, (_, index) => index + 6);
    expect([offsets, quick.offsets, late.offsets]).toEqual([all, all, all.slice(-10)]);
    expect([resets.length, quick.resets.length, late.resets.length]).toEqual([1, 1, 1]);
  });

  it('end one by one; the last one ends that of the hub', async () => {
    const { hub, client, subscription, offsets } = await started();
    client.live.subscribe('provider_1', {});
    const other = join(client);
    const socket = hub.newest();
    socket.subscribed(E1, 5, true);
    const before = socket.sent.length;
    subscription.close();
    subscription.close();
    expect(socket.sent).toHaveLength(before);
    socket.change(E1, 6);
    socket.frame(typing);
    await settle();
    expect(other).toMatchObject({ offsets: [6], told: [typing] });
    expect(offsets).toEqual([]);
    expect((subscription.publish as (type: string, data: object) => boolean)('typing.started', {})).toBe(false);
    other.subscription.close();
    expect(socket.sent.slice(before)).toEqual([{ type: 'unsubscribe', channel: CHANNEL }]);
  });

  it('all end when the hub ends that of theirs', async () => {
    const { hub, client, ends } = await started();
    const other = join(client);
    hub.newest().frame({ type: 'error', code: 'forbidden', detail: 'No.', id: hub.newest().last('subscribe').id });
    for (const each of [ends, other.ends]) expect(each).toMatchObject([{ code: 'forbidden', message: 'No.' }]);
  });

  it('publish, and who did is told when a message is refused', async () => {
    const { hub, client, errors, subscription } = await started();
    const other = join(client);
    const socket = hub.newest();
    socket.subscribed(E1, 5, true);
    for (const { publish } of [subscription, other.subscription])
      expect((publish as (type: string, data: object) => boolean)('typing.started', {})).toBe(true);
    socket.frame({ type: 'error', code: 'bad_frame', detail: 'No.', id: socket.last('publish').id });
    expect(errors).toEqual([]);
    expect(other.errors).toMatchObject([{ code: 'bad_frame' }]);
  });

  it('begin and end in handlers of each other', async () => {
    const { hub, client, subscription } = await started();
    const socket = hub.newest();
    const late: ReturnType<typeof join>[] = [];
    join(client, {
      onChange: () => {
        subscription.close();
        late.push(join(client));
      },
    });
    socket.subscribed(E1, 5, true);
    socket.change(E1, 6);
    socket.subscribed(E1, 6, true);
    await settle();
    expect(late[0]).toMatchObject({ offsets: [], resets: [{ epoch: E1, offset: 6 }] });
    expect(subscription.cursor).toEqual({ epoch: E1, offset: 6 });
  });
});

it('lists of several kinds follow one channel, each from its own snapshot', async () => {
  const { hub, client } = await started();
  const socket = hub.newest();
  const shown: Record<string, string> = {};
  const follow = (entity: string, offset: number) =>
    client.live.follow(
      CHANNEL as string,
      async ({ onResponse }: CallOptions) => {
        const place = `"${CHANNEL}";epoch="${E1}";offset=${offset}`;
        onResponse?.(new Response(null, { headers: { 'x-channel-offset': place } }));
        return [{ id: `of ${offset}` }];
      },
      {
        entity,
        onRows: (rows) => {
          shown[entity] = rows.map(({ id }) => id).join(', ');
        },
      },
    );
  const change = (entity: string, offset: number) =>
    socket.change(E1, offset, { type: `${entity}.created`, data: { id: String(offset) } });
  const bookings = follow('booking', 5);
  socket.subscribed(E1, 5, true);
  await settle();
  change('booking', 6);
  change('notification', 7);
  follow('notification', 8);
  socket.subscribed(E1, 7, true);
  change('notification', 8); // in the snapshot
  change('notification', 9);
  change('booking', 10);
  await settle();
  expect(shown).toEqual({ booking: 'of 5, 6, 10', notification: 'of 8, 9' });
  bookings.close();
  change('notification', 11);
  await settle();
  expect(shown).toEqual({ booking: 'of 5, 6, 10', notification: 'of 8, 9, 11' });
});
