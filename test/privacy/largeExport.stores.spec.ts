/** The export of somebody with many messages: some rows in memory at a time, however slowly they are taken. */

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { certificateOf } from '../../commands/core/certificateParts.ts';
import { eraseRows } from '../../commands/core/erasure.ts';
import { FileMissing, type FileStore } from '../../commands/files/fileStore.ts';
import { exportArchive, removeArchives, requestExport } from '../../commands/privacy/archives.ts';
import { documentText, PIECE_CHARS } from '../../commands/privacy/document.ts';
import { archiveById, requestArchive } from '../../commands/privacy/tables.ts';
import { ROWS_AT_ONCE } from '../../infra/exportSections.ts';
import type { Pool } from '../../infra/postgres.ts';
import { allMigrations } from '../../ops/tables.ts';
import { messages } from '../../projections/chat/messages.ts';
import { createTable } from '../../projections/engine/tables.ts';
import { models } from '../../projections/modules.ts';
import { contextOf } from '../kit/context.ts';
import { changed, type Node, testDeps } from '../kit/deps.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

/** 200,000 by hand: it prints what the heap grew by, garbage not counted. */
const MESSAGES = Number(process.env.EXPORT_MESSAGES ?? 20_000);
const LONG_MS = 300_000;

let stores: Stores;
let node: Node;
let folder: string;
const person = randomUUID();
const body = 'x'.repeat(400);
beforeAll(async () => {
  stores = await freshStores();
  node = testDeps(stores);
  folder = await mkdtemp(path.join(tmpdir(), 'resort-export-'));
  await stores.vault.keyToWrite(person);
  await stores.pool.query('create schema if not exists read');
  for (const model of models) await stores.pool.query(createTable(model, model.name));
  await stores.pool.query(
    `insert into read.${messages.name} (id, thread_id, seq, sender_id, kind, body, mentions, sent_at, parties, attachments)
     select gen_random_uuid(), $1, n, $2, 'text', $3, '{}', now(), '{}', '[]' from generate_series(1, $4) n`,
    [randomUUID(), person, body, MESSAGES],
  );
}, LONG_MS);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** A pool that notes how many rows each statement has brought. @param onRows is told after each */
const noting = (pool: Pool, rows: number[], onRows: () => void = () => undefined): Pool =>
  new Proxy(pool, {
    get: (target, name) => {
      const own = Reflect.get(target, name);
      if (name !== 'connect') return typeof own === 'function' ? own.bind(target) : own;
      return async () => {
        const client = await target.connect();
        return new Proxy(client, {
          get: (inner, part) => {
            const value = Reflect.get(inner, part);
            if (part !== 'query') return typeof value === 'function' ? value.bind(inner) : value;
            return async (...given: Parameters<typeof inner.query>) => {
              const result = await inner.query(...given);
              rows.push((result as unknown as { rows?: unknown[] }).rows?.length ?? 0);
              onRows();
              return result;
            };
          },
        });
      };
    },
  });

/** The heap in use, in bytes, without garbage. */
const collect = (() => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
})();
const heapInUse = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};
/** More than any buffer, and less than 20,000 messages take. */
const MOST_BYTES = 10_000_000;

const at = new Date().toISOString();
const sum = (counts: readonly number[]) => counts.reduce((all, each) => all + each, 0);
const isIdle = () => stores.pool.idleCount === stores.pool.totalCount;
const say = (line: string) => process.env.EXPORT_MESSAGES && process.stdout.write(`${line}\n`);

it(`reads ${MESSAGES} messages some at a time, and only as fast as they are taken`, async () => {
  const rows: number[] = [];
  const pieces = Readable.from(documentText({ ...node, patientPool: noting(stores.pool, rows) }, person, at));
  let [count, longest, length] = [0, 0, 0];
  const heapBefore = heapInUse();
  let [heap, ahead, pieceCount] = [0, 0, 0];
  for await (const piece of pieces as AsyncIterable<string>) {
    longest = Math.max(longest, piece.length);
    length += piece.length;
    // A slow reader: whatever would be read ahead is read now.
    await new Promise((resolve) => setImmediate(resolve));
    count += piece.split('"kind":"text"').length - 1;
    // What was read and not taken yet: two pieces that stand ready, and the rows that the next one is made of.
    ahead = Math.max(ahead, sum(rows) - count);
    pieceCount += 1;
    if (pieceCount % 50 === 0) heap = Math.max(heap, heapInUse());
  }
  expect(count).toBe(MESSAGES);
  expect(Math.max(...rows)).toBe(ROWS_AT_ONCE);
  expect(longest).toBeLessThan(2 * PIECE_CHARS);
  expect(ahead).toBeLessThan((3 * PIECE_CHARS) / body.length + 2 * ROWS_AT_ONCE);
  expect(heap - heapBefore).toBeLessThan(MOST_BYTES);
  expect(await until(isIdle)).toBe(true);
  say(`${(length / 1e6).toFixed(0)} MB in all, heap at most ${((heap - heapBefore) / 1e6).toFixed(1)} MB larger`);
}, 300_000);

