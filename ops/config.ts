/**
 * All settings: those of the process, declared here, and those of the modules, declared in their manifests. They are read
 * once, in `ops/`, and passed on as plain arguments. `docs/settings.md` lists them (`configTable`).
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { coreSettings } from '../commands/core/settings.ts';
import { moduleSettings } from '../commands/modules.ts';
import { EMAIL_PATTERN } from '../domain/accounts/identity.ts';
import type { MasterKeys } from '../eventstore/masterKeys.ts';
import {
  ConfigError,
  choice,
  flag,
  HTTP_URL,
  integer,
  list,
  ORIGIN,
  oneOf,
  port,
  secret,
  text,
  unset,
} from '../infra/settings.ts';
import { lineOf } from './checks/check.ts';
import { DISPENSABLE } from './checks/dispensable.ts';
import { refused, refusedAlways, warned } from './checks/settings.ts';
import type { SettingsCheck } from './checks/settingsCheck.ts';
import { unreadableDatabase, unreadableEventStore } from './checks/stores.ts';
import { nameHints } from './checks/togetherChecks.ts';

const ROLES = ['all', 'api', 'projector', 'policies', 'worker', 'realtime', 'sandbox', 'eventstore'] as const;
export type Role = (typeof ROLES)[number];

/** Which setting says where a role listens. */
export const PORT_OF = {
  api: 'PORT',
  realtime: 'REALTIME_PORT',
  sandbox: 'SANDBOX_PORT',
  eventstore: 'EVENTSTORE_PORT',
} as const satisfies Partial<Record<Role, string>>;
export type PortSetting =
  | (typeof PORT_OF)[keyof typeof PORT_OF]
  | 'SANDBOX_SMTP_PORT'
  | 'METRICS_PORT'
  | 'EVENTSTORE_HEALTH_PORT';

/** 32 bytes in base64. */
const KEY_32_BYTES = '^[A-Za-z0-9+/]{43}=$';

/** A phone number in E.164, or an e-mail address. */
const OPERATOR = `^(\\+[1-9]\\d{6,14}|${EMAIL_PATTERN})$`;

