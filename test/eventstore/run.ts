/**
 * Runs the conformance cases against any server:
 * `npm run test:eventstore -- --connection esdb://127.0.0.1:2113?tls=false [--only <part of a name>]`
 */
import { parseArgs } from 'node:util';
import { EventStoreDBClient } from '@eventstore/db-client';
import { type Case, conformance, leaderOnly } from './conformance/index.ts';

const CASE_MS = 30_000;

const attempt = async ({ run }: Case, client: EventStoreDBClient): Promise<string | undefined> => {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`no end after ${CASE_MS} ms`)), CASE_MS).unref();
  });
  try {
    await Promise.race([run(client), late]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
};

const main = async (): Promise<number> => {
  const { values } = parseArgs({ options: { connection: { type: 'string' }, only: { type: 'string', default: '' } } });
  if (!values.connection) {
    process.stderr.write('usage: npm run test:eventstore -- --connection <connection string> [--only <text>]\n');
    return 2;
  }
  const client = leaderOnly(EventStoreDBClient.connectionString(values.connection));
  const cases = conformance.filter(({ name }) => name.includes(values.only));
  let failed = 0;
  for (const one of cases) {
    const failure = await attempt(one, client);
    if (failure) failed++;
    process.stdout.write(failure ? `FAILED ${one.name}\n${failure}\n` : `passed ${one.name}\n`);
  }
  process.stdout.write(`${cases.length - failed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
};

process.exit(await main());
