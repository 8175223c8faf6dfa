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
import { conformance } from './conformance/index.ts';

const directory = mkdtempSync(join(tmpdir(), 'event-node-'));
const unexpectedExits: string[] = [];
let node: EmbeddedNode;
let client: EventStoreDBClient;

beforeAll(async () => {
  node = await startEmbeddedNode({ directory, onExit: (reason) => unexpectedExits.push(reason) });
  client = EventStoreDBClient.connectionString(node.connectionString);
});

afterAll(async () => {
  await client.dispose();
  await node.stop();
  rmSync(directory, { recursive: true, force: true });
  expect(unexpectedExits).toEqual([]);
});

describe('the embedded event node', () => {
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