/** `{NAME}` in a default stands for the value of that setting. */
const processSettings = {
  NODE_ENV: coreSettings.NODE_ENV,
  PRODUCTION_WITHOUT: list(
    oneOf(DISPENSABLE),
    [],
    'What this installation does without, so that production starts all the same, comma-separated: `sms`, `mail`, `backup`, `limits`.',
  ),
  PRIVATE_HOSTS: list(
    Type.String({ pattern: '^[A-Za-z0-9.:_-]+$', example: 'postgres, without a scheme' }),
    [],
    'Hosts that only a private network leads to, comma-separated: production lets stores and services there be without TLS.',
  ),
  ROLE: list(
    oneOf(ROLES),
    ['all'],
    'What this process does, comma-separated. `all` starts everything as child processes; `worker` is `projector,policies`.',
  ),
  LOG_LEVEL: choice(['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info', 'Lowest level that is logged.'),

  HOST: text('127.0.0.1', { description: 'Address to listen on. `0.0.0.0` opens it to the network.' }),
  PORT: port(8080, 'Port of the REST API.'),
  REALTIME_PORT: port(8081, 'Port of the WebSocket hub, path `/ws`.'),
  REALTIME_URL: text('http://localhost:{REALTIME_PORT}', {
    pattern: '^http://[^/]+$',
    example: 'http://realtime:8081',
    description: 'Address at which the API reaches the hub, to pass `/ws` on to it.',
  }),
  REALTIME_TRANSPORT: choice(
    ['auto', 'uws', 'ws'],
    'auto',
    'WebSocket server of the hub. `auto`: uWebSockets.js where its binary loads, else ws.',
  ),
  SANDBOX_PORT: port(8082, 'Port of the sandbox: payment providers, SMS and e-mails for local use.'),
  SANDBOX_SMTP_PORT: coreSettings.SANDBOX_SMTP_PORT,
  METRICS_PORT: port(
    9464,
    'Port of `/metrics` and `/health` for operators: of all roles together under `all`. Another free one when it is taken. 0 = off.',
  ),
  EVENTSTORE_PORT: port(2113, 'Port of the embedded event node when it runs alone (`ROLE=eventstore`), on loopback.'),
  EVENTSTORE_HEALTH_PORT: port(0, 'Port of `GET /health/live` of the embedded event node when it runs alone. 0 = off.'),
  PUBLIC_URL: coreSettings.PUBLIC_URL,
  SANDBOX_URL: coreSettings.SANDBOX_URL,
  SANDBOX_PUBLIC_URL: coreSettings.SANDBOX_PUBLIC_URL,
  CORS_ORIGINS: list(
    ORIGIN,
    ['*'],
    'Origins that browsers may call from, comma-separated. `*` = any (no cookies are used).',
  ),
  TRUST_PROXY: integer(0, 0, 10, 'Number of reverse proxies in front whose `X-Forwarded-For` is believed.'),
  RATE_LIMITS: coreSettings.RATE_LIMITS,

  TOMBSTONES_DIR: text('{DATA_DIR}/tombstones', {
    minLength: 1,
    description:
      'Directory of the tombstones of erased people. Keep it outside of what a backup restores: it undoes what a restore brings back.',
  }),
  DATA_DIR: coreSettings.DATA_DIR,
  DATABASE_URL: unset({
    secret: true,
    pattern: '^postgres(ql)?://',
    example: 'postgresql://user:password@host/database',
    unreadable: unreadableDatabase,
    description: 'PostgreSQL 15 or later. Unset = an embedded server.',
  }),
  DATABASE_PASSWORD: unset({
    secret: true,
    description: 'Password of the user in `DATABASE_URL`, which then has none. Nothing in it is encoded.',
  }),
  POLICY_PARTS: coreSettings.POLICY_PARTS,
  DATABASE_POOL: integer(
    10,
    2,
    200,
    'Maximum number of connections in a pool, of which each role has one; a process [has some more](operations.md#connections-to-postgresql).',
  ),
  DATABASE_PREPARE: flag(
    true,
    'Whether statements stay prepared on their database connection. Turn it off behind a pooler that loses them.',
  ),
  ESDB_CONNECTION_STRING: unset({
    secret: true,
    pattern: '^esdb(\\+discover)?://',
    example: 'esdb://user:password@host:2113',
    unreadable: unreadableEventStore,
    description: 'EventStoreDB / KurrentDB node or cluster. Unset = the embedded node.',
  }),
  ESDB_PASSWORD: unset({
    secret: true,
    description: 'Password of the user in `ESDB_CONNECTION_STRING`, which then has none. Nothing in it is encoded.',
  }),

  ADMIN_TOKEN: secret('dev-only-admin-token', {
    minLength: 16,
    description:
      '`X-Admin-Token`, with which accounts and API keys are made. In production only for [the first two admins](operations.md#the-first-admins).',
  }),
  VAULT_MASTER_KEY: secret(Buffer.from('dev-only-vault-key-not-a-secret!').toString('base64'), {
    pattern: KEY_32_BYTES,
    example: 'what openssl rand -base64 32 prints',
    description:
      'Encrypts the keys of personal data: 32 bytes in base64 (`openssl rand -base64 32`). If it is lost, the data is lost.',
  }),
  VAULT_MASTER_KEY_PREVIOUS: unset({
    secret: true,
    pattern: KEY_32_BYTES,
    example: 'what openssl rand -base64 32 prints',
    description: 'Also decrypts the keys of personal data, during a rotation of `VAULT_MASTER_KEY`.',
  }),
  VAULT_FINGERPRINT_KEY: unset({
    secret: true,
    chosen: true,
    pattern: KEY_32_BYTES,
    example: 'what openssl rand -base64 32 prints',
    description:
      'Finds e-mail addresses and phone numbers again without storing them. Never changes. Unset = `VAULT_MASTER_KEY`; set it before the first rotation, to the master key of then.',
  }),
  PAYMENT_RETURN_URLS: coreSettings.PAYMENT_RETURN_URLS,

  OPERATORS: {
    ...list(
      Type.String({ pattern: OPERATOR }),
      [],
      'Who is told when [something needs a person](operations.md#operators): e-mail addresses, and phone numbers such as `+79991234567`, comma-separated.',
    ),
    personal: true,
    form: 'must be e-mail addresses and phone numbers such as +79991234567, comma-separated',
  },

  BACKUP_DIR: unset({
    description: 'Folder into which the policies role takes a backup every day. Unset = no scheduled backups.',
  }),
  BACKUP_HOUR: integer(2, 0, 23, 'Hour of the day (UTC) of the scheduled backup.'),
  BACKUP_KEEP: integer(7, 1, 9_999, 'Number of backups that the schedule keeps in `BACKUP_DIR`.'),

  SEED_DEMO: flag(true, 'Seed a demo resort at the first start of `all`. Never in production.'),
};

const Settings = Type.Object({ ...processSettings, ...moduleSettings });

export type Config = Readonly<Static<typeof Settings>>;

// Runs a few times in a process: to check the schema against that of schemas, and to tidy up the code, takes far longer.
const once = { meta: false, validateSchema: false, code: { optimize: false } } as const;
const ajv = addFormats.default(new Ajv({ allErrors: true, coerceTypes: true, strict: false, ...once }));
const validate = ajv.compile<Config>(Settings);
const declarations = Settings.properties as Record<string, TSchema>;

/** An empty variable counts as unset, because compose files and CI systems cannot leave one out. */
const given = (env: NodeJS.ProcessEnv, name: string): string | undefined => env[name]?.trim() || undefined;

const parse = (schema: TSchema, value: string): unknown => {
  if (schema.json) return parseJson(value);
  if (schema.type !== 'array') return value;
  return value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
};

/** What is no JSON stays text, which the schema then refuses. */
const parseJson = (value: string): unknown => {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};

/** What the checks of settings find, one line each. */
const found = (checks: readonly SettingsCheck[], values: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv) =>
  checks.flatMap((check) => check.find({ declarations, values, env }).map((finding) => lineOf(check, finding)));

/** What is unsafe or in vain and yet starts, one line each, for the log of the start. */
export const warningsFor = (config: Config, env: NodeJS.ProcessEnv): string[] => found(warned, config, env);

/**
 * Reads and checks all settings. Throws `ConfigError` that names every bad one, and, in production, everything that could
 * lose data, money or privacy (`checks/settings.ts`).
 * @param alsoWrong what was wrong with the settings before, to be told with the rest
 */
export const readConfig = (env: NodeJS.ProcessEnv, alsoWrong: readonly string[] = []): Config => {
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(declarations)) {
    const value = given(env, name);
    values[name] = value === undefined ? (schema.dev ?? structuredClone(schema.default)) : parse(schema, value);
  }
  for (const [name, schema] of Object.entries(declarations)) {
    if (given(env, name) === undefined && schema.dev === undefined) values[name] = resolve(values[name], values);
  }
  const problems = [...alsoWrong, ...misfits(values)];
  for (const [name, { unreadable }] of Object.entries(declarations)) {
    const isOfForm = !problems.some((line) => line.startsWith(`${name} `));
    if (isOfForm && values[name] !== undefined) problems.push(...[unreadable?.(values[name]) ?? []].flat());
  }
  problems.push(...found(refusedAlways, values, env));
  // One that cannot be read is most likely meant to be production.
  if (values.NODE_ENV !== 'development' && values.NODE_ENV !== 'test')
    problems.push(...found(refused, values, env).filter((line) => !isToldOf(line, alsoWrong)));
  // Often the reason of another fault.
  if (problems.length > 0) throw new ConfigError([...problems, ...found(nameHints, values, env)]);
  return Object.freeze(values as Config);
};

