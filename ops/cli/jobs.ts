/** `jobs …`: deadlines, provider calls and reactions that failed too often and wait for a person. */
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
    say(`${retried} set going again`);
  });

const asJson = ['--json', 'as JSON'] as const;

export const jobsCommand = new Command('jobs').description('What acts by itself: policies and timers');
jobsCommand
  .command('parked')
  .description('what has failed too often')
  .option(...asJson)
  .action(parked);
jobsCommand
  .command('retry')
  .description('all of it again')
  .option(...asJson)
  .action(retry);
