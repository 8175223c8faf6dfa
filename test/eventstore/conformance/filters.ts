import assert from 'node:assert/strict';
import {
  eventTypeFilter,
  excludeSystemEvents,
  type Filter,
  type Position,
  streamNameFilter,
} from '@eventstore/db-client';
import { type Case, event, Follower, fill, followAll, following, newStream, tailOf } from './support.ts';

/**
 * Subscribes with the filter and checks that exactly the expected events of these streams arrive, including live ones.
 */
const filters = (build: (run: string) => { filter: Filter; expected: readonly string[] }): Case['run'] => {
  return async (client) => {
    const run = newStream('run').slice(4);
    const { filter, expected } = build(run);
    const write = async (): Promise<void> => {
      await client.appendToStream(`alpha-${run}`, [event(0, `Opened${run}`), event(1, `Closed${run}`)]);
      await client.appendToStream(`beta-${run}`, [event(2, `Opened${run}`)]);
    };
    const tail = await tailOf(client);
    await write();
    await following(followAll(client, tail, filter), async (follower) => {
      await follower.untilReceived(expected.length);
      await write();
      await follower.untilReceived(2 * expected.length);
      const seen = follower.received.map(
        ({ event }) => `${event?.streamId.split('-')[0]} ${event?.type.replace(run, '')}`,
      );
      assert.deepEqual(seen, [...expected, ...expected]);
    });
  };
};

export const filtersOfAll: readonly Case[] = [
  {
    name: 'filter: stream names by prefix',
    run: filters((run) => ({
      filter: streamNameFilter({ prefixes: [`beta-${run}`, `gamma-${run}`] }),
      expected: ['beta Opened'],
    })),
  },
  {
    name: 'filter: stream names by regular expression',
    run: filters((run) => ({
      filter: streamNameFilter({ regex: `^(alpha|gamma)-.*${run.slice(-12)}$` }),
      expected: ['alpha Opened', 'alpha Closed'],
    })),
  },
  {
    name: 'filter: event types by prefix',
    run: filters((run) => ({
      filter: eventTypeFilter({ prefixes: [`Opened${run}`] }),
      expected: ['alpha Opened', 'beta Opened'],
    })),
  },
  {
    name: 'filter: event types by regular expression',
    run: filters((run) => ({ filter: eventTypeFilter({ regex: `^Closed${run}$` }), expected: ['alpha Closed'] })),
  },
  {
    name: 'filter: system events can be left out',
    run: async (client) => {
      const stream = newStream();
      const tail = await tailOf(client);
      await client.setStreamMetadata(stream, { maxCount: 5 });
      await fill(client, stream, 1);
      await following(followAll(client, tail, excludeSystemEvents()), async (follower) => {
        await follower.until('the event', () => follower.received.some(({ event }) => event?.streamId === stream));
        assert.ok(follower.received.every(({ event }) => !event?.type.startsWith('$')));
      });
    },
  },
  {
    name: 'filter: checkpoints advance without matching events, and resuming from one misses nothing',
    run: async (client) => {
      const [wanted, noise] = [newStream('wanted'), newStream('noise')];
      const checkpoints: Position[] = [];
      const start = (await client.appendToStream(noise, event(0))).position;
      assert.ok(start);
      const filterOf = (checkpointReached?: (checkpoint: Position) => void) =>
        streamNameFilter({
          prefixes: [wanted],
          maxSearchWindow: 10,
          checkpointReached: async (_subscription, checkpoint) => checkpointReached?.(checkpoint),
        });
      const follower: Follower = new Follower(
        client.subscribeToAll({
          fromPosition: start,
          filter: filterOf((checkpoint) => {
            checkpoints.push(checkpoint);
            follower.notice();
          }),
        }),
      );
      await following(follower, async () => {
        for (let n = 0; n < 10; n++) await fill(client, noise, 10, n);
        await follower.until('a later checkpoint', () => (checkpoints.at(-1)?.commit ?? 0n) > start.commit);
      });
      const commits = checkpoints.map(({ commit }) => commit);
      assert.deepEqual(
        commits,
        [...new Set(commits)].sort((a, b) => Number(a - b)),
        'checkpoints never go back',
      );
      // A server may repeat the start when the subscription becomes live.
      assert.ok(commits.every((commit) => commit >= start.commit && commit < 2n ** 63n));
      assert.ok((commits.at(-1) ?? 0n) > start.commit);
      await fill(client, wanted, 2);
      const resumed = client.subscribeToAll({ fromPosition: checkpoints.at(-1) ?? start, filter: filterOf() });
      await following(new Follower(resumed), async (again) => {
        await again.untilReceived(2);
        assert.deepEqual(again.numbers, [0, 1]);
      });
    },
  },
];
