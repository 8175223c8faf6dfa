/** Copying a log: interrupting and resuming, comparing every event, converting checkpoints; export and import. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type EventStore, type StoredEvent, StoreUnavailable } from '../../eventstore/client/index.ts';
import { copyEvents, LogsDiffer, matchLogs } from '../../eventstore/copy.ts';
import { eventsOf, pagesOf } from '../../eventstore/pages.ts';
import { exportPages, importLines } from '../../ops/cli/logFile.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { type Counters, counted, counters, fill, newIds } from '../projections/counters.ts';

const EVENTS = 1_240;
/** No test changes it. */
let source: Counters;
let target: Counters;
const filled = async (): Promise<Counters> => {
  const log = counters(await freshStores({ amongOthers: true }));
  await fill(log, newIds(10), 1_200);
  for (const id of newIds(20)) await log.append(id, counted(), counted());
  return log;
};
beforeAll(async () => {
  source = await filled();
});
afterAll(async () => {
  await source.stop();
});
beforeEach(async () => {
  target = counters(await freshStores({ amongOthers: true }));
});
afterEach(() => target.stop());

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

describe('a copy', () => {
  it('equals the source, and resumes after an interruption', async () => {
    const stopping = new AbortController();
    const onProgress = (copied: number) => copied > 300 && stopping.abort();
    const options = { signal: stopping.signal, onProgress, atOnce: 4 };
    const first = await copyEvents(eventsOf(source.store), target.store, options);
    expect(first).toBeGreaterThan(300);
    expect(first).toBeLessThan(EVENTS);
    expect(first + (await copyEvents(eventsOf(source.store), target.store))).toBe(EVENTS);
    expect(await copyEvents(eventsOf(source.store), target.store)).toBe(0);
    expect(await matchLogs(eventsOf(source.store), eventsOf(target.store))).toMatchObject({ events: EVENTS });
    expect(await idsOf(target)).toEqual(await idsOf(source));
  });

  const idsOf = async ({ store }: Counters): Promise<string[]> => (await collect(eventsOf(store))).map(({ id }) => id);
  /** The target, with some appends that get no answer, and which of those are stored. */
  const failing = (fails: (call: number) => 'stored' | 'lost' | 'lost later' | undefined): EventStore => {
    let calls = 0;
    return {
      ...target.store,
      append: async (stream, events, expected, options) => {
        calls += options?.once ? 1 : 0;
        const how = options?.once ? fails(calls) : undefined;
        if (how === 'lost later') await until(() => calls > 100);
        if (how === 'lost' || how === 'lost later') throw new StoreUnavailable('lost');
        const appended = await target.store.append(stream, events, expected, options);
        if (how === 'stored') throw new StoreUnavailable('no answer');
        return appended;
      },
    };
  };

  describe('of many streams by turns, so that each event is an append of its own', () => {
    const count = EVENTS + 15 * 20;
    let interleaved: Counters;
    beforeAll(async () => {
      interleaved = await filled();
      const ids = newIds(20);
      for (let round = 0; round < 15; round += 1)
        await Promise.all(ids.map((id) => interleaved.append(id, counted(1, `${round},`))));
    });
    afterAll(() => interleaved.stop());

    it('has many appends under way, and keeps the order across streams', async () => {
      let [underWay, most, appends] = [0, 0, 0];
      const counting: EventStore = {
        ...target.store,
        append: async (...append) => {
          underWay += 1;
          appends += 1;
          most = Math.max(most, underWay);
          return target.store.append(...append).finally(() => {
            underWay -= 1;
          });
        },
      };
      expect(await copyEvents(eventsOf(interleaved.store), counting, { atOnce: 32 })).toBe(count);
      expect(most).toBe(32);
      expect(appends).toBeLessThan(count / 3); // consecutive events of a stream are one append
      expect(await idsOf(target)).toEqual(await idsOf(interleaved));
    });

    it('keeps the order when the connection to the target is lost', async () => {
      const cut = failing((call) => {
        if (call < 40 || call > 90) return undefined;
        return call < 60 ? 'stored' : 'lost';
      });
      expect(await copyEvents(eventsOf(interleaved.store), cut)).toBe(count);
      expect(await idsOf(target)).toEqual(await idsOf(interleaved));
    });

    it('says so when the target lost one append and stored later ones', async () => {
      const holed = failing((call) => (call === 60 ? 'lost later' : undefined));
      await expect(copyEvents(eventsOf(interleaved.store), holed)).rejects.toThrow('in another order');
    });
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
    const pages = await collect(exportPages(pagesOf(source.store), true));
    const file = path.join(directory, 'log.ndjson');
    await writeFile(file, pages.flatMap(({ lines }) => lines.map((line) => `${line}\n`)).join(''));
    return { file, hash: pages.at(-1)?.hash };
  };

  it('is imported as the same log, with the same hash', async () => {
    const { file, hash } = await exported();
    expect(await copyEvents(importLines(file), target.store)).toBe(EVENTS);
    expect(await matchLogs(eventsOf(source.store), eventsOf(target.store))).toMatchObject({ events: EVENTS });
    expect((await collect(exportPages(pagesOf(target.store), true))).at(-1)?.hash).toBe(hash);
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
