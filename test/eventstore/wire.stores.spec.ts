/** What other clients than ours send, and readers that stop reading: the node below the client. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import type { Client } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EventNode, runNode } from '../../eventstore/embedded/node.ts';
import { decode } from '../../eventstore/messages.ts';
import { collect } from './conformance/support.ts';
import { answerOf, batchAppend, connectWire, keyMetadata, openBatch, structured } from './wire.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'event-node-'));
let node: EventNode;
let wire: Client;
let client: EventStoreDBClient;

const fail = (error: unknown): never => {
  throw error;
};
beforeAll(async () => {
  node = await runNode(directory, 0, fail, fail, { healthPort: 0 });
  wire = connectWire(node.connectionString);
  client = EventStoreDBClient.connectionString(node.connectionString);
});
afterAll(async () => {
  wire.close();
  await client.dispose();
  await node.stop();
  rmSync(directory, { recursive: true, force: true });
});

const aStream = () => `wire-${randomUUID()}`;
const correlated = () => ({ correlationId: { string: randomUUID() }, stream: aStream() });

describe('a batch append', () => {
  it('is answered and ends when the caller has closed its side', async () => {
    const call = openBatch(wire, keyMetadata(node.connectionString));
    const answers: string[] = [];
    call.on('data', (reply: Buffer) => answers.push(answerOf(reply)));
    for (let n = 0; n < 3; n += 1) call.write(batchAppend({ ...correlated(), id: { string: randomUUID() } }));
    call.end();
    const [status] = await once(call, 'status');
    expect(answers).toEqual(['written', 'written', 'written']);
    expect(status).toMatchObject({ code: 0 });
  });

  it('accepts ids of two halves, and repeats the correlation id in that form', async () => {
    const [correlationId, id, stream] = [randomUUID(), 'f0000000-0000-4000-8000-0000000000ff', aStream()];
    const call = openBatch(wire, keyMetadata(node.connectionString));
    call.write(batchAppend({ correlationId: structured(correlationId), stream, id: structured(id) }));
    const [reply] = (await once(call, 'data')) as [Buffer];
    call.end();
    expect(answerOf(reply)).toBe('written');
    const echoed = decode('UUID', decode('BatchAppendResp', reply).correlationId).structured;
    expect(String(echoed?.mostSignificantBits)).toBe(structured(correlationId).structured.mostSignificantBits);
    const [read] = await collect(client.readStream(stream));
    expect(read?.event?.id).toBe(id);
  });

  it('whose deadline has passed is answered before its events arrive', async () => {
    const call = openBatch(wire, keyMetadata(node.connectionString));
    call.write(batchAppend({ ...correlated(), deadline: 1, isFinal: false }));
    const [reply] = (await once(call, 'data')) as [Buffer];
    call.end();
    expect(answerOf(reply)).toBe('Timeout');
  });
});

it('answers GET /health/live, and nothing else', async () => {
  const at = `http://127.0.0.1:${node.healthPort}`;
  expect((await fetch(`${at}/health/live`)).status).toBe(204);
  expect((await fetch(`${at}/`)).status).toBe(404);
});

it('is discovered by gossip, also as one of several hosts', async () => {
  const { host, search } = new URL(node.connectionString);
  for (const address of [`esdb+discover://${host}${search}`, `esdb://${host},127.0.0.1:9${search}`]) {
    const discovering = EventStoreDBClient.connectionString(address);
    const stream = aStream();
    await discovering.appendToStream(stream, jsonEvent({ type: 'Happened', data: {} }));
    expect(await collect(discovering.readStream(stream))).toHaveLength(1);
    await discovering.dispose();
  }
});

describe('the key of the connection string', () => {
  const withName = (name: string) => `esdb://${new URL(node.connectionString).host}?tls=false&connectionName=${name}`;

  it.each(['', 'x', 'x'.repeat(43)])('is needed for every call on streams: %j is refused', async (name) => {
    const stranger = EventStoreDBClient.connectionString(
      name ? withName(name) : withName('x').replace('&connectionName=x', ''),
    );
    const stream = aStream();
    const calls = [
      stranger.appendToStream(stream, jsonEvent({ type: 'Happened', data: {} })),
      collect(stranger.readStream(stream)),
      collect(stranger.readAll({ maxCount: 1 })),
      stranger.deleteStream(stream),
      stranger.tombstoneStream(stream),
    ];
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome.status).toBe('rejected');
      expect(String((outcome as PromiseRejectedResult).reason)).toMatch(/UNAUTHENTICATED|connection.txt/i);
    }
    await stranger.dispose();
    await client.appendToStream(stream, jsonEvent({ type: 'Happened', data: {} }), { expectedRevision: 'no_stream' });
  });

  it('is in a file that only its owner reads, in a folder that only its owner enters, and stays the same', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'event-node-'));
    chmodSync(folder, 0o755);
    const first = await runNode(folder, 0, fail, fail);
    await first.stop();
    const second = await runNode(folder, 0, fail, fail);
    const keys = [first, second].map(({ connectionString }) =>
      new URL(connectionString).searchParams.get('connectionName'),
    );
    expect(keys[0]).toMatch(/^[\w-]{43}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(folder, 'connection.txt')).mode & 0o777).toBe(0o600);
    expect(readFileSync(path.join(folder, 'connection.txt'), 'utf8')).toBe(`${second.connectionString}\n`);
    await second.stop();
    rmSync(folder, { recursive: true });
  });

  it('can be switched off', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'event-node-'));
    const open = await runNode(folder, 0, fail, fail, { isOpen: true });
    expect(open.connectionString).not.toContain('connectionName');
    const anybody = EventStoreDBClient.connectionString(open.connectionString);
    await anybody.appendToStream(aStream(), jsonEvent({ type: 'Happened', data: {} }));
    await anybody.dispose();
    await open.stop();
    rmSync(folder, { recursive: true });
  });
});
