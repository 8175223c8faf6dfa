/** Lists of reports and appeals of some kinds: what is in them, and what they cost. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appealKinds } from '../../domain/reports/appeal.ts';
import { reportKinds } from '../../domain/reports/report.ts';
import type { Pool } from '../../infra/postgres.ts';
import { type ReadDb, readDb } from '../../projections/engine/readDb.ts';
import { ensureTables } from '../../projections/engine/tableVersions.ts';
import { groups } from '../../projections/modules.ts';
import { appealStatuses, listAppeals } from '../../projections/reports/appeals.ts';
import { listReports, reportStatuses } from '../../projections/reports/reports.ts';
import { blocksRead } from '../kit/blocksRead.ts';
import { freshStores } from '../kit/stores.ts';

let pool: Pool;
beforeAll(async () => {
  ({ pool } = await freshStores());
  await ensureTables(pool, groups);
});

interface Of {
  readonly kinds: readonly string[];
  readonly status?: string;
  readonly page: number;
  readonly perPage: number;
}
interface Listed {
  readonly table: string;
  readonly kinds: readonly string[];
  readonly statuses: readonly string[];
  /** Adds rows of a kind and status, a second apart. */
  readonly add: (kind: string, status: string, from: number, to: number) => Promise<unknown>;
  readonly list: (
    db: ReadDb,
    of: Of,
  ) => Promise<{ readonly rows: readonly object[]; readonly total: { count: number; isAtLeast: boolean } }>;
}

const adding =
  (table: string, columns: string, values: string) =>
  (kind: string, status: string, ...of: number[]) =>
    pool.query(
      `insert into read.${table} (id, status, created_at, ${columns})
     select gen_random_uuid(), $2, '2026-01-01Z'::timestamptz + n * interval '1 second', $1, gen_random_uuid(), gen_random_uuid(), ${values}
     from generate_series($3::int, $4::int) as n`,
      [kind, status, ...of],
    );

const lists: Listed[] = [
  {
    table: 'reports',
    kinds: Object.keys(reportKinds),
    statuses: reportStatuses,
    add: adding('reports', 'subject_kind, subject_id, reporter_id, reason', `'Spam'`),
    list: (db, of) => listReports(db, of as never),
  },
  {
    table: 'forum_appeals',
    kinds: appealKinds,
    statuses: appealStatuses,
    add: adding('forum_appeals', 'kind, subject_id, account_id, text', `'Why?'`),
    list: (db, of) => listAppeals(db, of as never),
  },
];

describe.each(lists)('a list of $table', ({ table, kinds, statuses, add, list }) => {
  beforeEach(() => pool.query(`truncate read.${table}`));
  const [first = '', second = '', other = ''] = kinds;
  const some = { 'one kind': [first], 'two kinds': [first, second], 'all kinds': kinds };
  const asked = Object.entries(some).flatMap(([name, of]) =>
    [undefined, ...statuses].map((status) => ({
      what: `${name}, ${status ?? 'whatever their status'}`,
      kinds: of,
      ...(status && { status }),
    })),
  );

  it.each(asked)('has on its pages those of $what, the oldest first', async (of) => {
    for (const [n, kind] of [first, second, other].entries())
      for (const [m, status] of statuses.entries()) await add(kind, status, n + m, 4 * m + 7 * n);
    const { rows: all } = await pool.query(
      `select * from read.${table} where ${table === 'reports' ? 'subject_kind' : 'kind'} = any($1)
       and status = any($2) order by created_at, id`,
      [of.kinds, of.status ? [of.status] : statuses],
    );
    const ids = (rows: readonly object[]) => rows.map((row) => (row as { id: string }).id);
    const shown: string[] = [];
    for (let page = 1; ; page += 1) {
      const { rows, total } = await list(readDb(pool), { ...of, page, perPage: 5 });
      expect(total).toEqual({ count: all.length, isAtLeast: false });
      shown.push(...ids(rows));
      if (rows.length === 0) break;
    }
    expect(shown).toEqual(ids(all));
  });

  it.each(['as they were before', 'as they never were', 'not at all'] as const)(
    'costs what it shows, however many there are, where PostgreSQL knows them %s',
    async (known) => {
      const status = statuses[0] as string;
      for (const one of statuses) for (const kind of kinds) await add(kind, one, 1, 1_200);
      if (known === 'as they were before') await pool.query(`vacuum analyze read.${table}`);
      const cost = async () => {
        const costs: number[] = [];
        for (const of of asked) costs.push(await blocksRead(pool, (db) => list(db, { ...of, page: 1, perPage: 20 })));
        return costs;
      };
      const before = await cost();
      if (known === 'as they never were') {
        // All were of one kind and status when it looked last.
        await pool.query(`delete from read.${table}`);
        await add(first, status, 1, 1_200);
        await pool.query(`vacuum analyze read.${table}`);
        for (const one of statuses) for (const kind of kinds) await add(kind, one, 1, 1_200);
      }
      // The older ones are answered; of others there are many more.
      for (const one of statuses) for (const kind of kinds) await add(kind, one, -6_000, 0);
      await add(kinds.at(-1) as string, statuses.at(-1) as string, -30_000, -6_001);
      for (const [nth, after] of (await cost()).entries())
        expect(after, asked[nth]?.what).toBeLessThan((before[nth] as number) * 1.3 + 60);
    },
  );
});
