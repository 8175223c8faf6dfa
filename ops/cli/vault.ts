/** `vault …`: the keys of personal data. */
import { Command } from 'commander';
import { keysByMaster, rewrapKeys } from '../../eventstore/keyRotation.ts';
import { masterKeys } from '../../eventstore/masterKeys.ts';
import { vaultKeysOf } from '../config.ts';
import { say, table, writeJson, writeLine } from './output.ts';
import { withStores } from './stores.ts';

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