/** A secret whose file cannot be read is not said to be missing as well: nobody shall make a new one. */
const isToldOf = (line: string, alsoWrong: readonly string[]): boolean =>
  alsoWrong.some((other) => other.startsWith(`${line.split(' ', 1)[0]}_FILE`));

/** What does not fit its declaration. */
const misfits = (values: Record<string, unknown>): string[] =>
  validate(values) ? [] : (validate.errors ?? []).map((error) => explain(error.instancePath, error.message, values));

/** Fills in the `{NAME}` of a default. */
const resolve = (value: unknown, values: Readonly<Record<string, unknown>>): unknown => {
  if (Array.isArray(value)) return value.map((item) => resolve(item, values));
  if (typeof value !== 'string') return value;
  return value.replace(/\{(\w+)\}/g, (_, name: string) => String(resolve(values[name], values)));
};

const exampleOf = (schema: TSchema | undefined): unknown =>
  schema?.example ?? schema?.items?.example ?? (schema?.pattern === HTTP_URL ? 'https://host.example' : undefined);

const explain = (path: string, message: string | undefined, values: Record<string, unknown>): string => {
  const name = path.split('/')[1] ?? '';
  const schema = declarations[name];
  const allowed: unknown = schema?.enum ?? schema?.items?.enum;
  const example: unknown = message?.startsWith('must match pattern') ? exampleOf(schema) : undefined;
  const form: unknown = schema?.form ?? (example === undefined ? message : `${message}, such as ${example}`);
  const requirement = Array.isArray(allowed) ? `must be one of ${allowed.join(', ')}` : form;
  return schema?.secret || schema?.personal
    ? `${name} ${requirement}`
    : `${name} ${requirement}, got ${JSON.stringify(values[name])}`;
};

