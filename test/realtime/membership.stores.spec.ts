/** A channel of members: nobody gets a change that was made while they were no member, whatever the order of things. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '../../infra/postgres.ts';
import { appendChanges, type Change } from '../../projections/engine/changes.ts';
import { PAGE } from '../../realtime/hub/changeLog.ts';
import type { ChannelDeclaration } from '../../realtime/hub/channels.ts';
import type { RunningHub } from '../../realtime/hub/hub.ts';
import type { Envelope } from '../../realtime/hub/protocol.ts';
import { until } from '../kit/until.ts';
import { connect, type Listening, overEachTransport, type Player, type Stage, startStage } from './stage.ts';

/** Run once, before and after the next question about access is answered. */
let beforeAccess: () => Promise<unknown> = async () => undefined;
let afterAccess: () => Promise<unknown> = async () => undefined;

const thread: ChannelDeclaration = {
  name: 'thread',
  address: 'thread_{id}',
  aliases: [],
  summary: 'Open to members.',
  allows: async (who, id, db) => {
    const before = beforeAccess;
    beforeAccess = async () => undefined;
    await before();
    const { rows } = await sql`select from members where thread = ${id} and account = ${who.accountId}`.execute(db);
    const after = afterAccess;
    afterAccess = async () => undefined;
    await after();
    return rows.length > 0;
  },
};

