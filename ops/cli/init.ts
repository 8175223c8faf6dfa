/** `init`: a file of settings for a new installation, with fresh secrets. */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { chosenSecrets, meaningOf } from '../config.ts';
import { CommandFailed } from './failed.ts';
import { writeLine } from './output.ts';

/** What whoever runs the installation has to fill in before production starts. */
const TO_FILL_IN = [
  ...['PUBLIC_URL', 'PAYMENT_RETURN_URLS', 'CORS_ORIGINS', 'DATA_DIR', 'TOMBSTONES_DIR', 'BACKUP_DIR'],
  ...['DATABASE_URL', 'ESDB_CONNECTION_STRING', 'PRIVATE_HOSTS', 'TRUST_PROXY'],
  ...['YOOKASSA_API_URL', 'YOOKASSA_SHOP_ID', 'YOOKASSA_SECRET_KEY'],
  ...['SMS_GATEWAY_URL', 'SMS_GATEWAY_TOKEN', 'SMTP_URL', 'MAIL_FROM', 'PRODUCTION_WITHOUT', 'OPERATORS'],
];

/** Passwords of the stores that a compose file starts. */
const OF_STORES = ['POSTGRES_PASSWORD', 'EVENTSTORE_ADMIN_PASSWORD'];

/** Without characters that a shell or an address reads in another way. */
const randomText = (): string => randomBytes(32).toString('base64url');
const keyOf32Bytes = (): string => randomBytes(32).toString('base64');

/** The text of the file. Each secret is new. */
const settingsFile = (): string =>
  [
    '# Settings of this installation. docs/settings.md lists all of them. Keep a copy of the secrets apart from this machine:',
    '# without VAULT_MASTER_KEY and VAULT_FINGERPRINT_KEY, all personal data is lost.',
    'NODE_ENV=production',
    '',
    '# Secrets, made by `resort init`.',
    ...chosenSecrets().flatMap((name) => [
      `# ${meaningOf(name)}`,
      `${name}=${name.startsWith('VAULT_') ? keyOf32Bytes() : randomText()}`,
    ]),
    '',
    '# Passwords for PostgreSQL and the event store, where a compose file starts them.',
    ...OF_STORES.map((name) => `${name}=${randomText()}`),
    '',
    '# To fill in. `resort check` says what is missing.',
    ...TO_FILL_IN.flatMap((name) => [`# ${meaningOf(name)}`, `${name}=`]),
    '',
  ].join('\n');

const init = async ({ file }: { readonly file: string }): Promise<void> => {
  try {
    await writeFile(file, settingsFile(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandFailed(
      code === 'EEXIST'
        ? `${file} exists already, and is left as it is: move it away, or name another file with --file`
        : `${file} cannot be written: ${message}`,
    );
  }
  await writeLine(
    `${file} has fresh secrets, and can be read by its owner only. Fill in the rest, then run resort check.`,
  );
};

export const initCommand = () =>
  new Command('init')
    .description('Write a file of settings for production with fresh secrets; one that exists is never overwritten')
    .option('--file <path>', 'the file to write', '.env')
    .action(init);
