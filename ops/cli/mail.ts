/** `mail …`: lists and sends again what the mail server has refused. */
import { Command } from 'commander';
import { listUndeliverable } from '../../commands/mail/addresses.ts';
import { sendRefusedAgain } from '../../commands/mail/sendAgain.ts';
import { say, table, writeJson, writeLine } from './output.ts';
import { CommandFailed, withStores } from './stores.ts';

interface Options {
  readonly json?: true;
  readonly account?: string;
}

const ALL = { page: 1, perPage: 1_000_000 };

const undeliverable = ({ json }: Options) =>
  withStores(async (cli) => {
    const { rows: found } = await listUndeliverable(cli, ALL);
    return json ? writeJson(found) : writeLine(table(found.map((one) => ({ ...one }))));
  });

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const sendAgain = ({ json, account }: Options) =>
  withStores(async (cli) => {
    if (account !== undefined && !UUID.test(account)) throw new CommandFailed(`${account} is no id of an account`);
    const mails = await sendRefusedAgain(cli, account?.toLowerCase() ?? null);
    if (json) return writeJson({ mails });
    say(`${mails} e-mails are sent again`);
  });

const asJson = ['--json', 'print JSON'] as const;

export const mailCommand = new Command('mail').description('E-mails that the mail server has refused');
mailCommand
  .command('undeliverable')
  .description('List addresses that get no e-mails, and e-mails that were refused and are kept, with the reason')
  .option(...asJson)
  .action(undeliverable);
mailCommand
  .command('send-again')
  .description('Send the kept e-mails again, once the reason is mended')
  .option('--account <id>', 'only those to this account')
  .option(...asJson)
  .action(sendAgain);
