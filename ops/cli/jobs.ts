/** `jobs …`: lists and retries jobs that failed too often and wait for an operator. */
import { Command } from 'commander';
import { parkedJobs, retryParkedJobs } from '../../commands/core/jobs.ts';
import { say, table, writeJson, writeLine } from './output.ts';
import { withStores } from './stores.ts';

interface Options {
  readonly json?: true;
}

const parked = ({ json }: Options) =>
  withStores(async ({ pool }) => {
    const found = await parkedJobs(pool);
    return json ? writeJson(found) : writeLine(table(found.map((one) => ({ ...one }))));
  });

const retry = ({ json }: Options) =>
  withStores(async ({ pool }) => {
    const retried = await retryParkedJobs(pool);
    if (json) return writeJson({ retried });
    say(`${retried} scheduled again`);
  });

const asJson = ['--json', 'print JSON'] as const;

export const jobsCommand = new Command('jobs').description(
  'List and retry jobs: deadlines, provider calls and failed policy handlers',
);
jobsCommand
  .command('parked')
  .description('List jobs that failed too often')
  .option(...asJson)
  .action(parked);
jobsCommand
  .command('retry')
  .description('Run all parked jobs again')
  .option(...asJson)
  .action(retry);
