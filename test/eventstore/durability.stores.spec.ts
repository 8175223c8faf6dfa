/**
 * The node is killed repeatedly while it works: acknowledged appends are kept, and unacknowledged ones exist once after
 * a retry.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  EventStoreDBClient,
  type JSONEventData,
  jsonEvent,
  NO_STREAM,
  StreamNotFoundError,
  UnavailableError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { afterAll, expect, it } from 'vitest';
import { type EmbeddedNode, startEmbeddedNode } from '../../eventstore/embedded/start.ts';
import { randomFrom } from '../kit/random.ts';
import { WAIT_MS } from '../kit/until.ts';

const ROUNDS = 4;
const random = randomFrom();
const WRITERS = 16;
/** Time between the start of writing and the kill: long enough for hundreds of appends, and different each time. */
const LOAD_MS = { least: 100, most: 400 };
const RETRY_MS = 20;
/** How much of each stream is compared after a kill; at the end everything is compared. */
const LOOK_BACK = 100;

const directory = mkdtempSync(join(tmpdir(), 'event-node-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Writer {
  readonly stream: string;
  /** Event ids in the order in which their appends were acknowledged. */
  readonly acknowledged: string[];
  retried: number;
}

let client: EventStoreDBClient;
let writing = true;

const start = async (port: number): Promise<{ node: EmbeddedNode; exited: Promise<string> }> => {
  let exit: (reason: string) => void = () => undefined;
  const exited = new Promise<string>((resolve) => {
    exit = resolve;
  });
  return { node: await startEmbeddedNode({ directory, port, onExit: exit }), exited };
};

/** Tries one append until it is acknowledged, always with the same ids and the same expected revision. */
const appendSurely = async (writer: Writer, events: JSONEventData[]): Promise<void> => {
  const revision = writer.acknowledged.length - 1;
  const expectedRevision = revision < 0 ? NO_STREAM : BigInt(revision);
  for (;;) {
    try {
      const { nextExpectedRevision } = await client.appendToStream(writer.stream, events, { expectedRevision });
      expect(nextExpectedRevision).toBe(BigInt(revision + events.length));
      writer.acknowledged.push(...events.map(({ id }) => id));
      return;
    } catch (error) {
      if (error instanceof WrongExpectedVersionError) throw error;
      writer.retried++;
      await pause(RETRY_MS);
    }
  }
};

const writeOn = async (writer: Writer): Promise<void> => {
  while (writing) {
    const size = 1 + (writer.acknowledged.length % 3);
    const events = Array.from({ length: size }, (_, n) =>
      jsonEvent({ type: 'Written', data: { n, filler: 'x'.repeat(300) } }),
    );
    await appendSurely(writer, events);
  }
};

/** A stream that was never written to has no revision. */
const idsIn = async (
  stream: string,
  from = 0,
  giveUpAt = Date.now() + WAIT_MS,
): Promise<{ ids: string[]; revisions: number[] }> => {
  const found = { ids: [] as string[], revisions: [] as number[] };
  try {
    for await (const { event } of client.readStream(stream, { fromRevision: BigInt(from) })) {
      found.ids.push(event?.id ?? '');
      found.revisions.push(Number(event?.revision));
    }
  } catch (error) {
    // Right after a start the client may still report the lost connection.
    if (error instanceof UnavailableError && Date.now() < giveUpAt) {
      await pause(RETRY_MS);
      return idsIn(stream, from, giveUpAt);
    }
    if (!(error instanceof StreamNotFoundError)) throw error;
  }
  return found;
};

it(`keeps what it acknowledged through ${ROUNDS} kills under load`, async () => {
  let { node, exited } = await start(0);
  const port = Number(new URL(node.connectionString).port);
  client = EventStoreDBClient.connectionString(node.connectionString);
  const writers = Array.from(
    { length: WRITERS },
    (_, n): Writer => ({ stream: `writer-${n}`, acknowledged: [], retried: 0 }),
  );
  const work = Promise.all(writers.map(writeOn));
  work.catch(() => undefined); // Checked below, after all rounds.

  for (let round = 0; round < ROUNDS; round++) {
    await pause(LOAD_MS.least + random() * (LOAD_MS.most - LOAD_MS.least));
    const before = writers.map(({ acknowledged }) => acknowledged.length);
    process.kill(node.pid, 'SIGKILL');
    await exited;
    ({ node, exited } = await start(port));
    for (const [i, { stream, acknowledged }] of writers.entries()) {
      const from = Math.max(0, (before[i] ?? 0) - LOOK_BACK);
      const { ids } = await idsIn(stream, from);
      expect(ids.slice(0, (before[i] ?? 0) - from)).toEqual(acknowledged.slice(from, before[i]));
    }
  }
  writing = false;
  await work;

  for (const { stream, acknowledged } of writers) {
    const { ids, revisions } = await idsIn(stream);
    expect(ids).toEqual(acknowledged);
    expect(revisions).toEqual(acknowledged.map((_, n) => n));
  }
  await expectAllInOrder(writers);
  expect(writers.reduce((sum, { retried }) => sum + retried, 0)).toBeGreaterThan(0);
  await client.dispose();
  await node.stop();
});

/** $all holds every event of every writer once, each stream in its order, at increasing positions. */
const expectAllInOrder = async (writers: readonly Writer[]): Promise<void> => {
  const seen = new Map(writers.map(({ stream }) => [stream, [] as string[]]));
  let last = -1n;
  for await (const { event } of client.readAll()) {
    expect(event?.position?.commit).toBeGreaterThan(last);
    last = event?.position?.commit ?? last;
    seen.get(event?.streamId ?? '')?.push(event?.id ?? '');
  }
  for (const { stream, acknowledged } of writers) expect(seen.get(stream)).toEqual(acknowledged);
};
