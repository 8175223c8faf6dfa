/** `init`: the settings of a new installation, with fresh secrets. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import { chosenSecrets, meaningOf } from '../config.ts';
import { CommandFailed } from './failed.ts';
import { writeLine } from './output.ts';

/** What whoever runs the installation has to fill in before production starts. */
const ADDRESSES = ['PUBLIC_URL', 'PAYMENT_RETURN_URLS', 'CORS_ORIGINS'];
const SERVICES = [
  ...['YOOKASSA_API_URL', 'YOOKASSA_SHOP_ID', 'YOOKASSA_SECRET_KEY'],
  ...['SMS_GATEWAY_URL', 'SMS_GATEWAY_TOKEN', 'SMTP_URL', 'MAIL_FROM', 'PRODUCTION_WITHOUT', 'OPERATORS'],
];
/** What `docker-compose.yml` gives by itself. */
const STORES_AND_FOLDERS = [
  ...['DATA_DIR', 'TOMBSTONES_DIR', 'BACKUP_DIR', 'DATABASE_URL', 'ESDB_CONNECTION_STRING', 'PRIVATE_HOSTS'],
  'TRUST_PROXY',
];

/** Without characters that a shell or an address reads in another way. */
const randomText = (): string => randomBytes(32).toString('base64url');
const keyOf32Bytes = (): string => randomBytes(32).toString('base64');
const freshSecret = (name: string): string => (name.startsWith('VAULT_') ? keyOf32Bytes() : randomText());

const described = (name: string, value = ''): string[] => [`# ${meaningOf(name)}`, `${name}=${value}`];

/** The file with the secrets in it. Each is new. */
const withSecrets = (): string[] => [
  '# Settings of this installation. docs/settings.md lists all of them. Keep a copy of the secrets apart from this machine:',
  '# without VAULT_MASTER_KEY and VAULT_FINGERPRINT_KEY, all personal data is lost.',
  'NODE_ENV=production',
  '',
  '# Secrets, made by `resort init`.',
  ...chosenSecrets().flatMap((name) => described(name, freshSecret(name))),
  '',
  '# To fill in. `resort check` says what is missing.',
  ...[...ADDRESSES, ...STORES_AND_FOLDERS, ...SERVICES].flatMap((name) => described(name)),
];

/** What Compose itself reads, commented out with its meaning. */
const OF_COMPOSE = [
  ['COMPOSE_FILE', 'docker-compose.yml:compose.cluster.yml', 'three event store nodes over TLS'],
  ['EVENTSTORE_ADMIN_PASSWORD', '', 'the password of their user `admin`, from their first start on'],
  [
    'EVENTSTORE_IMAGE',
    'eventstore/eventstore:24.10',
    'another event store server; with EVENTSTORE_USER=1000 in a cluster',
  ],
  ['BACKUPS', './backups', 'the folder outside that backups are written to'],
  ['OUTER_PROXIES', '192.0.2.10/32', 'the addresses of proxies in front of the proxy; with TRUST_PROXY=2'],
  ['SITE_ADDRESS', ':80', 'where the proxy listens, if not at PUBLIC_URL: behind a proxy that has the certificate'],
  ['IPV6', 'false', 'for a machine without IPv6'],
  [
    'OPEN_FILES',
    '65536',
    'most files and connections that a process may have open, if Docker is not allowed that many',
  ],
  ['POSTGRES_MEMORY', '2g', 'most memory of PostgreSQL; also EVENTSTORE_MEMORY, ROLE_MEMORY, PROXY_MEMORY'],
] as const;

/** The file beside `docker-compose.yml`. It has no secrets of our own: they are files. `.env.example` is this text. */
export const forCompose = (): string[] => [
  '# Settings of this installation, for docker-compose.yml. docs/settings.md lists all of them. A value with $ or # is put into',
  '# single quotes: \'like this\'. A secret can be in a file: see "Secrets" in docs/deployment.md.',
  '#',
  '# Secrets of the installation itself are in the folder `secrets`, made by `resort init --compose`. Keep a copy of it apart',
  '# from this machine: without VAULT_MASTER_KEY and VAULT_FINGERPRINT_KEY, all personal data is lost.',
  '',
  '# To fill in. `docker compose run --rm --no-deps cli check` says what is missing.',
  ...[...ADDRESSES, ...SERVICES].flatMap((name) => described(name)),
  '',
  '# For Compose, if needed.',
  ...OF_COMPOSE.flatMap(([name, value, meaning]) => [`# ${meaning}`, `#${name}=${value}`]),
];

/** Secrets that `docker-compose.yml` mounts as files. */
export const composeSecrets = (): string[] => [...chosenSecrets(), 'DATABASE_PASSWORD'];

const writeNew = async (file: string, text: string, mode: number): Promise<void> => {
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
    await chmod(file, mode);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandFailed(
      code === 'EEXIST'
        ? `${file} exists already, and is left as it is: move it away, or name another file with --file`
        : `${file} cannot be written: ${message}`,
    );
  }
};

const refuseFolder = async (folder: string): Promise<void> => {
  const exists = await stat(folder).then(
    () => true,
    () => false,
  );
  if (exists)
    throw new CommandFailed(`${folder} exists already, and its secrets are left as they are: move it away first`);
};

/**
 * Whoever may enter the folder may read the secrets: on this machine its owner, and in each container the user of its
 * process, whatever number that has.
 */
const writeSecrets = async (folder: string): Promise<void> => {
  await mkdir(folder, { mode: 0o700 });
  for (const name of composeSecrets()) await writeNew(path.join(folder, name), `${freshSecret(name)}\n`, 0o644);
};

interface Options {
  readonly file: string;
  readonly compose?: true;
}

const init = async ({ file, compose }: Options): Promise<void> => {
  const secrets = path.join(path.dirname(file), 'secrets');
  if (compose) await refuseFolder(secrets);
  await writeNew(file, `${(compose ? forCompose() : withSecrets()).join('\n')}\n`, 0o600);
  if (compose) await writeSecrets(secrets);
  await writeLine(
    compose
      ? `${file} is to be filled in, and ${secrets} has fresh secrets. Keep a copy of both apart from this machine.`
      : `${file} has fresh secrets, and can be read by its owner only. Fill in the rest, then run resort check.`,
  );
};

export const initCommand = () =>
  new Command('init')
    .description('Write a file of settings for production with fresh secrets; one that exists is never overwritten')
    .option('--file <path>', 'the file to write', '.env')
    .option('--compose', 'for docker-compose.yml: secrets as files in the folder `secrets` beside it')
    .action(init);
