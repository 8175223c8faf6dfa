/** Messages that matter for a moment only: typing, positions, call signals. */
import { randomUUID } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../../infra/log.ts';
import { ephemeralSender } from '../../projections/engine/ephemeral.ts';
import type { ChannelDeclaration } from '../../realtime/hub/channels.ts';
import type { RunningHub } from '../../realtime/hub/hub.ts';
import { closeCodes } from '../../realtime/hub/protocol.ts';
import { channels } from '../../realtime/modules.ts';
import { until } from '../kit/until.ts';
import { connect, type Listening, overEachTransport, type Stage, startStage } from './stage.ts';

const room: ChannelDeclaration = {
  name: 'room',
  address: 'room_{id}',
  aliases: ['realtime:room:{id}'],
  summary: 'Open to all.',
  allows: (who) => who.role !== 'banned',
  ephemeral: [
    { type: 'signal.sent', summary: 'A signal.', data: Type.Object({ text: Type.String() }), everyMs: 0 },
    { type: 'typing.started', summary: 'Somebody types.', data: Type.Object({}), everyMs: 60_000 },
    { type: 'server.said', summary: 'From the server.', data: Type.Object({}) },
  ],
};

const lounge: ChannelDeclaration = {
  name: 'lounge',
  address: 'lounge_{id}',
  aliases: [],
  summary: 'Shows who is there.',
  allows: () => true,
  showsPresence: true,
};