/** Which password belongs to the user in which address. */
export const PASSWORD_OF = { DATABASE_PASSWORD: 'DATABASE_URL', ESDB_PASSWORD: 'ESDB_CONNECTION_STRING' } as const;

export const settingNames = (): string[] => Object.keys(declarations);
/** The names of the settings that are never shown, and may be given as files. */
export const secretSettings = (): string[] => settingNames().filter((name) => declarations[name]?.secret);

/** Which settings each setting requires, by its name. */
export const requiredWith = (): ReadonlyMap<string, readonly string[]> =>
  new Map(Object.entries(declarations).flatMap(([name, { needs }]) => (needs ? [[name, needs]] : [])));

/** The names of the secrets that whoever runs an installation makes up. */
export const chosenSecrets = (): string[] => Object.keys(declarations).filter((name) => declarations[name]?.chosen);

/** What `docs/settings.md` says about a setting. */
export const meaningOf = (name: string): string => String(declarations[name]?.description);

/** The table of `docs/settings.md`. A check compares the two. */
export const configTable = (): string => {
  const rows = Object.entries(declarations).map(([name, schema]) => {
    const fallback = schema.dev === undefined ? [schema.default].flat().join(',') : undefined;
    const shown = fallback === undefined ? 'development value' : fallback === '' ? 'unset' : `\`${fallback}\``;
    const needs = (schema.needs ?? []).map((other: string) => `\`${other}\``).join(', ');
    const marks = `${needs && ` Requires ${needs}.`}${schema.secret ? ' Secret.' : ''}`;
    return `| \`${name}\` | ${shown} | ${schema.description}${marks} |`;
  });
  return ['| Setting | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
};

/** The keys of the vault, as configured. */
export const vaultKeysOf = (config: Config): MasterKeys => ({
  master: config.VAULT_MASTER_KEY,
  previous: config.VAULT_MASTER_KEY_PREVIOUS,
  fingerprint: config.VAULT_FINGERPRINT_KEY,
});
