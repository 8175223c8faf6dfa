/** The client with real hubs and a real database: hubs that stop, and a snapshot beside concurrent writes. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { App } from '../../api/http/app.ts';
import { CHANNEL_OFFSET_HEADER, readAtOffset } from '../../api/http/channelOffset.ts';
import { type Change, channels, createClient, type Ephemeral, type Frame, type Reset } from '../../client/index.ts';
import { inTransaction } from '../../infra/postgres.ts';
import { appendChanges, startEpoch } from '../../projections/engine/changes.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import type { ChannelDeclaration } from '../../realtime/hub/channels.ts';
import { channels as declaredChannels } from '../../realtime/modules.ts';
import { type Forwarder, startForwarder } from '../kit/forwarder.ts';
import { below, randomFrom } from '../kit/random.ts';
import { until } from '../kit/until.ts';
import { type Player, range, type Stage, startStage } from '../realtime/stage.ts';

let stage: Stage;
const ports: number[] = [];
let forwarder: Forwarder;
beforeAll(async () => {
  stage = await startStage('ws');
  forwarder = await startForwarder(() => ports);
  await stage.pool.query(
    'create table read.bookings (id uuid primary key, user_id uuid not null, status int not null)',
  );
});
afterAll(async () => {
  await forwarder?.stop();
  await stage?.stop();
});

const clientOf = (player: Player, onFrame?: (frame: Frame) => void) =>
  createClient({
    baseUrl: `http://127.0.0.1:${forwarder.port}`,
    token: () => player.token,
    WebSocket,
    longestWaitMs: 1_000,
    ...(onFrame && { onFrame }),
  });

it('a hub that stops sends its clients to another one at once, and no change is lost', async () => {
  const [first, second] = [await stage.startHub(), await stage.startHub()];
  ports.splice(0, ports.length, first.port);
  const players = await Promise.all(range(1, 20).map(() => stage.account()));
  const followers = players.map((player) => {
    const offsets: number[] = [];
    const subscribed: { at: number; recovered: boolean }[] = [];
    const client = clientOf(player, (frame) => {
      if (frame.type === 'subscribed' && 'recovered' in frame)
        subscribed.push({ at: performance.now(), recovered: frame.recovered });
    });
    client.live.subscribe(player.channel, { onChange: ({ offset }: Change) => offsets.push(offset) });
    return { player, client, offsets, subscribed };
  });
  await until(() => followers.every(({ subscribed }) => subscribed.length === 1));

  ports.splice(0, ports.length, second.port);
  const writing = (async () => {
    for (const round of range(1, 10)) for (const { channel } of players) await stage.write(channel, 1, { round });
  })();
  const stoppedAt = performance.now();
  await first.stop();
  await writing;
  await until(() => followers.every(({ offsets }) => offsets.length === 10));
  for (const { offsets, subscribed, client } of followers) {
    expect(offsets).toEqual(range(1, 10));
    expect(subscribed.map(({ recovered }) => recovered)).toEqual([false, true]);
    client.close();
  }
  const moves = followers.map(({ subscribed }) => (subscribed[1]?.at ?? 0) - stoppedAt).sort((a, b) => a - b);
  // Not all at the same moment. An upper limit would only measure how busy this machine is.
  expect((moves.at(-1) ?? 0) - (moves[0] ?? 0)).toBeGreaterThan(100);
  await second.stop();
});

const room: ChannelDeclaration = {
  name: 'room',
  address: 'room_{id}',
  aliases: ['realtime:room:{id}'],
  summary: 'Open to all.',
  allows: () => true,
  ephemeral: [{ type: 'signal.sent', summary: 'A signal.', data: Type.Object({ text: Type.String() }), everyMs: 0 }],
};

it('an ephemeral message reaches who is subscribed, under the name that they use; a refused one is reported', async () => {
  const hub = await stage.startHub({}, { channels: [...declaredChannels, room] });
  ports.splice(0, ports.length, hub.port);
  const id = randomUUID();
  const people = await Promise.all(
    [`room_${id}`, `realtime:room:${id}`].map(async (channel) => {
      const player = await stage.account();
      const told: Ephemeral[] = [];
      const errors: unknown[] = [];
      const resets: Reset[] = [];
      const client = clientOf(player);
      const subscription = client.live.subscribe(channel, {
        onReset: (reset) => void resets.push(reset),
        onEphemeral: (message) => void told.push(message),
        onError: (error) => void errors.push(error),
      });
      await until(() => resets.length === 1);
      return { player, channel, told, errors, subscription, client };
    }),
  );
  const [one, other] = people;
  if (!one || !other) throw new Error('two people');
  expect(one.subscription.publish('signal.sent', { text: 'hello' })).toBe(true);
  for (const { told, channel } of people) {
    await until(() => told.length === 1);
    expect(told[0]).toMatchObject({ channel, type: 'signal.sent', from: one.player.id, data: { text: 'hello' } });
  }
  other.subscription.publish('signal.sent', {});
  await until(() => other.errors.length === 1);
  expect(other.errors[0]).toMatchObject({ code: 'bad_frame' });
  for (const { subscription, client } of people) {
    subscription.close();
    client.close();
  }
  await hub.stop();
});

/** Answers the rows of a person with their place in the channel, as the API does. */
const startApi = async (): Promise<Server> => {
  const app = { pool: stage.pool, db: readDb(stage.pool) } as App;
  const server = createServer(async ({ url = '' }, response) => {
    const userId = url.slice(1);
    const { reply, offset = '' } = await readAtOffset(app, channels.user(userId), async ({ db }) => {
      const { rows } = await sql<Row>`select id, status from read.bookings where user_id = ${userId}`.execute(db);
      return rows;
    });
    response.setHeader(CHANNEL_OFFSET_HEADER, offset);
    response.end(JSON.stringify(reply));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
};

interface Row {
  readonly id: string;
  readonly status: number;
}

it('a snapshot and the changes behind it make the rows, while others write, sockets are cut and epochs begin', async () => {
  const hub = await stage.startHub();
  ports.splice(0, ports.length, hub.port);
  const api = await startApi();
  const { port } = api.address() as AddressInfo;
  const player = await stage.account();
  const channel = channels.user(player.id);

  /** A new booking, or the next status of one, or its end: row and change in one transaction. */
  const known: Row[] = [];
  const random = randomFrom();
  const write = () =>
    inTransaction(stage.pool, async (client) => {
      const index = below(random, known.length + 1);
      const before = known[index];
      const isEnd = before !== undefined && before.status > 5;
      const row = before ? { ...before, status: before.status + 1 } : { id: randomUUID(), status: 1 };
      if (isEnd) known.splice(index, 1);
      else known[index] = row;
      if (isEnd) await client.query('delete from read.bookings where id = $1', [row.id]);
      else
        await client.query(
          'insert into read.bookings values ($1, $2, $3) on conflict (id) do update set status = excluded.status',
          [row.id, player.id, row.status],
        );
      const verb = isEnd ? 'removed' : before ? 'updated' : 'created';
      const change = { channel, type: `booking.${verb}`, data: JSON.stringify(row), at: new Date().toISOString() };
      await appendChanges(client, [change]);
    });

  for (const _ of range(1, 10)) await write();
  const wrong: string[] = [];
  const clients = range(1, 3).map(() => clientOf(player));
  /** Those of one client share its subscription. */
  const follow = (client: (typeof clients)[number]) => {
    let shown: readonly Row[] = [];
    const status = new Map<string, number>();
    client.live.follow(
      channel as string,
      async (options) => {
        const response = await fetch(`http://127.0.0.1:${port}/${player.id}`, { signal: options.signal ?? null });
        options.onResponse?.(response);
        status.clear();
        return (await response.json()) as (Row & Record<string, unknown>)[];
      },
      {
        entity: 'booking',
        onRows: (rows) => {
          shown = rows as unknown as readonly Row[];
          // A change that is applied twice, or late, takes a status back.
          for (const row of shown) {
            if ((status.get(row.id) ?? 0) > row.status) wrong.push(`${row.id} went back to ${row.status}`);
            status.set(row.id, row.status);
          }
        },
        onError: () => undefined,
      },
    );
    return () => shown;
  };
  const followers = clients.map(follow);
  for (const round of range(1, 400)) {
    await write();
    if (round % 100 === 50) followers.push(...clients.map(follow));
    if (round % 20 === 0) forwarder.cut();
    if (round % 150 === 0) await inTransaction(stage.pool, startEpoch);
  }
  const statuses = (rows: readonly Row[]) => rows.map(({ id, status }) => `${id} ${status}`).sort();
  for (const shown of followers)
    await until(() => JSON.stringify(statuses(shown())) === JSON.stringify(statuses(known)));
  for (const client of clients) client.close();
  expect(wrong).toEqual([]);
  api.close();
  api.closeAllConnections();
  await hub.stop();
});
