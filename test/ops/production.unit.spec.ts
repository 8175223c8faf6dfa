/** What production refuses, one broken setting after the other. */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { sandboxApns, sandboxFcm } from '../../commands/push/sandboxKeys.ts';
import { readConfig } from '../../ops/config.ts';
import { PRODUCTION, secretOf } from './production.ts';

const linesOf = (env: NodeJS.ProcessEnv): string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
};
const development = readConfig({});
const WEAK_KEY = Buffer.alloc(32).toString('base64');
const PASSWORD = secretOf('a store');
const zeros = (length: number) => '0'.repeat(length);

describe('production', () => {
  test('starts with complete settings', () => {
    expect(linesOf(PRODUCTION)).toEqual([]);
  });

  test('names everything that is missing at once, each with what may happen and what to do', () => {
    const lines = linesOf({ NODE_ENV: 'production' });
    for (const name of [
      ...['ADMIN_TOKEN', 'VAULT_MASTER_KEY', 'JWT_SECRET', 'SMS_PEPPER', 'PASS_SECRET', 'PAYMENT_WEBHOOK_SECRET'],
      ...['YOOKASSA_SECRET_KEY', 'YOOKASSA_API_URL', 'YOOKASSA_SHOP_ID', 'PUBLIC_URL', 'PAYMENT_RETURN_URLS'],
      ...['TOMBSTONES_DIR', 'BACKUP_DIR', 'SMS_GATEWAY_URL', 'SMTP_URL'],
    ])
      expect(lines.filter((line) => line.startsWith(`${name} `))).not.toEqual([]);
    for (const line of lines) expect(line).toMatch(/^[A-Z\d_]+ [^:]+.*: .+\. (Set|Remove|Use) .+\.$/);
  });

  test.each([
    // Secrets: of the source, of examples, easy to guess, under any spelling.
    ['JWT_SECRET', development.JWT_SECRET, 'JWT_SECRET is not set, and its default'],
    ['JWT_SECRET_PREVIOUS', development.JWT_SECRET, 'JWT_SECRET_PREVIOUS is known to everybody'],
    ['SMS_GATEWAY_TOKEN', development.ADMIN_TOKEN, 'SMS_GATEWAY_TOKEN is known to everybody'],
    ['PASS_SECRET', Buffer.from(development.PASS_SECRET).toString('base64'), 'PASS_SECRET is known to everybody'],
    ['ADMIN_TOKEN', ` "${development.ADMIN_TOKEN.toUpperCase()}" `, 'ADMIN_TOKEN is known to everybody'],
    ['ADMIN_TOKEN', 'please-change-me-0001', 'ADMIN_TOKEN is known to everybody'],
    ['PAYMENT_WEBHOOK_SECRET', 'adminadminadminadmin', 'PAYMENT_WEBHOOK_SECRET is known to everybody'],
    ['TURN_SECRET', 'dev-only-turn-secret', 'TURN_SECRET is known to everybody'],
    ['LIVEKIT_API_SECRET', 'dev-only-voice-secret-of-the-sandbox', 'LIVEKIT_API_SECRET is known to everybody'],
    [
      'DATABASE_URL',
      'postgresql://postgres:%70ostgres@db/r?sslmode=require',
      'the password in DATABASE_URL is known to everybody',
    ],
    [
      'DATABASE_URL',
      'postgresql://db/r?sslmode=require&password=postgres',
      'the password in DATABASE_URL is known to everybody',
    ],
    ['DATABASE_URL', 'postgresql://resort:x@db/r?sslmode=require', 'the password in DATABASE_URL is easy to guess'],
    [
      'ESDB_CONNECTION_STRING',
      'esdb://admin:changeit@a:2113',
      'the password in ESDB_CONNECTION_STRING is known to everybody',
    ],
    [
      'ESDB_CONNECTION_STRING',
      'esdb://admin:change%69t@a:2113',
      'the password in ESDB_CONNECTION_STRING is known to everybody',
    ],
    ['SMTP_URL', 'smtps://resort:12345678@mail.test', 'the password in SMTP_URL is known to everybody'],
    ['VAULT_MASTER_KEY', Buffer.alloc(32).toString('base64'), 'VAULT_MASTER_KEY is easy to guess'],
    ['VAULT_MASTER_KEY', Buffer.alloc(32, 7).toString('base64'), 'VAULT_MASTER_KEY is easy to guess'],
    ['VAULT_MASTER_KEY', Buffer.from([...Array(32).keys()]).toString('base64'), 'VAULT_MASTER_KEY is easy to guess'],
    ['VAULT_MASTER_KEY', Buffer.from(zeros(32)).toString('base64'), 'VAULT_MASTER_KEY is easy to guess'],
    ['JWT_SECRET', zeros(64), 'JWT_SECRET is easy to guess'],
    ['JWT_SECRET', 'abcdefghijklmnopqrstuvwxyzabcdefgh', 'JWT_SECRET is easy to guess'],
    ['PASS_SECRET', 'k3J9xQ2mk3J9xQ2mk3J9xQ2mk3J9xQ2m', 'PASS_SECRET is easy to guess'],
    ['JWT_SECRET', 'short', 'JWT_SECRET must NOT have fewer than 32 characters'],
    ['JWT_SECRET', PRODUCTION.PASS_SECRET, 'JWT_SECRET and PASS_SECRET are the same text'],
    ['ADMIN_TOKEN', Buffer.from(PRODUCTION.JWT_SECRET).toString('base64'), 'ADMIN_TOKEN and JWT_SECRET are the same'],
    [
      'SMS_PEPPER',
      Buffer.from(PRODUCTION.VAULT_MASTER_KEY, 'base64').toString('hex'),
      'VAULT_MASTER_KEY and SMS_PEPPER are',
    ],
    ['TURN_SECRET', PRODUCTION.ADMIN_TOKEN, 'ADMIN_TOKEN and TURN_SECRET are the same text'],
    // The sandbox, and accounts of it.
    ['ROLE', 'api,sandbox', 'ROLE sandbox is not allowed'],
    ['YOOKASSA_API_URL', '', 'YOOKASSA_API_URL is not set, and stands for the sandbox'],
    ['TBANK_API_URL', 'http://LOCALHOST.:8082/other', 'TBANK_API_URL is an address of the sandbox'],
    ['YOOKASSA_API_URL', 'http://127.0.0.1:8082/v3', 'YOOKASSA_API_URL is an address of the sandbox'],
    ['YOOKASSA_API_URL', 'http://127.1:08082/v3', 'YOOKASSA_API_URL is an address of the sandbox'],
    ['YOOKASSA_API_URL', 'http://[::1]:8082/v3', 'YOOKASSA_API_URL is an address of the sandbox'],
    ['YOOKASSA_API_URL', 'http://[::ffff:127.0.0.1]:8082/v3', 'YOOKASSA_API_URL is an address of the sandbox'],
    ['YOOKASSA_API_URL', 'https://0.0.0.0:8082/v3', 'YOOKASSA_API_URL is an address of the sandbox'],
    ['YOOKASSA_API_URL', `http://${hostname()}:8082/v3`, 'YOOKASSA_API_URL is an address of the sandbox'],
    ['SMS_GATEWAY_URL', 'http://localhost:8082/sms', 'SMS_GATEWAY_URL is an address of the sandbox'],
    ['SMTP_URL', 'smtp://localhost:8025', 'SMTP_URL is an address of the sandbox'],
    ['LIVEKIT_URL', 'ws://127.0.0.1:8082', 'LIVEKIT_URL is an address of the sandbox'],
    ['SANDBOX_URL', 'https://api.yookassa.ru/', 'YOOKASSA_API_URL is an address of the sandbox'],
    ['SANDBOX_URL', 'http://API.yookassa.ru.:443', 'YOOKASSA_API_URL is an address of the sandbox'],
    ['SANDBOX_URL', 'https://id.resort.test', 'OAUTH_PROVIDERS is an address of the sandbox'],
    ['YOOKASSA_SHOP_ID', '', 'YOOKASSA_SHOP_ID is not set'],
    ['TBANK_TERMINAL_KEY', 'sandbox', 'TBANK_TERMINAL_KEY is not set'],
    ['MAIL_FROM', '', 'MAIL_FROM is not set'],
    // Addresses that people are told.
    ['PUBLIC_URL', '', 'PUBLIC_URL is not set, and stands for localhost'],
    ['PUBLIC_URL', 'https://127.0.0.1', 'PUBLIC_URL has 127.0.0.1'],
    ['PUBLIC_URL', 'http://resort.test', 'PUBLIC_URL has http://resort.test, without TLS'],
    ['CORS_ORIGINS', 'https://a.test,http://b.test', 'CORS_ORIGINS has http://b.test, without TLS'],
    ['CORS_ORIGINS', 'https://localhost:3000', 'CORS_ORIGINS has localhost'],
    ['PAYMENT_RETURN_URLS', 'http://resort.test', 'PAYMENT_RETURN_URLS has http://resort.test, without TLS'],
    ['PAYMENT_RETURN_URLS', 'https://app.localhost', 'PAYMENT_RETURN_URLS has app.localhost'],
    ['TURN_URLS', 'turn:[::1]:3478', 'TURN_URLS has ::1'],
    ['LIVEKIT_URL', 'wss://localhost:7880', 'LIVEKIT_URL has localhost'],
    // Without TLS.
    ['YOOKASSA_API_URL', 'http://api.yookassa.ru/v3', 'YOOKASSA_API_URL leads to api.yookassa.ru without verified TLS'],
    ['TBANK_API_URL', 'http://Securepay.TEST./v2', 'TBANK_API_URL leads to securepay.test without verified TLS'],
    ['SMS_GATEWAY_URL', 'http://10.0.0.7/sms', 'SMS_GATEWAY_URL leads to 10.0.0.7 without verified TLS'],
    ['S3_ENDPOINT', 'http://minio:9000', 'S3_ENDPOINT leads to minio without verified TLS'],
    ['LIVEKIT_URL', 'ws://voice.resort.test', 'LIVEKIT_URL leads to voice.resort.test without verified TLS'],
    ['REALTIME_URL', 'http://realtime:8081', 'REALTIME_URL leads to realtime without verified TLS'],
    ['LANGUAGE_MODEL_URL', 'http://model/v1', 'LANGUAGE_MODEL_URL leads to model without verified TLS'],
    ['DATABASE_URL', `postgresql://resort:${PASSWORD}@db/resort`, 'DATABASE_URL leads to db without verified TLS'],
    [
      'DATABASE_URL',
      `postgresql://r:${PASSWORD}@db/r?sslmode=no-verify`,
      'DATABASE_URL leads to db without verified TLS',
    ],
    ['ESDB_CONNECTION_STRING', 'esdb://node:2113?tls=false', 'ESDB_CONNECTION_STRING leads to node without verified'],
    ['NODE_TLS_REJECT_UNAUTHORIZED', '0', 'NODE_TLS_REJECT_UNAUTHORIZED is 0'],
    // Folders.
    ['TOMBSTONES_DIR', '', 'TOMBSTONES_DIR is inside of DATA_DIR'],
    ['TOMBSTONES_DIR', '/srv/data/../data/kept', 'TOMBSTONES_DIR is inside of DATA_DIR'],
    ['DATA_DIR', '/srv', 'TOMBSTONES_DIR is inside of DATA_DIR'],
    ['BACKUP_DIR', '/srv/data/backups', 'BACKUP_DIR is inside of DATA_DIR'],
    // What is missing.
    ['BACKUP_DIR', '', 'BACKUP_DIR is not set'],
    ['SMS_GATEWAY_URL', '', 'SMS_GATEWAY_URL is not set'],
    ['SMTP_URL', '', 'SMTP_URL is not set'],
    ['RATE_LIMITS', '0', 'RATE_LIMITS is 0'],
    ['RATE_LIMITS', '0.0', 'RATE_LIMITS is 0'],
    ['RATE_LIMITS', '1000000', 'RATE_LIMITS is 1000000'],
    ['SMS_PER_DAY', '0', 'SMS_PER_DAY is 0'],
  ])('refuses %s=%s, and says why', (name, value, problem) => {
    const lines = linesOf({ ...PRODUCTION, [name]: value });
    expect(lines.filter((line) => line.startsWith(problem))).toHaveLength(1);
    const isSettingOfForm = lines.some((line) => line.includes(' must NOT '));
    if (!isSettingOfForm) expect(linesOf({ ...PRODUCTION, NODE_ENV: 'test', [name]: value })).toEqual([]);
  });

  test.each([
    [
      'an intentionally open door',
      {
        PRODUCTION_WITHOUT: 'sms,mail,backup,limits',
        RATE_LIMITS: '0',
        SMS_GATEWAY_URL: '',
        SMTP_URL: '',
        BACKUP_DIR: '',
      },
    ],
    [
      'stores on a private network',
      {
        PRIVATE_HOSTS: 'db,esdb,realtime',
        DATABASE_URL: `postgresql://resort:${PASSWORD}@db/resort`,
        ESDB_CONNECTION_STRING: 'esdb://esdb:2113?tls=false',
        REALTIME_URL: 'http://realtime:8081',
      },
    ],
    [
      'stores on this machine',
      {
        DATABASE_URL: 'postgresql:///resort?host=/var/run/postgresql',
        ESDB_CONNECTION_STRING: 'esdb://127.0.0.1:2113?tls=false',
      },
    ],
    ['embedded stores', { DATABASE_URL: '', ESDB_CONNECTION_STRING: '' }],
    [
      'the key of the vault as its fingerprint key, as before the first rotation',
      { VAULT_FINGERPRINT_KEY: PRODUCTION.VAULT_MASTER_KEY },
    ],
    [
      'a weak key of the vault that was replaced',
      { VAULT_FINGERPRINT_KEY: WEAK_KEY, VAULT_MASTER_KEY_PREVIOUS: WEAK_KEY },
    ],
    ['a secret that was replaced by itself', { JWT_SECRET_PREVIOUS: PRODUCTION.JWT_SECRET }],
    ['a machine that is named by its public name', { PUBLIC_URL: `https://${hostname()}` }],
  ])('accepts %s', (_, changed) => {
    expect(linesOf({ ...PRODUCTION, ...changed })).toEqual([]);
  });

  test('refuses the keys with which the sandbox is addressed, however they are written', () => {
    const ids = { APNS_KEY_ID: 'ABCDEFGHIJ', APNS_TEAM_ID: 'KLMNOPQRST', APNS_TOPIC: 'test.resort.app' };
    const apns = (key: string) => linesOf({ ...PRODUCTION, ...ids, APNS_KEY: key });
    const fcm = (private_key: string) => {
      const account = {
        project_id: 'resort',
        client_email: 'a@resort.test',
        token_uri: 'https://oauth2.googleapis.com/token',
      };
      return linesOf({ ...PRODUCTION, FCM_SERVICE_ACCOUNT: JSON.stringify({ ...account, private_key }) });
    };
    const isOne = (setting: string) => [expect.stringContaining(`${setting} is known to everybody`)];
    const sec1 = createPrivateKey(sandboxApns.privateKey).export({ type: 'sec1', format: 'pem' }).toString();
    for (const key of [sandboxApns.privateKey, sandboxApns.privateKey.replaceAll('\n', '\\n'), sec1])
      expect(apns(key)).toEqual(isOne('APNS_KEY'));
    expect(fcm(sandboxFcm('').private_key)).toEqual(isOne('FCM_SERVICE_ACCOUNT'));
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(apns(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())).toEqual([]);
  });

  test('shows no secret', () => {
    const weak = Object.fromEntries(['JWT_SECRET', 'PASS_SECRET'].map((name) => [name, 'hidden'.repeat(8)]));
    expect(linesOf({ ...PRODUCTION, ...weak }).join()).not.toContain('hidden');
  });
});