await overEachTransport((transport) => {
  let stage: Stage;
  let hubs: RunningHub[];
  beforeAll(async () => {
    stage = await startStage(transport);
    const options = { channels: [...channels, room, lounge] };
    hubs = [await stage.startHub({}, options), await stage.startHub({}, options)];
  });
  afterAll(() => stage.stop());

  /** Two people in a room, each at a hub of its own. */
  const meet = async (name = 'room_') => {
    const id = randomUUID();
    const people = await Promise.all([stage.account(), stage.account()]);
    const sockets = people.map(({ token }, n) => connect(hubs[n]?.port ?? 0, token));
    const names = [`room_${id}`, `${name}${id}`];
    for (const [n, socket] of sockets.entries())
      expect(await socket.ask({ type: 'subscribe', channel: names[n] })).toMatchObject({ type: 'subscribed' });
    const [one, other] = sockets as [Listening, Listening];
    const end = () => {
      for (const { socket } of sockets) socket.terminate();
    };
    return { id: people[0]?.id, channel: `room_${id}`, names, one, other, end };
  };
  const signal = (channel: string, text: string) => ({
    type: 'publish',
    channel,
    event: 'signal.sent',
    data: { text },
  });
  const textsOf = ({ frames }: Listening): unknown[] =>
    frames.flatMap((frame) => (frame.type === 'signal.sent' && 'data' in frame ? [frame.data.text] : []));

  describe('an ephemeral message', () => {
    test('reaches the subscribers at every hub, under the name that they used, with its sender and without an offset', async () => {
      const { id, channel, names, one, other, end } = await meet('realtime:room:');
      one.send(signal(channel, 'hello'));
      await until(() => textsOf(one).length + textsOf(other).length === 2);
      const expected = { type: 'signal.sent', from: id, ts: expect.any(String), data: { text: 'hello' } };
      expect(one.frames.at(-1)).toEqual({ channel, ...expected });
      expect(other.frames.at(-1)).toEqual({ channel: names[1], ...expected });
      end();
    });

    test('may be longer than a notification', async () => {
      const { channel, one, other, end } = await meet();
      const long = 'é'.repeat(32_000);
      one.send(signal(channel, long));
      await until(() => textsOf(other).length === 1);
      expect(textsOf(other)).toEqual([long]);
      end();
    });

    test('keeps its place among others of its sender, however long it is', async () => {
      const { channel, one, other, end } = await meet();
      const texts = ['first', 'é'.repeat(32_000), 'third', 'x'.repeat(9_000), 'last'];
      for (const text of texts) one.send(signal(channel, text));
      await until(() => textsOf(other).length === texts.length);
      expect(textsOf(other)).toEqual(texts);
      end();
    });

    test('of too many bytes closes the socket, and so does a long frame of another type', async () => {
      const { channel, one, other } = await meet();
      one.send(signal(channel, 'x'.repeat(73 * 1024)));
      other.send({ type: 'ping', id: 'x'.repeat(17 * 1024) });
      expect(await one.closed()).toBe(closeCodes.frame_too_large.code);
      expect(await other.closed()).toBe(closeCodes.frame_too_large.code);
    });

    test('sooner than its interval is dropped', async () => {
      const { channel, one, other, end } = await meet();
      for (let n = 0; n < 3; n += 1) one.send({ type: 'publish', channel, event: 'typing.started', data: {} });
      one.send(signal(channel, 'end'));
      await until(() => textsOf(other).length === 1);
      expect(other.frames.filter(({ type }) => type === 'typing.started')).toHaveLength(1);
      end();
    });

    test('of the server reaches subscribers, and clients cannot publish it', async () => {
      const { channel, one, other, end } = await meet();
      const refused = await one.ask({ type: 'publish', channel, event: 'server.said', data: {} });
      expect(refused).toMatchObject({ code: 'not_publishable' });
      const message = { channel, type: 'server.said', from: randomUUID(), ts: '2026-01-01T00:00:00Z', data: {} };
      ephemeralSender(stage.pool, createLogger({ level: 'silent' }))(message);
      await until(() => other.frames.some(({ type }) => type === 'server.said'));
      expect(other.frames.at(-1)).toEqual(message);
      end();
    });

    test('is refused without a subscription, of an unknown type, with other data, and on channels without any', async () => {
      const { channel, one, end } = await meet();
      const publish = (frame: object) =>
        one.ask({ type: 'publish', channel, event: 'signal.sent', data: {}, ...frame });
      expect(await publish({ channel: `room_${randomUUID()}` })).toMatchObject({ code: 'not_subscribed' });
      expect(await publish({ channel: 'nowhere' })).toMatchObject({ code: 'not_subscribed' });
      expect(await publish({ event: 'booking.updated' })).toMatchObject({ code: 'not_publishable' });
      expect(await publish({ data: { text: 1 } })).toMatchObject({ code: 'bad_frame', detail: '/text must be string' });
      expect(await publish({ data: 1 })).toMatchObject({ code: 'bad_frame' });
      end();
    });

    test('is not given to those who have left', async () => {
      const { channel, one, other, end } = await meet();
      // At the hub of the one who leaves: when it has the message, that hub has told all whom it tells.
      const witness = connect(hubs[1]?.port ?? 0, (await stage.account()).token);
      await witness.ask({ type: 'subscribe', channel });
      await other.ask({ type: 'unsubscribe', channel });
      one.send(signal(channel, 'alone'));
      await until(() => textsOf(witness).length === 1);
      await other.ask({ type: 'ping' });
      expect(textsOf(other)).toEqual([]);
      witness.socket.terminate();
      end();
    });

    test('leaves the numbers of the changes alone', async () => {
      const { channel, one, other, end } = await meet();
      for (let n = 1; n <= 5; n += 1) {
        one.send(signal(channel, String(n)));
        await stage.write(channel);
      }
      await until(() => other.offsets(channel).length === 5 && textsOf(other).length === 5);
      expect(other.offsets(channel)).toEqual([1, 2, 3, 4, 5]);
      end();
    });

    test('tells who is online, at every hub, on channels that show it', async () => {
      const channel = `lounge_${randomUUID()}`;
      const people = await Promise.all([stage.account(), stage.account()]);
      const sockets = people.map(({ token }, n) => connect(hubs[n]?.port ?? 0, token));
      const [here, there] = people.map(({ id }) => id);
      for (const socket of sockets) await socket.ask({ type: 'subscribe', channel });
      const onlineAt = ({ frames }: Listening) =>
        frames.flatMap((frame) => (frame.type === 'presence.online' && 'from' in frame ? [frame.from] : []));
      for (const socket of sockets) await until(() => onlineAt(socket).length === 2);
      for (const socket of sockets) expect(onlineAt(socket).toSorted()).toEqual([here, there].toSorted());
      for (const { socket } of sockets) socket.terminate();
    });
  });
});
