/** Every change arrives exactly once and in order, whatever is cut or restarted meanwhile. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Change, createClient, type Frame, type SubscriptionEnded } from '../../client/index.ts';
import { inTransaction } from '../../infra/postgres.ts';
import { changesMigrations, deleteForgotten, forgetChanges, startEpoch } from '../../projections/engine/changes.ts';
import type { RunningHub } from '../../realtime/hub/hub.ts';
import { closeCodes } from '../../realtime/hub/protocol.ts';
import { startForwarder } from '../kit/forwarder.ts';
import { anyOf, below, randomFrom } from '../kit/random.ts';
import { until } from '../kit/until.ts';
import {
  connect,
  type Listening,
  overEachTransport,
  type Player,
  range,
  restartableDatabase,
  type Stage,
  startStage,
} from './stage.ts';

await overEachTransport((transport) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage(transport);
  });
  afterAll(() => stage.stop());

  const random = randomFrom();

  /** A client that resumes, and the frames that it has received. */
  const startFollower = (port: number, player: Player, channels: readonly string[]) => {
    const changes: Change[] = [];
    const control: Extract<Frame, { type: 'subscribed' }>[] = [];
    const ends: SubscriptionEnded[] = [];
    const client = createClient({
      baseUrl: `http://127.0.0.1:${port}`,
      token: () => player.token,
      WebSocket,
      longestWaitMs: 100, // so that many come back before all is written
      onFrame: (frame) => {
        if (frame.type === 'subscribed' && 'recovered' in frame) control.push(frame);
      },
    });
    for (const channel of channels)
      client.live.subscribe(channel, {
        onChange: (change) => changes.push(change),
        onEnd: (reason) => ends.push(reason),
      });
    return {
      ends,
      subscriptions: () => control,
      offsets: (channel: string) => changes.filter((change) => change.channel === channel).map(({ offset }) => offset),
      stop: client.close,
    };
  };

  describe('under load', () => {
    test('every client receives exactly 1, 2, … n of each channel, while sockets, database connections and hubs are cut', async () => {
      const hubs: RunningHub[] = [await stage.startHub(), await stage.startHub()];
      const cutter = await startForwarder(() => hubs.map(({ port }) => port));
      const clients = await Promise.all(
        range(1, 12).map(async () => {
          const player = await stage.account('hotelier');
          const alias = `realtime:provider:${player.id}`;
          const follower = startFollower(cutter.port, player, [player.channel, alias]);
          await until(() => follower.subscriptions().length === 2);
          return { follower, names: { [player.channel]: player.channel, [`provider_${player.id}`]: alias } };
        }),
      );

      const written = new Map<string, number>();
      const channels = clients.flatMap(({ names }) => Object.keys(names));
      let writing = true;
      const cutting = (async () => {
        while (writing) {
          await delay(below(random, 20));
          cutter.cut();
        }
      })();
      const resumed = () => clients.flatMap(({ follower }) => follower.subscriptions());
      // Where writing is fast, 200 rounds are over before many have come back.
      const hasCome = () => cutter.cuts > 20 && resumed().length > 3 * channels.length;
      for (let round = 1; round <= 200 || !hasCome(); round += 1) {
        const channel = anyOf(random, channels);
        const count = 1 + below(random, anyOf(random, [2, 20, 150]));
        await stage.write(channel, count, { round });
        written.set(channel, (written.get(channel) ?? 0) + count);
        if (round % 50 === 25)
          await stage.pool.query(
            `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name in ('hub', 'realtime-listener')`,
          );
        if (round % 70 === 0) {
          hubs.push(await stage.startHub());
          await hubs.shift()?.stop();
        }
      }
      writing = false;
      await cutting;

      for (const { follower, names } of clients)
        for (const [channel, name] of Object.entries(names)) {
          const count = written.get(channel) ?? 0;
          await until(() => follower.offsets(name).length >= count);
          expect(follower.offsets(name)).toEqual(range(1, count));
        }
      // The first of each channel has nothing to recover; all others must have.
      expect(resumed().filter(({ recovered }) => !recovered)).toHaveLength(channels.length);

      for (const { follower } of clients) follower.stop();
      await cutter.stop();
      for (const hub of hubs) await hub.stop();
    });
  });

  describe('subscriptions', () => {
    let hub: RunningHub;
    beforeAll(async () => {
      hub = await stage.startHub();
    });

    const listen = async () => {
      const player = await stage.account();
      const listening = connect(hub.port, player.token);
      await listening.ask({ type: 'subscribe', channel: player.channel });
      return { player, listening, channel: player.channel };
    };
    const subscriptions = (frames: Listening['frames']) => frames.filter((frame) => frame.type === 'subscribed');

    test('restart at the current end when a new epoch begins', async () => {
      const { listening, channel } = await listen();
      await stage.write(channel, 3);
      await until(() => listening.offsets(channel).length === 3);
      await inTransaction(stage.pool, startEpoch);
      await until(() => subscriptions(listening.frames).length === 2);
      const { rows } = await stage.pool.query('select epoch from read.epoch');
      expect(subscriptions(listening.frames)[1]).toEqual({
        type: 'subscribed',
        channel,
        epoch: rows[0].epoch,
        offset: 3,
        recovered: false,
      });
      await stage.write(channel, 2);
      await until(() => listening.offsets(channel).length === 5);
      expect(listening.offsets(channel)).toEqual(range(1, 5));
      expect(listening.frames.at(-1)).toMatchObject({ epoch: rows[0].epoch });
    });

    test('go on after an erasure, and only who has missed something is told so', async () => {
      const { player, listening, channel } = await listen();
      await stage.write(channel, 3);
      await until(() => listening.offsets(channel).length === 3);
      const cursor = listening.frames.at(-1) as { epoch: string; offset: number };
      const erased = randomUUID();
      await stage.pool.query(`update read.changes set data = $1 where channel = $2 and "offset" = 2`, [
        JSON.stringify({ by: erased }),
        channel,
      ]);
      await inTransaction(stage.pool, (client) => forgetChanges(client, [erased]));
      await stage.write(channel, 2);
      await until(() => listening.offsets(channel).length === 5);
      expect(listening.offsets(channel)).toEqual(range(1, 5));
      expect(subscriptions(listening.frames).filter((frame) => 'recovered' in frame && !frame.recovered)).toHaveLength(
        1,
      );

      const again = async (offset: number) => {
        const one = connect(hub.port, player.token);
        await one.ask({ type: 'subscribe', channel, since: { epoch: cursor.epoch, offset } });
        return subscriptions(one.frames)[0];
      };
      expect(await again(1), 'the second shows who was erased').toMatchObject({ recovered: false, offset: 5 });
      expect(await again(2)).toMatchObject({ recovered: true, offset: 2 });
      await deleteForgotten(stage.pool);
      expect(await again(1)).toMatchObject({ recovered: false, offset: 5 });
      expect(await again(2)).toMatchObject({ recovered: true, offset: 2 });
      // The newest may be one of those, too.
      await stage.pool.query(`update read.changes set data = $1 where channel = $2 and "offset" = 5`, [
        JSON.stringify({ by: erased }),
        channel,
      ]);
      await inTransaction(stage.pool, (client) => forgetChanges(client, [erased]));
      expect(await again(4)).toMatchObject({ recovered: false, offset: 5 });
      expect(await again(5)).toMatchObject({ recovered: true, offset: 5 });
    });

    test('restart at offset 0 when the read schema is dropped and created again', async () => {
      const { listening, channel } = await listen();
      await stage.write(channel, 3);
      await until(() => listening.offsets(channel).length === 3);
      await stage.pool.query(`drop schema read cascade; create schema read; ${changesMigrations.everyStart}`);
      await until(() => subscriptions(listening.frames).length === 2);
      await stage.write(channel, 2);
      await until(() => listening.offsets(channel).length === 5);
      expect(listening.offsets(channel)).toEqual([1, 2, 3, 1, 2]);
    });

    test('say `recovered: false` when a change is missing', async () => {
      const { listening, channel } = await listen();
      await inTransaction(stage.pool, async (client) => {
        await client.query(`insert into read.channels values ($1, 4)`, [channel]);
        await client.query(
          `insert into read.changes (channel, "offset", type, data, at) values ($1, 4, 'a.b', '{}', now())`,
          [channel],
        );
      });
      await stage.write(channel);
      await until(() => subscriptions(listening.frames).length === 2);
      expect(subscriptions(listening.frames)[1]).toMatchObject({ recovered: false });
      await stage.write(channel);
      await until(() => listening.offsets(channel).at(-1) === 6);
    });

    test('stay open and miss nothing when the database restarts', async () => {
      const database = await restartableDatabase();
      const restarted = await startStage(transport, database);
      try {
        const { port } = await restarted.startHub();
        const player = await restarted.account();
        const { channel } = player;
        const listening = connect(port, player.token);
        await listening.ask({ type: 'subscribe', channel });
        await restarted.write(channel, 2);
        await until(() => listening.offsets(channel).length === 2);
        await database.restart();
        await restarted.write(channel, 2);
        await until(() => listening.offsets(channel).length === 4);
        expect(listening.offsets(channel)).toEqual(range(1, 4));
        expect(listening.code).toBeUndefined();
        await connect(port, player.token).first('ready');
        expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
      } finally {
        await restarted.stop();
      }
    });

    test('receive a change even when its notification is lost', async () => {
      const { listening, channel } = await listen();
      await inTransaction(stage.pool, async (client) => {
        await client.query(`insert into read.channels values ($1, 1)`, [channel]);
        await client.query(
          `insert into read.changes (channel, "offset", type, data, at) values ($1, 1, 'a.b', '{}', now())`,
          [channel],
        );
      });
      await until(() => listening.offsets(channel).length === 1);
    });

    test('end when the session ends while the socket opens', async () => {
      const players = await Promise.all(range(1, 20).map(() => stage.account()));
      const sockets = players.map(({ token }) => connect(hub.port, token));
      await Promise.all(
        players.map(({ sessionId, id }) =>
          stage.pool.query(
            `with ended as (update ops.sessions set ended_at = now() where id = $1)
           select pg_notify('sessions', json_build_object('accountId', $2::text, 'sessionId', $1::text)::text)`,
            [sessionId, id],
          ),
        ),
      );
      for (const socket of sockets) expect(await socket.closed()).toBe(closeCodes.logged_out.code);
    });

    test('are given up by the client when its token is refused', async () => {
      const player = await stage.account();
      const follower = startFollower(hub.port, { ...player, token: `${player.token}x` }, [player.channel]);
      await until(() => follower.ends.length === 1);
      expect(follower.ends[0]).toMatchObject({ code: 'bad_token' });
    });

    test('end with a code that says resume when the hub stops, and the hub accepts no new sockets', async () => {
      const { listening } = await listen();
      const silent = connect(hub.port);
      await once(silent.socket, 'open');
      const started = performance.now();
      await hub.stop();
      expect(performance.now() - started).toBeLessThan(5_000); // then it would cut who does not go
      expect([await listening.closed(), await silent.closed()]).toEqual([
        closeCodes.going_away.code,
        closeCodes.going_away.code,
      ]);
      await expect(fetch(`http://127.0.0.1:${hub.port}/health`)).rejects.toThrow();
    });
  });
});
