import { describe, expect, test } from 'vitest';
import { identityProvidersOf } from '../../commands/accounts/identityProviders.ts';
import { configTable, readConfig, requiredWith, warningsFor } from '../../ops/config.ts';
import { PRODUCTION } from './production.ts';

/** What is wrong with the settings, line by line. */
const refusal = (env: NodeJS.ProcessEnv): string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
};

/** Of services that the settings of a whole production do without. */
const EXAMPLES: Record<string, string> = {
  APNS_KEY: '-----BEGIN PRIVATE KEY-----\\nMIG\\n-----END PRIVATE KEY-----',
  APNS_KEY_ID: 'ABCDEFGHIJ',
  APNS_TEAM_ID: 'KLMNOPQRST',
  APNS_TOPIC: 'test.resort.app',
  VAPID_PUBLIC_KEY: 'B'.repeat(87),
  VAPID_PRIVATE_KEY: 'a'.repeat(43),
  VAPID_SUBJECT: 'mailto:push@resort.test',
  LANGUAGE_MODEL_KEY: 'key',
  RECEIPTS_TAXATION: 'osn',
  RECEIPTS_EMAIL: 'receipts@resort.test',
  TBANK_NOMINAL_TOKEN: 'not-a-secret-of-the-account',
};

describe('settings', () => {
  test('all have defaults, so that development needs no settings', () => {
    const config = readConfig({});
    expect(config).toMatchObject({ PORT: 8080, ROLE: ['all'], DATA_DIR: '.data', PUBLIC_URL: 'http://localhost:8080' });
    expect(config.DATABASE_URL).toBeUndefined();
  });

  test('are typed: numbers, flags, lists; an empty variable counts as unset', () => {
    const config = readConfig({
      PORT: '9000',
      ROLE: 'api, worker',
      SEED_DEMO: 'false',
      CORS_ORIGINS: 'https://a.test,app://mobile',
      DATABASE_URL: '',
      HOLD_TTL_MINUTES: '0.05',
    });
    expect(config).toMatchObject({
      PORT: 9000,
      ROLE: ['api', 'worker'],
      SEED_DEMO: false,
      CORS_ORIGINS: ['https://a.test', 'app://mobile'],
      HOLD_TTL_MINUTES: 0.05,
    });
    expect(config.DATABASE_URL).toBeUndefined();
  });

  test('read identity providers from JSON; production has none by default', () => {
    const names = (env: NodeJS.ProcessEnv) => [...identityProvidersOf(readConfig(env)).keys()];
    const { OAUTH_PROVIDERS: _, ...production } = PRODUCTION;
    expect(names({})).toEqual(['yandex', 'vk']);
    expect(names(production)).toEqual([]);
    const client = { client_id: 'ours', client_secret: 'not to be shown' };
    const given = (...providers: object[]) => ({ ...production, OAUTH_PROVIDERS: JSON.stringify(providers) });
    const own = { ...client, name: 'own', issuer: 'https://id.test' };
    expect(names(given({ ...client, name: 'vk' }, own))).toEqual(['vk', 'own']);
    expect(() => names(given({ ...client, name: 'own' }, { ...client, name: 'other' }, own, own))).toThrow(
      /own needs its issuer[^\n]*\n[^\n]*other needs its issuer[^\n]*\n[^\n]*has own more than once/,
    );
    for (const env of [given({ ...own, issuer: 'http://id.test' }), { OAUTH_PROVIDERS: 'not to be shown' }])
      expect(() => names(env)).toThrow(/^OAUTH_PROVIDERS (must|leads) (?!.*shown)/);
  });

  test('derive defaults from other settings, and keep given values', () => {
    const config = readConfig({
      PORT: '9000',
      SANDBOX_URL: 'http://pay.test',
      ADMIN_TOKEN: 'a token with {PORT} in it',
    });
    expect(config.PUBLIC_URL).toBe('http://localhost:9000');
    expect(config.PAYMENT_RETURN_URLS).toEqual(['http://localhost:9000']);
    expect(config.YOOKASSA_API_URL).toBe('http://pay.test/yookassa/v3');
    expect(config.ADMIN_TOKEN).toBe('a token with {PORT} in it');
  });

  test.each([
    ['PORT', 'eighty', 'PORT must be integer, got "eighty"'],
    ['PORT', '70000', 'PORT must be <= 65535, got 70000'],
    ['ROLE', 'api,cook', 'ROLE must be one of all, api,'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of trace, debug,'],
    ['DATABASE_URL', 'mysql://x:hidden@y/z', 'such as postgresql://user:password@host/database'],
    ['YOOKASSA_API_URL', 'api.yookassa.ru', 'such as https://host.example, got "api.yookassa.ru"'],
    ['RESORT_SEASON_BEGINS', '1.10', 'such as 10-01, got'],
    [
      'DATABASE_URL',
      'postgresql://resort:hidden/@db/resort',
      'DATABASE_URL cannot be read: write %40 for @, %2F for /',
    ],
    ['DATABASE_URL', 'postgresql://resort:12/hidden@db/resort', 'DATABASE_URL cannot be read: write %40'],
    ['DATABASE_URL', 'postgresql://resort:12#hidden@db/resort', 'DATABASE_URL cannot be read: write %40'],
    ['DATABASE_URL', 'postgresql://resort:h@hidden/x@db/resort', 'DATABASE_URL cannot be read: write %40'],
    [
      'DATABASE_URL',
      'postgresql://u:hidden@db/r?sslmode=verify-full&sslrootcert=/no',
      'that cannot be read: /no (ENOENT)',
    ],
    ['SMTP_URL', 'smtps://user:hidden/hidden@mail.test', 'SMTP_URL is no smtps://user:password@host: write %40'],
    ['SMTP_URL', 'smtps://user:hidden%@mail.test', 'SMTP_URL is no smtps://user:password@host: write %40'],
    [
      'ESDB_CONNECTION_STRING',
      'esdb://user:hid@hidden@a:2113,b:2113',
      'ESDB_CONNECTION_STRING cannot be read: write %40',
    ],
    ['ESDB_CONNECTION_STRING', 'http://x', 'ESDB_CONNECTION_STRING must match pattern'],
    ['CORS_ORIGINS', 'https://a.test/path', 'CORS_ORIGINS must match pattern'],
    ['JWT_SECRET', 'short-and-hidden', 'JWT_SECRET must NOT have fewer than 32 characters'],
    ['VAULT_MASTER_KEY', 'not-base64-hidden', 'VAULT_MASTER_KEY must match pattern'],
  ])('%s=%s is refused in one line that names it and shows no secret', (name, value, line) => {
    let message = '';
    try {
      readConfig({ [name]: value });
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain(line);
    expect(message.split('\n')).toHaveLength(1);
    expect(message).not.toContain('hidden');
  });

  test('report all errors at once', () => {
    const wrong = {
      ...{ PORT: 'x', LOG_LEVEL: 'y', RESORT_TIMEZONE: 'Moscow', SMTP_URL: 'smtp://a:b/c@mail.test' },
      ...{ TURN_SECRET: 'not-a-secret-of-turn-servers', LIVEKIT_URL: 'wss://voice.test', APNS_KEY_ID: 'ABCDEFGHIJ' },
    };
    for (const NODE_ENV of ['development', 'production', 'prodution']) {
      const lines = refusal({ ...wrong, NODE_ENV });
      for (const name of Object.keys(wrong)) expect(lines.filter((line) => line.startsWith(name))).not.toEqual([]);
      expect(lines.some((line) => line.startsWith('JWT_SECRET'))).toBe(NODE_ENV !== 'development');
    }
  });

  test('that belong together are refused alone, in one line that names the missing ones and what to do', () => {
    const value = (name: string) => ({ ...PRODUCTION, ...EXAMPLES })[name] as string;
    const required = [...requiredWith()];
    expect(required.length).toBeGreaterThan(15);
    const listed = (names: readonly string[]) => new Intl.ListFormat('en-GB').format(names);
    for (const [name, others] of required) {
      const lines = refusal({ [name]: value(name) });
      expect(lines).toEqual([
        `${name} without ${listed(others)}: one does nothing without the other. Set ${listed(others)} as well, or remove ${name}.`,
      ]);
    }
    const all = Object.fromEntries(required.flatMap(([name, others]) => [name, ...others]).map((n) => [n, value(n)]));
    expect(refusal(all)).toEqual([]);
    expect(refusal({ ...all, APNS_KEY: '', APNS_TOPIC: '' })).toEqual([
      expect.stringMatching(/^APNS_KEY_ID and APNS_TEAM_ID without APNS_KEY and APNS_TOPIC: /),
    ]);
    expect(refusal({ RECEIPTS_TAXATION: 'off', S3_REGION: 'ru-central1' })).toEqual([]);
  });

  test('warn of names that are a letter or two away from a setting that is not set, and of what is set in vain', () => {
    const warnings = (env: NodeJS.ProcessEnv) => warningsFor(readConfig(env), env);
    for (const [name, meant] of [
      ['SMPT_URL', 'SMTP_URL'],
      ['TOMBSTONE_DIR', 'TOMBSTONES_DIR'],
      ['Database_Url', 'DATABASE_URL'],
      ['YOOKASSA_SHOPID', 'YOOKASSA_SHOP_ID'],
    ] as const)
      expect(warnings({ [name]: 'x' })).toEqual([
        `${name} is no setting, and ${meant} is not set: it does nothing, and the default is used. Call it ${meant}, if that is what it is.`,
      ]);
    // Often the reason of a refusal.
    expect(refusal({ ...PRODUCTION, TOMBSTONES_DIR: '', TOMBSTONE_DIR: '/srv/tombstones' })).toEqual([
      expect.stringContaining('TOMBSTONES_DIR is inside of DATA_DIR'),
      expect.stringContaining('TOMBSTONE_DIR is no setting'),
    ]);
    expect(warnings({ SMPT_URL: 'x', SMTP_URL: 'smtp://mail.test' })).toEqual([]);
    expect(warnings({ PATH: '/bin', HOSTNAME: 'a', POSTS: 'b', HOME: '/root', API_PORT: 'tcp://1' })).toEqual([]);
    const { SMTP_URL: _, ...silent } = PRODUCTION;
    expect(warnings({ ...silent, PRODUCTION_WITHOUT: 'mail' })).toEqual([
      expect.stringContaining('MAIL_FROM without SMTP_URL: it does nothing.'),
    ]);
  });

  test('name operators by e-mail address and phone number, and show none that is wrong', () => {
    expect(readConfig({ OPERATORS: 'ops@resort.test, +79991234567' }).OPERATORS).toEqual([
      'ops@resort.test',
      '+79991234567',
    ]);
    for (const OPERATORS of ['hidden', '79991234567', '+0123456789', 'a@hidden', 'Hidden <a@b.test>', 'a b@c.test'])
      expect(() => readConfig({ OPERATORS: `ops@resort.test,${OPERATORS}` })).toThrow(
        /^OPERATORS must be e-mail addresses and phone numbers such as \+79991234567, comma-separated$/,
      );
  });

  test('warn when production tells nobody, or cannot reach whom it names', () => {
    const warnings = (given: NodeJS.ProcessEnv) => {
      const env = { ...PRODUCTION, ...given };
      return warningsFor(readConfig(env), env).filter((line) => line.startsWith('OPERATORS'));
    };
    expect(warnings({})).toEqual([]);
    expect(warnings({ OPERATORS: '' })).toEqual([expect.stringMatching(/^OPERATORS is not set.*operators --test\.$/)]);
    const without = { SMTP_URL: '', PRODUCTION_WITHOUT: 'mail' };
    expect(warnings({ ...without, OPERATORS: 'ops@resort.test' })).toEqual([expect.stringContaining('can reach')]);
    expect(warnings({ ...without, OPERATORS: '+79991234567' })).toEqual([]);
  });

  test('warn when a system with default secrets listens beyond this machine', () => {
    for (const HOST of ['127.0.0.1', 'localhost', '::1']) expect(warningsFor(readConfig({ HOST }), {})).toEqual([]);
    for (const HOST of ['0.0.0.0', '::', '192.0.2.1']) expect(warningsFor(readConfig({ HOST }), {})[0]).toContain(HOST);
    expect(warningsFor(readConfig({ ...PRODUCTION, HOST: '0.0.0.0' }), {})).toEqual([]);
  });

  test('the table lists each of them once and shows no secret', () => {
    const table = configTable();
    for (const name of Object.keys(readConfig({}))) expect(table.split(`| \`${name}\` |`)).toHaveLength(2);
    expect(table).not.toContain('dev-only');
  });
});
