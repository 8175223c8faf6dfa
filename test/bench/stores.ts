/** Postgres and the event node of a benchmark, on data that is kept from run to run. Everything on them is durable. */
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { type EmbeddedNode, startEmbeddedNode } from '../../eventstore/embedded/start.ts';
import { createLogger } from '../../infra/log.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../ops/postgres/server.ts';
import type { Counts } from './rounds.ts';

/** Where other processes find the stores. */
export interface StoreAddresses {
  readonly directory: string;
  readonly postgres: Pick<EmbeddedPostgres, 'url'>;
  readonly node: Pick<EmbeddedNode, 'connectionString'>;
}

export interface BenchStores extends StoreAddresses {
  readonly postgres: EmbeddedPostgres;
  readonly node: EmbeddedNode;
  /** An empty database on the same server. */
  emptyDatabase(name: string): Promise<string>;
  /** How many statements a database has run. */
  statements(url: string): Promise<Counts>;
  stop(): Promise<void>;
}

export const log = createLogger({ level: 'error', role: 'bench', destination: process.stderr });

/** The folder of everything that benchmarks keep: outside of git, and in the way of nobody's data. */
export const BENCH_DATA = path.resolve('.data/bench');

export const query = async <Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
};

/** Postgres that counts its statements, which it can only be told before its start. */
const startPostgres = async (dataDir: string): Promise<EmbeddedPostgres> => {
  const server = await startEmbeddedPostgres({ dataDir, log });
  const [{ value } = { value: '' }] = await query<{ value: string }>(
    server.url,
    `select current_setting('shared_preload_libraries') as value`,
  );
  if (value !== '') return server;
  await query(server.url, `alter system set shared_preload_libraries = 'pg_stat_statements'`);
  await query(server.url, 'alter system set pg_stat_statements.max = 20000');
  await query(server.url, 'create extension if not exists pg_stat_statements');
  await server.stop();
  return startEmbeddedPostgres({ dataDir, log });
};

/**
 * Reads all files of a directory, so that the machine has them in its memory. What it has given up of them since the last
 * run would be read page by page while we measure.
 */
const readOnce = async (directory: string): Promise<void> => {
  const buffer = Buffer.alloc(1024 * 1024);
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = await open(path.join(entry.parentPath, entry.name));
    try {
      for (let read = buffer.length; read > 0; ) read = (await file.read(buffer)).bytesRead;
    } finally {
      await file.close();
    }
  }
};

/** Starts both stores on the data of this name. @param temporary it is deleted at the end */
export const startStores = async (name: string, { temporary = false } = {}): Promise<BenchStores> => {
  const directory = path.join(BENCH_DATA, name);
  await mkdir(directory, { recursive: true });
  await readOnce(directory);
  const postgres = await startPostgres(directory);
  const onExit = (why: string) => process.stderr.write(`the event node ended: ${why}\n`);
  const node = await startEmbeddedNode({ directory: path.join(directory, 'eventstore'), onExit });
  return {
    directory,
    postgres,
    node,
    emptyDatabase: async (database) => {
      await query(postgres.url, `drop database if exists ${database} with (force)`);
      await query(postgres.url, `create database ${database}`);
      return Object.assign(new URL(postgres.url), { pathname: database }).href;
    },
    statements: async (url) => {
      const [row] = await query<{ calls: string | null }>(
        postgres.url,
        `select sum(calls)::text as calls from pg_stat_statements
         where dbid = (select oid from pg_database where datname = $1)`,
        [new URL(url).pathname.slice(1)],
      );
      return { statements: Number(row?.calls ?? 0) };
    },
    stop: async () => {
      await node.stop();
      await postgres.stop();
      if (temporary) await rm(directory, { recursive: true, force: true });
    },
  };
};