it('gives the connection back when its reader goes away', async () => {
  const pieces = Readable.from(documentText(node, person, at));
  for await (const _ of pieces) break;
  expect(await until(isIdle)).toBe(true);
});

/** Where nothing is kept. */
const nowhere: FileStore = {
  put: async () => {},
  get: async () => {
    throw new FileMissing('none');
  },
  remove: async () => 'gone',
  async *former() {},
  removeFormer: async () => 'gone',
  removeMark: async () => 'gone',
  close: async () => undefined,
};
const archiving = (deps: Node, id: string) =>
  exportArchive.run({ id, data: {}, attempt: 1 }, { deps, context: contextOf('system', 'system') });
const asked = async () => {
  const id = randomUUID();
  await requestArchive(stores.pool, { id, person, at });
  return id;
};

it('makes an archive of them some rows at a time', async () => {
  const rows: number[] = [];
  const heapBefore = heapInUse();
  let heap = heapBefore;
  const look = () => {
    if (rows.length % 100 === 0) heap = Math.max(heap, heapInUse());
  };
  const deps = changed(node, {
    patientPool: noting(stores.pool, rows, look),
    fileStore: nowhere,
    settings: { incomingDir: folder },
  });
  const id = await asked();
  await archiving(deps, id);
  expect(await archiveById(stores.pool, id)).toMatchObject({ status: 'ready', size: expect.any(Number) });
  expect(sum(rows)).toBeGreaterThanOrEqual(MESSAGES);
  expect(Math.max(...rows)).toBe(ROWS_AT_ONCE);
  expect(heap - heapBefore).toBeLessThan(MOST_BYTES);
  say(`archive: heap at most ${((heap - heapBefore) / 1e6).toFixed(1)} MB larger`);
}, 300_000);

it('leaves an archive to a process of the former release that makes it, as long as that keeps its claim', async () => {
  const deps = changed(node, { fileStore: nowhere, settings: { incomingDir: folder } });
  const id = await asked();
  const claimed = (until: string) =>
    stores.pool.query(`update ops.export_archives set claimed_until = ${until} where id = $1`, [id]);
  await claimed(`now() + interval '50 seconds'`);
  expect(await archiving(deps, id)).toEqual({ againAt: expect.any(String) });
  expect(await archiveById(stores.pool, id)).toMatchObject({ status: 'waiting' });
  await claimed('now()');
  await archiving(deps, id);
  expect(await archiveById(stores.pool, id)).toMatchObject({ status: 'ready' });
}, 300_000);

it('gives the connection back when the archive cannot be written', async () => {
  const id = await asked();
  const deps = changed(node, { fileStore: nowhere, settings: { incomingDir: folder } });
  // A disk that is full at the first write.
  await symlink('/dev/full', path.join(folder, `${id}.zip`));
  await expect(archiving(deps, id)).rejects.toThrow('ENOSPC');
  expect(await until(isIdle)).toBe(true);
});

it('leaves no archive, whenever one is asked for and made while the account is erased', async () => {
  const turns = fc.array(fc.constantFrom('ask', 'make', 'erase', 'erase while it is stored'), {
    minLength: 4,
    maxLength: 9,
  });
  const someone = async (order: readonly string[]) => {
    const leaver = randomUUID();
    await stores.vault.keyToWrite(leaver);
    const [bytes, ids] = [new Set<string>(), new Set<string>()];
    let erasesMeanwhile = false;
    const deps = changed(node, {
      settings: { incomingDir: folder },
      fileStore: {
        ...nowhere,
        put: async (key: string) => {
          if (erasesMeanwhile) await erasing.shift()?.();
          bytes.add(key);
        },
        remove: async (key: string) => {
          bytes.delete(key);
          return 'gone' as const;
        },
      },
    });
    const certificate = certificateOf(stores.vault, leaver);
    const erasing: (() => Promise<unknown>)[] = [
      () => stores.vault.erase(leaver),
      () => removeArchives(deps, contextOf('system', 'system'), leaver),
      () => eraseRows(stores.pool, allMigrations, leaver, certificate),
    ];
    const makeAll = async () => {
      for (const id of ids) await archiving(deps, id);
    };
    for (const turn of [...order, 'erase', 'erase', 'erase', 'ask']) {
      erasesMeanwhile = turn === 'erase while it is stored';
      if (turn === 'erase') await erasing.shift()?.();
      else if (turn === 'ask') {
        const asked = await requestExport(deps, contextOf(leaver), leaver).catch(() => undefined);
        if (asked) ids.add(asked);
      } else await makeAll();
    }
    await makeAll();
    const { rowCount } = await stores.pool.query('select 1 from ops.export_archives where person_id = $1', [leaver]);
    expect([rowCount, [...bytes]], order.join(', ')).toEqual([0, []]);
  };
  await fc.assert(fc.asyncProperty(turns, someone), { numRuns: 5 });
}, 300_000);
