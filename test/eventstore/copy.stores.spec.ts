/** Copying a log: interrupting and resuming, comparing every event, converting checkpoints; export and import. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../eventstore/client/index.ts';
import { copyEvents, eventsOf, LogsDiffer, matchLogs } from '../../eventstore/copy.ts';
import { exportLines, importLines } from '../../ops/cli/logFile.ts';
import { type StoreServers, startStoreServers } from '../kit/stores.ts';
import { type Counters, counted, counters, fill, newIds } from '../projections/counters.ts';

let servers: StoreServers;
let source: Counters;
let target: Counters;
beforeAll(async () => {
  servers = await startStoreServers({ amongOthers: true });
});
afterAll(() => servers.stop());
beforeEach(async () => {
  [source, target] = [counters(await servers.fresh()), counters(await servers.fresh())];
  await fill(source, newIds(10), 1_200);
  for (const id of newIds(20)) await source.append(id, counted(), counted());
});
afterEach(async () => {
  await source.stop();
  await target.stop();
});

const EVENTS = 1_240;
const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

describe('a copy', () => {
  it('equals the source, and resumes after an interruption', async () => {
    const stopping = new AbortController();
    const onProgress = (copied: number) => copied > 300 && stopping.abort();
    const first = await copyEvents(eventsOf(source.store), target.store, { signal: stopping.signal, onProgress });
    expect(first).toBeGreaterThan(300);
    expect(first).toBeLessThan(EVENTS);
    expect(first + (await copyEvents(eventsOf(source.store), target.store))).toBe(EVENTS);
    expect(await copyEvents(eventsOf(source.store), target.store)).toBe(0);
    expect(await matchLogs(eventsOf(source.store), eventsOf(target.store))).toMatchObject({ events: EVENTS });
    const ids = async (of: Counters) => (await collect(eventsOf(of.store))).map(({ id }) => id);
    expect(await ids(target)).toEqual(await ids(source));
  });

  it('converts positions of one log to the other', async () => {
    await copyEvents(eventsOf(source.store), target.store);
    const events = await collect(eventsOf(source.store));
    const copies = await collect(eventsOf(target.store));
    const { position } = events[400] as StoredEvent;
    const marks = new Map([
      ['at an event', position],
      ['between two', { commit: position.commit + 1n, prepare: position.prepare + 1n }],
      ['at the end', { commit: 2n ** 60n, prepare: 2n ** 60n }],
    ]);
    const matched = await matchLogs(eventsOf(source.store), eventsOf(target.store), marks);
    expect(matched.marks.get('at an event')).toEqual(copies[400]?.position);
    expect(matched.marks.get('between two')).toEqual(copies[400]?.position);
    expect(matched.marks.get('at the end')).toEqual(copies.at(-1)?.position);
  });

  it('rejects a target that has other events', async () => {
    await target.append(newIds(1)[0] ?? '', counted());
    await expect(copyEvents(eventsOf(source.store), target.store)).rejects.toThrow(LogsDiffer);
  });

  it('is detected when it differs', async () => {
    await copyEvents(eventsOf(source.store), target.store);
    const [first] = await collect(eventsOf(source.store));
    const altered = async function* () {
      for await (const event of eventsOf(target.store))
        yield event.id === first?.id ? { ...event, data: { ...event.data, by: 2 } } : event;
    };
    await expect(matchLogs(eventsOf(source.store), altered())).rejects.toThrow('event 1,');
    await target.append(newIds(1)[0] ?? '', counted());
    await expect(matchLogs(eventsOf(source.store), eventsOf(target.store))).rejects.toThrow('has more than these');
  });
});

describe('an export', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'resort-export-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const exported = async (): Promise<{ file: string; hash: string | undefined }> => {
    const lines = await collect(exportLines(eventsOf(source.store), true));
    const file = path.join(directory, 'log.ndjson');
    await writeFile(file, lines.map(({ line }) => `${line}\n`).join(''));
    return { file, hash: lines.at(-1)?.hash };
  };

  it('is imported as the same log, with the same hash', async () => {
    const { file, hash } = await exported();
    expect(await copyEvents(importLines(file), target.store)).toBe(EVENTS);
    expect(await matchLogs(eventsOf(source.store), eventsOf(target.store))).toMatchObject({ events: EVENTS });
    expect((await collect(exportLines(eventsOf(target.store), true))).at(-1)?.hash).toBe(hash);
  });

  it.each([
    ['altered', (lines: string[]) => lines.with(7, (lines[7] ?? '').replace('"by":1', '"by":2'))],
    ['taken out', (lines: string[]) => lines.toSpliced(7, 1)],
    ['moved', (lines: string[]) => lines.with(7, lines[8] ?? '').with(8, lines[7] ?? '')],
    ['cut in the middle of a line', (lines: string[]) => lines.with(7, (lines[7] ?? '').slice(0, 40))],
  ])('reports that something was %s', async (_, alter) => {
    const { file } = await exported();
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    await writeFile(file, alter(lines).join('\n'));
    await expect(collect(importLines(file))).rejects.toThrow(/line (8|9)/);
  });
});
