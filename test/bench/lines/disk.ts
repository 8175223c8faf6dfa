/** The line that asks what an event takes on disk: in the log, and in each table. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Pool } from '../../../infra/postgres.ts';
import type { Line } from '../line.ts';
import { wireTo } from '../resort.ts';
import { onLog, project, readAll } from './logs.ts';

const bytesIn = async (directory: string): Promise<number> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map((file) => stat(path.join(file.parentPath, file.name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
};

interface Table {
  readonly name: string;
  readonly rows: number;
  readonly indexes: number;
}

const tablesOf = async (pool: Pool): Promise<Table[]> => {
  const { rows } = await pool.query<Table>(
    `select schemaname || '.' || relname as name, pg_table_size(relid)::float as rows, pg_indexes_size(relid)::float as indexes
     from pg_stat_user_tables where schemaname in ('ops', 'read') order by pg_total_relation_size(relid) desc`,
  );
  return rows;
};

/** Kept for a day, whatever the log has. */
const CHANGES = 'read.changes';
/** Tables that are named; the others are added up. */
const NAMED = 8;

export const disk: Line = {
  name: 'disk',
  work: 'bytes of an event in the log and in PostgreSQL, after all read models were made from a log of bookings',
  peer: null,
  goal: '≤ 2.7 kB in PostgreSQL beside the changes of a day',
  run: (bench) =>
    onLog(bench, async (stores) => {
      const { operations: events } = await readAll(stores);
      await project(stores, events);
      const wiring = wireTo(stores);
      try {
        await wiring.patientPool.query('vacuum analyze');
        const tables = await tablesOf(wiring.pool);
        const log = await bytesIn(path.join(stores.directory, 'eventstore'));
        const perEvent = (bytes: number) => Math.round(bytes / events);
        const sizeOf = ({ rows, indexes }: Table) => rows + indexes;
        const kept = tables.filter(({ name }) => name !== CHANGES).reduce((sum, table) => sum + sizeOf(table), 0);
        const others = tables.slice(NAMED).reduce((sum, table) => sum + sizeOf(table), 0);
        const named = tables
          .slice(0, NAMED)
          .map((table) => `${table.name} ${perEvent(table.rows)} + ${perEvent(table.indexes)} in indexes`);
        const note = `bytes of each of ${events} events: log ${perEvent(log)}; ${named.join('; ')}; other tables ${perEvent(others)}`;
        const goal = { what: 'kB in PostgreSQL', value: kept / events / 1_000, limit: 2.7, is: 'at most' } as const;
        return [{ name: 'disk', results: [], goals: [goal], note }];
      } finally {
        await wiring.close();
      }
    }),
};
