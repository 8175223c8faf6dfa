import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  EventStoreDBClient,
  jsonEvent,
  persistentSubscriptionToStreamSettingsFromDefaults as persistentSettings,
  streamNameFilter,
} from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedNode, startEmbeddedNode } from '../../eventstore/embedded/start.ts';
import { ALL_TRAITS, type Trait } from '../../eventstore/embedded/traits.ts';
import { until } from '../kit/until.ts';
import { conformance, leaderOnly } from './conformance/index.ts';

const directory = mkdtempSync(join(tmpdir(), 'event-node-'));
const unexpectedExits: string[] = [];
let node: EmbeddedNode;
let client: EventStoreDBClient;

const start = async (traits: readonly Trait[]): Promise<void> => {
  node = await startEmbeddedNode({ directory, traits, onExit: (reason) => unexpectedExits.push(reason) });
  client = leaderOnly(EventStoreDBClient.connectionString(node.connectionString));
};

const stop = async (): Promise<void> => {
  await client.dispose();
  await node.stop();
  expect(unexpectedExits).toEqual([]);
};

afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('the embedded event node with everything that a server does', () => {
  beforeAll(() => start(ALL_TRAITS));
  afterAll(stop);
  for (const { name, run } of conformance) it.concurrent(name, () => run(client));
});

describe('the embedded event node', () => {
  beforeAll(() => start([]));
  afterAll(stop);
  for (const { name, run } of conformance) it(name, () => run(client));

  it('reports unsupported requests clearly', async () => {
    const attempts = {
      'create a persistent subscription': client.createPersistentSubscriptionToStream('s', 'g', persistentSettings()),
      'list persistent subscriptions': client.listAllPersistentSubscriptions(),
      'create a projection': client.createProjection('p', 'fromAll()'),
      'list projections': client.listProjections(),
    };
    for (const [what, attempt] of Object.entries(attempts))
      await expect(attempt, what).rejects.toThrow('UNIMPLEMENTED');
  });

  it('refuses a filter that is not a regular expression', async () => {
    const subscription = client.subscribeToAll({ filter: streamNameFilter({ regex: '(' }) });
    const error = await new Promise((resolve) => subscription.once('error', resolve));
    expect(String(error)).toContain('not a regular expression');
  });

  it('refuses an event id that is not a UUID', async () => {
    const event = jsonEvent({ id: 'one', type: 'Happened', data: {} });
    await expect(client.appendToStream('booking-1', event)).rejects.toThrow('BadRequest');
  });
});

describe('the embedded event node that repeats the start', () => {
  beforeAll(() => start(['checkpoint-at-start']));
  afterAll(stop);

  it('repeats no other checkpoint, such as one that is due with the last event of the log', async () => {
    const fill = (count: number) =>
      client.appendToStream(
        'noise',
        Array.from({ length: count }, () => jsonEvent({ type: 'Noise', data: {} })),
      );
    const { position: fromPosition } = await fill(1);
    await fill(10);
    const checkpoints: bigint[] = [];
    const filter = streamNameFilter({
      prefixes: ['wanted'],
      maxSearchWindow: 10,
      checkpointReached: async (_subscription, { commit }) => {
        checkpoints.push(commit);
        if (checkpoints.length === 1) await fill(10);
      },
    });
    const subscription = client.subscribeToAll({ ...(fromPosition && { fromPosition }), filter });
    subscription.on('data', () => undefined);
    await until(() => (checkpoints.at(-1) ?? 0n) > (checkpoints[0] ?? 0n));
    await subscription.unsubscribe();
    expect(checkpoints).toEqual([...new Set(checkpoints)]);
  });
});
