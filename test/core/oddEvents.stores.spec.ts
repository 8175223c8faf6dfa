/** Events of any bytes in the log: all read models and all policies go on, and the log is copied, exported and imported. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { binaryEvent, type EventData, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { expect, it } from 'vitest';
import { policyRetry } from '../../commands/core/policy.ts';
import { runPolicies } from '../../commands/core/policyRunner.ts';
import { policies } from '../../commands/modules.ts';
import { inventory } from '../../domain/catalog/inventory.ts';
import { formatPosition, listCheckpoints } from '../../eventstore/checkpoints.ts';
import { EventTooLarge } from '../../eventstore/client/index.ts';
import { copyEvents, matchLogs } from '../../eventstore/copy.ts';
import { assertLogFormat } from '../../eventstore/format.ts';
import { readHistory } from '../../eventstore/history.ts';
import { assertSameLog } from '../../eventstore/identity.ts';
import { eventsOf, pagesOf } from '../../eventstore/pages.ts';
import { exportPages, importLines } from '../../ops/cli/logFile.ts';
import { listParked, retryParked } from '../../projections/engine/parked.ts';
import { runProjector } from '../../projections/engine/runner.ts';
import { groups, models } from '../../projections/modules.ts';
import { contextOf } from '../kit/context.ts';
import { testDeps } from '../kit/deps.ts';
import { scratchFolder } from '../kit/scratch.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

/** The client writes the bytes of such an event as they are, and asks a second time what they are called. */
const rawJson = (type: string, text: string, metadata: object): EventData => {
  let asked = 0;
  return {
    ...binaryEvent({ type, data: Buffer.from(text), metadata: Buffer.from(JSON.stringify(metadata)) }),
    get contentType() {
      asked += 1;
      return asked === 1 ? 'application/json' : 'application/octet-stream';
    },
  } as EventData;
};

const TYPES = [
  'CapacitySet',
  'PersonErased',
  'AccountCreated',
  'BookingPaid',
  'Unheard',
  'Un\u0000heard',
  'x'.repeat(3_000),
];
const STREAMS = [
  'foreign\u0000x',
  'nodash',
  '%',
  '😀'.repeat(200),
  'x'.repeat(1_000),
  'account-',
  'account-\u0000',
  'inventory-%00',
];
const TEXTS = [
  'null',
  '[]',
  '5',
  '"text"',
  '{"capacity":1e400}',
  '{"n":-0}',
  '{"capacity":',
  '',
  '[['.repeat(3_000) + ']]'.repeat(3_000),
];

it('stop neither read models nor policies, and are copied, exported and imported', async () => {
  const [stores, copied, imported] = [await freshStores(), await freshStores(), await freshStores()];
  const node = testDeps(stores);
  const client = EventStoreDBClient.connectionString(stores.eventStore);
  const change = (item: string) =>
    node.aggregates.handle(inventory, item, { type: 'SetCapacity', capacity: 1 }, contextOf('system'));
  await change(randomUUID());
  const [first] = (await stores.store.readAll({ max: 1 })).events;
  const ours = first?.metadata ?? {};

  const write = (stream: string, event: EventData) => client.appendToStream(stream, event);
  for (const type of TYPES) {
    for (const stream of STREAMS)
      await write(stream, jsonEvent({ type, data: { a: 'b\u0000' }, metadata: ours as object as never }));
    for (const text of TEXTS) await write(`inventory-${randomUUID()}`, rawJson(type, text, ours));
    await write(
      `account-${randomUUID()}`,
      binaryEvent({ type, data: Uint8Array.of(255, 0), metadata: Uint8Array.of(0, 255) }),
    );
    await write(
      `account-${randomUUID()}`,
      rawJson(type, '{}', { ...ours, $correlationId: 'a\u0000', commandId: 5, actor: null }),
    );
    await write(`account-${randomUUID()}`, rawJson(type, '{}', { commandId: 'x', format: 7 }));
    await write(`account-${randomUUID()}`, jsonEvent({ type, data: {} }));
  }
  await write('foreign\u0000x', jsonEvent({ type: 'Unheard', data: {} }));
  const after = randomUUID();
  await change(after);

  const stopping = new AbortController();
  const running = [
    runProjector({ ...node, groups }, stopping.signal),
    runPolicies(node, policies, policyRetry(policies), stopping.signal),
  ];
  const head = await stores.store.head();
  const last = (await stores.store.readAll({ max: 1, direction: 'backwards' })).events[0]?.position ?? head;
  const consumers = [...groups.map(({ name }) => name), ...policies.map(({ name }) => `policy:${name}`)];
  await until(async () => {
    const reached = await listCheckpoints(stores.pool);
    return consumers.every((name) => (reached.get(name)?.commit ?? -1n) >= (last?.commit ?? 0n));
  });
  expect(last && formatPosition(last)).toBeTruthy();
  const parked = await listParked(stores.pool);
  const hidden = parked.find(({ stream }) => stream.startsWith('foreignx…'));
  expect(hidden).toBeDefined();
  const model = models.find(({ name }) => name === hidden?.model);
  if (hidden && model) expect(await retryParked(node, model, hidden.stream)).toBe(hidden.reason);
  expect(parked.map(({ stream }) => stream)).not.toContain(`inventory-${after}`);
  await assertSameLog(stores.pool, stores.store);
  await assertLogFormat(stores.store);
  stopping.abort();
  await Promise.all(running);

  for (const stream of STREAMS)
    expect((await readHistory(node, stream, { from: 0, max: 100 })).length).toBeGreaterThanOrEqual(TYPES.length);

  await copyEvents(eventsOf(stores.store), copied.store);
  const { events } = await matchLogs(eventsOf(stores.store), eventsOf(copied.store));
  const file = path.join(await scratchFolder('export'), 'log.ndjson');
  const lines: string[] = [];
  for await (const page of exportPages(pagesOf(stores.store), true)) lines.push(...page.lines);
  await writeFile(file, `${lines.join('\n')}\n`);
  expect(await copyEvents(importLines(file), imported.store)).toBe(events);
  expect(await matchLogs(importLines(file), eventsOf(imported.store))).toMatchObject({ events });
  await client.dispose();
  for (const each of [stores, copied, imported]) await each.stop();
});

it('larger than what we append are refused in a copy by their place', async () => {
  const target = await freshStores();
  const [revision, position] = [0n, { commit: 1n, prepare: 1n }];
  const large = {
    id: randomUUID(),
    type: 'Large',
    stream: 'foreign-1',
    revision,
    position,
    metadata: undefined as never,
  };
  async function* source() {
    yield { ...large, data: { text: 'x'.repeat(2 * 1024 * 1024) } };
  }
  const copying = copyEvents(source(), target.store);
  await expect(copying).rejects.toThrow(EventTooLarge);
  await expect(copying).rejects.toThrow('revision 0 of foreign-1 cannot be copied');
  await target.stop();
});

it('of many bytes a character are copied in appends that are small enough', async () => {
  const target = await freshStores();
  const about = { stream: 'foreign-1', type: 'Large', metadata: undefined as never };
  async function* source() {
    for (let n = 0; n < 5; n += 1) {
      const position = { commit: BigInt(n), prepare: BigInt(n) };
      yield { ...about, id: randomUUID(), revision: BigInt(n), position, data: { text: '雪'.repeat(120_000) } };
    }
  }
  expect(await copyEvents(source(), target.store)).toBe(5);
  await target.stop();
});
