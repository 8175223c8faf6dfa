/** Starts one Postgres for all specs of the `stores` project. Each test has a database of its own on it. */
import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { createLogger } from '../../infra/log.ts';
import { migrateOps } from '../../infra/migrations.ts';
import { createPool } from '../../infra/postgres.ts';
import { startEmbeddedPostgres } from '../../ops/postgres/server.ts';
import { allMigrations } from '../../ops/tables.ts';
import { scratchFolder } from './scratch.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: {
      readonly url: string;
      /** A database with the `ops` tables, to copy: that is faster than creating them. */
      readonly template: string;
    };
  }
}

/**
 * Test data need not survive a crash. Every worker has pools of several nodes. Autovacuum would start a process for each
 * database every ten seconds.
 */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '400', autovacuum: 'off' };
const TEMPLATE = 'template_of_all';

export default async (project: TestProject) => {
  const log = createLogger({ level: 'silent' });
  const dataDir = await scratchFolder('postgres');
  const postgres = await startEmbeddedPostgres({ dataDir, log, settings: SETTINGS });
  const open = (url: string) => createPool(url, { max: 1, applicationName: 'test setup', log });
  const admin = open(postgres.url);
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();
  const template = open(Object.assign(new URL(postgres.url), { pathname: TEMPLATE }).href);
  await migrateOps(template, allMigrations);
  await template.end();
  // The first connection after a migration keeps what it learned of the catalog in a file, which copies of it read.
  const next = open(Object.assign(new URL(postgres.url), { pathname: TEMPLATE }).href);
  await next.query('select 1');
  await next.end();
  project.provide('postgres', { url: postgres.url, template: TEMPLATE });
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
};
