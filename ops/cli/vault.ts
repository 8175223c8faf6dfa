/** `vault …`: the keys of personal data. */

import { Command } from 'commander';
import { certificateOf } from '../../commands/core/certificateParts.ts';
import { erasePerson } from '../../commands/core/erasure.ts';
import type { CommandDeps } from '../../commands/modules.ts';
import { documentText } from '../../commands/privacy/document.ts';
import { account } from '../../domain/accounts/account.ts';
import { keysByMaster, rewrapKeys } from '../../eventstore/keyRotation.ts';
import { masterKeys } from '../../eventstore/masterKeys.ts';
import { vaultKeysOf } from '../config.ts';
import { erasurePlan } from '../erasure.ts';
import { say, table, write, writeJson, writeLine } from './output.ts';
import { asked, revealing, withReason } from './reason.ts';
import { type CliContext, CommandFailed, withStores } from './stores.ts';

interface Options {
  readonly json?: true;
}

const status = ({ json }: Options) =>
  withStores(async ({ pool, config }) => {
    const { current, all } = masterKeys(vaultKeysOf(config));
    const names = new Map(
      all.map(({ id }) => [id, id === current.id ? 'VAULT_MASTER_KEY' : 'VAULT_MASTER_KEY_PREVIOUS']),
    );
    const found = (await keysByMaster(pool)).map(({ master_key_id, keys }) => ({
      master_key: master_key_id,
      configured_as: names.get(master_key_id ?? '') ?? null,
      keys,
    }));
    return json ? writeJson(found) : writeLine(table(found));
  });

const rewrap = ({ json }: Options) =>
  withStores(async ({ pool, config }) => {
    const result = await rewrapKeys(pool, vaultKeysOf(config), (done) => say(`${done} keys encrypted again`));
    if (result.damaged.length > 0) process.exitCode = 1;
    if (json) return writeJson(result);
    for (const person of result.damaged) say(`the key of ${person} was altered: restore its row in ops.vault_keys`);
    await writeLine(
      `${result.rewrapped} keys encrypted again` +
        (result.damaged.length === 0 ? '; VAULT_MASTER_KEY_PREVIOUS is no longer needed' : ''),
    );
  });

/** @throws CommandFailed for an account that does not exist */
const known = async ({ aggregates }: CliContext, id: string): Promise<string> => {
  const person = id.toLowerCase();
  const { state } = await aggregates.load(account, person);
  if (state.status === 'none' && !state.isErased) throw new CommandFailed(`there is no account ${id}`);
  return person;
};

const show = (id: string, { reason }: { readonly reason: string }) =>
  withStores(async (cli) => {
    const person = await known(cli, id);
    const open = documentText(cli, person, new Date().toISOString());
    const read = { what: 'export', query: asked({ account: person }), reason } as const;
    // `show` always has a reason, so that there is nothing to hide.
    const pieces = await revealing(cli, read)({ open, hidden: open, people: [person] });
    for await (const piece of pieces) await write(piece);
  });

const erase = (id: string, { json }: Options) =>
  withStores(async (cli) => {
    const person = await known(cli, id);
    const { waitsOutside } = await erasePerson<CommandDeps>(cli, erasurePlan(cli.config), person);
    const certificate = certificateOf(cli.vault, person);
    if (json) return writeJson({ certificate_id: certificate, waits_outside: waitsOutside });
    await writeLine(
      `${person} is erased. The read models follow within seconds. Certificate: ${certificate}` +
        (waitsOutside === 0
          ? ''
          : `\n${waitsOutside} cards or files wait for a system outside: a worker asks it again, for seven days at most`),
    );
  });

const asJson = ['--json', 'print JSON'] as const;

export const vaultCommand = new Command('vault').description('Manage the keys of personal data');
vaultCommand
  .command('status')
  .description('Print how many keys each master key encrypts')
  .option(...asJson)
  .action(status);
vaultCommand
  .command('rewrap')
  .description('Encrypt all keys with VAULT_MASTER_KEY, after a rotation; safe to interrupt and to repeat')
  .option(...asJson)
  .action(rewrap);
vaultCommand
  .command('show')
  .description('Print the export of a person: all that is held about them, as JSON')
  .argument('<account>', 'the id of the account')
  .requiredOption(...withReason)
  .action(show);
vaultCommand
  .command('erase')
  .description('Erase a person for good: destroy the key, close the account, remove saved cards at the providers')
  .argument('<account>', 'the id of the account')
  .option(...asJson)
  .action(erase);
