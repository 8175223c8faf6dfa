/** `operators`: who is told when something needs a person, what they were told, and whether they can be reached. */
import { Command } from 'commander';
import { newId } from '../../infra/ids.ts';
import { byMail, bySms } from '../operators/channels.ts';
import { testMessage } from '../operators/message.ts';
import { readMemory } from '../operators/reports.ts';
import { say, table, writeJson, writeLine } from './output.ts';
import { type CliContext, CommandFailed, withStores } from './stores.ts';

interface Options {
  readonly json?: true;
  readonly test?: true;
}

const sendTest = async ({ config, mailTransport: mail, sms }: CliContext, { json }: Options): Promise<void> => {
  const { OPERATORS: operators, PUBLIC_URL: publicUrl } = config;
  const channels = { mail, sms, publicUrl, operators };
  const message = testMessage(newId(), new URL(publicUrl).host);
  const sent = (await Promise.all([byMail(channels, message), bySms(channels, message)])).flat();
  mail?.close();
  if (sent.some(({ failed }) => failed !== undefined)) process.exitCode = 1;
  const rows = sent.map(({ to, failed }) => ({
    operator: to,
    outcome: failed === undefined ? 'sent' : `failed: ${failed}`,
  }));
  return json ? writeJson(rows) : writeLine(table(rows));
};

const instantOrNull = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString());

const showTold = async ({ pool }: CliContext, { json }: Options): Promise<void> => {
  const { known } = await readMemory(pool);
  const rows = known.map(({ alert, about, since, goneSince, toldAt }) => ({
    alert,
    about: about === '' ? null : about,
    since: instantOrNull(since),
    gone_since: instantOrNull(goneSince),
    told_at: instantOrNull(toldAt),
  }));
  if (json) return writeJson(rows);
  if (rows.length === 0) return say('nothing needs a person');
  await writeLine(table(rows));
};

const run = (options: Options) =>
  withStores(async (cli) => {
    if (cli.config.OPERATORS.length === 0)
      throw new CommandFailed('OPERATORS is not set: name e-mail addresses and phone numbers, comma-separated');
    return options.test ? sendTest(cli, options) : showTold(cli, options);
  });

export const operatorsCommand = () =>
  new Command('operators')
    .description('Print what needs a person now, and when operators (OPERATORS) were told of it')
    .option('--test', 'send each of them a test message, and say what happened; exit with 1 when one failed')
    .option('--json', 'print JSON')
    .action(run);