await overEachTransport((transport) => {
  let stage: Stage;
  let hubs: RunningHub[];
  beforeAll(async () => {
    stage = await startStage(transport);
    await stage.pool.query('create table members (thread uuid, account uuid, primary key (thread, account))');
  });
  afterAll(() => stage.stop());
  beforeEach(async () => {
    hubs = [await stage.startHub({}, { channels: [thread] }), await stage.startHub({}, { channels: [thread] })];
  });
  afterEach(() => Promise.all(hubs.map((hub) => hub.stop())));

  const portOf = (n: number): number => hubs[n % hubs.length]?.port ?? 0;
  const at = '2026-01-01T00:00:00Z';
  /** What the projector does when somebody joins or leaves, and when somebody writes. */
  const threadOf = (id: string) => {
    const channel = `thread_${id}`;
    let written = 0;
    const say = (type: string, data: object, access: Pick<Change, 'startsFor' | 'endsFor'> = {}): Change => ({
      channel,
      type,
      data: JSON.stringify(data),
      at,
      ...access,
    });
    return {
      channel,
      join: (account: string) =>
        inTransaction(stage.pool, async (client) => {
          await client.query('insert into members values ($1, $2)', [id, account]);
          await appendChanges(client, [say('member.created', { account }, { startsFor: account })]);
        }),
      /** Together with messages that are later. */
      leave: (account: string, messages = 0) =>
        inTransaction(stage.pool, async (client) => {
          await client.query('delete from members where thread = $1 and account = $2', [id, account]);
          const later = Array.from({ length: messages }, () => say('message.created', { n: ++written }));
          await appendChanges(client, [...later, say('member.removed', { account }, { endsFor: account })]);
        }),
      write: async (): Promise<number> => {
        written += 1;
        const message = say('message.created', { n: written });
        await inTransaction(stage.pool, (client) => appendChanges(client, [message]));
        return written;
      },
      written: () => written,
    };
  };
  const messagesOf = ({ frames }: Listening): number[] =>
    frames.flatMap((frame) => (frame.type === 'message.created' ? [(frame as Envelope).data.n as number] : []));

  describe('a channel of members', () => {
    test('refuses others, and answers with the id of their frame', async () => {
      const { channel } = threadOf(randomUUID());
      const { token } = await stage.account('admin');
      const answer = await connect(portOf(0), token).ask({ type: 'subscribe', channel });
      expect(answer).toMatchObject({ type: 'error', code: 'forbidden' });
    });

    test('gives who leaves the change that says so, and nothing later, on any node, and the others everything', async () => {
      const { channel, join, leave, write } = threadOf(randomUUID());
      const players = await Promise.all([stage.account(), stage.account()]);
      const [leaver] = players as [Player, Player];
      for (const { id } of players) await join(id);
      const sockets = players.flatMap(({ token }) => [connect(portOf(0), token), connect(portOf(1), token)]);
      for (const socket of sockets)
        expect(await socket.ask({ type: 'subscribe', channel })).toMatchObject({ type: 'subscribed' });
      await write();
      await leave(leaver.id, 2);
      await write();
      await until(() => sockets.slice(2).every((socket) => messagesOf(socket).length === 4));
      for (const socket of sockets.slice(0, 2)) {
        await socket.first('unsubscribed');
        const types = socket.frames.map(({ type }) => type).filter((type) => type !== 'ready');
        expect(types).toEqual(['subscribed', 'message.created', 'member.removed', 'unsubscribed']);
        expect(socket.frames.at(-1)).toMatchObject({ channel, reason: 'forbidden' });
        expect(await socket.ask({ type: 'subscribe', channel })).toMatchObject({ code: 'forbidden' });
        socket.socket.terminate();
      }
    });

    test.each([1, 2])('starts at the end for who left and joined again %i times meanwhile', async (times) => {
      const { channel, join, leave, write } = threadOf(randomUUID());
      const { id, token } = await stage.account();
      await join(id);
      const before = connect(portOf(0), token);
      const { epoch, offset } = (await before.ask({ type: 'subscribe', channel })) as Envelope;
      before.socket.terminate();
      for (let n = 0; n < times; n += 1) {
        await write();
        await leave(id);
        await write();
        await join(id);
      }
      const socket = connect(portOf(1), token);
      const answer = await socket.ask({ type: 'subscribe', channel, since: { epoch, offset } });
      expect(answer).toMatchObject({ type: 'subscribed', recovered: false, offset: offset + 4 * times });
      const last = await write();
      await socket.first('message.created');
      const types = socket.frames.map(({ type }) => type).filter((type) => type !== 'ready');
      expect(types).toEqual(['subscribed', 'message.created']);
      expect(messagesOf(socket)).toEqual([last]);
      socket.socket.terminate();
    });

    test('ends a subscription that catches up where its membership ended', async () => {
      const { channel, join, leave, write } = threadOf(randomUUID());
      const { id, token } = await stage.account();
      await join(id);
      const before = connect(portOf(0), token);
      const { epoch, offset } = (await before.ask({ type: 'subscribe', channel })) as Envelope;
      before.socket.terminate();
      await write();
      const socket = connect(portOf(1), token);
      await socket.first('ready');
      afterAccess = () => leave(id).then(write);
      socket.send({ type: 'subscribe', channel, since: { epoch, offset } });
      await socket.first('unsubscribed');
      expect(messagesOf(socket)).toEqual([1]);
      socket.socket.terminate();
    });

    test('gives nothing from the time between two memberships to a client that names a position in it', async () => {
      const { channel, join, leave, write } = threadOf(randomUUID());
      const { id, token } = await stage.account();
      await join(id);
      const before = connect(portOf(0), token);
      const { epoch, offset } = (await before.ask({ type: 'subscribe', channel })) as Envelope;
      await leave(id);
      before.socket.terminate();
      for (let n = 0; n <= PAGE; n += 1) await write();
      await join(id);
      const socket = connect(portOf(1), token);
      const answer = await socket.ask({ type: 'subscribe', channel, since: { epoch, offset: offset + 1 } });
      expect(answer).toMatchObject({ type: 'subscribed', recovered: false, offset: offset + PAGE + 3 });
      await write();
      await socket.first('message.created');
      expect(messagesOf(socket)).toEqual([PAGE + 2]);
      socket.socket.terminate();
    });

    test('gives nothing from before a membership that begins while it subscribes', async () => {
      const { channel, join, write } = threadOf(randomUUID());
      const { id, token } = await stage.account();
      const socket = connect(portOf(0), token);
      await socket.first('ready');
      beforeAccess = () => write().then(() => join(id));
      expect(await socket.ask({ type: 'subscribe', channel })).toMatchObject({ type: 'subscribed', offset: 2 });
      await write();
      await socket.first('message.created');
      expect(messagesOf(socket)).toEqual([2]);
      socket.socket.terminate();
    });

    type Step = { readonly do: 'join' | 'leave' | 'write' | 'connect' | 'cut'; readonly who: number };
    const step: fc.Arbitrary<Step> = fc.record({
      do: fc.constantFrom('join', 'leave', 'write', 'write', 'connect', 'connect', 'cut'),
      who: fc.nat(2),
    });

    test('never gives anybody a change from a time when they were no member', async () => {
      const players = await Promise.all([stage.account(), stage.account(), stage.account()]);
      let heard = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), async (steps) => {
          const { channel, join, leave, write } = threadOf(randomUUID());
          /** Message → who was a member when it was written. */
          const readers = new Map<number, ReadonlySet<string>>();
          const members = new Set<string>();
          const all = players.map((player, n) => ({
            ...player,
            n,
            socket: undefined as Listening | undefined,
            received: [] as number[],
          }));
          const cut = (one: (typeof all)[number]) => {
            if (one.socket) one.received.push(...messagesOf(one.socket));
            one.socket?.socket.terminate();
            one.socket = undefined;
          };
          /** Goes on where the last subscription of this person was, as long as it was not ended. */
          const cursorOf = ({ frames }: Listening) => {
            const last = frames.findLast((frame) => 'epoch' in frame || frame.type === 'unsubscribed');
            return last && 'epoch' in last ? { epoch: last.epoch, offset: last.offset } : undefined;
          };
          for (const { do: what, who } of steps) {
            const one = all[who];
            if (!one) continue;
            const isMember = members.has(one.id);
            if (what === 'join' && !isMember) await join(one.id).then(() => members.add(one.id));
            if (what === 'leave' && isMember) await leave(one.id).then(() => members.delete(one.id));
            if (what === 'write') readers.set(await write(), new Set(members));
            if (what === 'cut') cut(one);
            if (what === 'connect') {
              const since = one.socket && cursorOf(one.socket);
              cut(one);
              one.socket = connect(portOf(one.n + steps.length), one.token);
              one.socket.send({ type: 'subscribe', channel, since });
            }
          }
          // Members who listen get what comes now.
          const listeners = all.filter(({ id, socket }) => members.has(id) && socket);
          const last = await write();
          readers.set(last, new Set(members));
          for (const { socket } of listeners)
            await until(
              () =>
                socket &&
                (messagesOf(socket).includes(last) ||
                  socket.code !== undefined || // a busy hub may give up a socket, whose client comes back
                  socket.frames.some(({ type }) => ['unsubscribed', 'error'].includes(type)) ||
                  socket.frames.some((frame) => 'recovered' in frame && !frame.recovered)),
            );
          for (const one of all) {
            cut(one);
            if (one.received.includes(last)) heard += 1;
            const wrong = one.received.filter((n) => !readers.get(n)?.has(one.id));
            expect(wrong).toEqual([]);
          }
        }),
        { numRuns: 15 },
      );
      expect(heard).toBeGreaterThan(0);
    });
  });
});
