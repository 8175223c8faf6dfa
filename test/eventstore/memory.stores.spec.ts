/** How much of the log the node holds in memory for one reader that has stopped reading, however large the events. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { Log } from '../../eventstore/embedded/log.ts';
import { Outlet } from '../../eventstore/embedded/outlet.ts';
import { read } from '../../eventstore/embedded/read.ts';
import type { ReadRequest } from '../../eventstore/embedded/requests.ts';
import { Writer } from '../../eventstore/embedded/writer.ts';
import { until } from '../kit/until.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'event-log-'));
const fail = (error: unknown): never => {
  throw error;
};
const log = new Log(directory);
const writer = new Writer(log, fail);
afterAll(async () => {
  await writer.close();
  await log.close();
  rmSync(directory, { recursive: true, force: true });
});

const LARGE = 900_000;
const COUNT = 40;

const large = (stream: string) => ({
  kind: 'append' as const,
  stream,
  expected: 'any' as const,
  events: [{ id: randomUUID(), type: 'Large', isJson: false, data: Buffer.alloc(LARGE), metadata: Buffer.alloc(0) }],
  size: LARGE,
  deadline: Infinity,
});

const reading: ReadRequest = {
  stream: undefined,
  from: 'start',
  direction: 'forwards',
  resolveLinks: false,
  count: COUNT,
  filter: undefined,
  requiresLeader: true,
};

it('is about a megabyte, in pages and in what waits to be sent', async () => {
  await Promise.all(Array.from({ length: COUNT }, () => writer.submit(large('large-1'))));
  expect(log.allForwards(0, 256).records.length).toBeLessThanOrEqual(2);
  expect(log.allBackwards(log.end, 256).records.length).toBeLessThanOrEqual(2);
  expect(log.streamForwards('large-1', 0, COUNT - 1, 256).records.length).toBeLessThanOrEqual(2);

  const sent: Buffer[] = [];
  let takeNext: () => void = () => undefined;
  const call = new Writable({
    objectMode: true,
    highWaterMark: 256, // as the event store's client sets it for its process
    write: (message: Buffer, _encoding, done) => {
      sent.push(message);
      takeNext = done;
    },
  });
  const end = read({ log, request: reading, outlet: new Outlet(call), traits: new Set() });
  await until(() => sent.length === 1);
  for (let n = 0; n < 100; n += 1) await nextTurn();
  expect(call.writableLength).toBe(1);

  while (sent.length < COUNT) {
    const before = sent.length;
    takeNext();
    await until(() => sent.length > before);
  }
  takeNext();
  await end;
});
