/** Settings with which production starts: everything that it asks for, and every service. */
import { createHash } from 'node:crypto';

/** 32 bytes that nobody reads here: production refuses secrets that are in a repository. */
const bytesOf = (name: string): Buffer => createHash('sha256').update(`${name} of the tests`).digest();
/** The secret of a setting, for a production of tests. */
export const secretOf = (name: string): string => bytesOf(name).toString('base64url');

export const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://resort.test',
  PAYMENT_RETURN_URLS: 'https://resort.test,resort-app://pay',
  CORS_ORIGINS: 'https://www.resort.test',
  DATA_DIR: '/srv/data',
  TOMBSTONES_DIR: '/srv/tombstones',
  BACKUP_DIR: '/mnt/backups',
  DATABASE_URL: `postgresql://resort:${secretOf('DATABASE_URL')}@db.resort.test/resort?sslmode=verify-full`,
  ESDB_CONNECTION_STRING: `esdb://resort:${secretOf('ESDB_CONNECTION_STRING')}@node1.resort.test:2113,node2.resort.test:2113?tls=true`,
  ADMIN_TOKEN: secretOf('ADMIN_TOKEN'),
  VAULT_MASTER_KEY: bytesOf('VAULT_MASTER_KEY').toString('base64'),
  JWT_SECRET: secretOf('JWT_SECRET'),
  SMS_PEPPER: secretOf('SMS_PEPPER'),
  PASS_SECRET: secretOf('PASS_SECRET'),
  PAYMENT_WEBHOOK_SECRET: secretOf('PAYMENT_WEBHOOK_SECRET'),
  YOOKASSA_API_URL: 'https://api.yookassa.ru/v3',
  YOOKASSA_SHOP_ID: '506751',
  YOOKASSA_SECRET_KEY: secretOf('YOOKASSA_SECRET_KEY'),
  TBANK_API_URL: 'https://securepay.tinkoff.ru/v2',
  TBANK_TERMINAL_KEY: '1510572937960',
  TBANK_PASSWORD: secretOf('TBANK_PASSWORD'),
  SMS_GATEWAY_URL: 'https://sms.test/send',
  SMS_GATEWAY_TOKEN: secretOf('SMS_GATEWAY_TOKEN'),
  SMTP_URL: `smtps://resort:${secretOf('SMTP_URL')}@mail.test`,
  OPERATORS: 'ops@resort.test,+79991234567',
  MAIL_FROM: 'Resort <no-reply@resort.test>',
  MAIL_WEBHOOK_SECRET: `whsec_${bytesOf('MAIL_WEBHOOK_SECRET').toString('base64')}`,
  S3_BUCKET: 'resort-files',
  S3_ENDPOINT: 'https://s3.test',
  S3_ACCESS_KEY_ID: 'resort',
  S3_SECRET_ACCESS_KEY: secretOf('S3_SECRET_ACCESS_KEY'),
  LIVEKIT_URL: 'wss://voice.resort.test',
  LIVEKIT_API_KEY: 'APIresort',
  LIVEKIT_API_SECRET: secretOf('LIVEKIT_API_SECRET'),
  LANGUAGE_MODEL_URL: 'https://model.resort.test/v1',
  LANGUAGE_MODEL: 'phrases',
  TURN_SECRET: secretOf('TURN_SECRET'),
  TURN_URLS: 'turn:turn.resort.test:3478?transport=udp',
  OAUTH_PROVIDERS: JSON.stringify([
    {
      name: 'own',
      issuer: 'https://id.resort.test',
      client_id: 'resort',
      client_secret: secretOf('OAUTH_PROVIDERS'),
    },
  ]),
} as const;
