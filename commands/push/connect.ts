/** The environment settings of push messages, and the services that are made from them. */
import { Type } from '@sinclair/typebox';
import { guardedExchange } from '../../infra/outside/typedAddresses.ts';
import { list, together, unset } from '../../infra/settings.ts';
import type { ModuleConfig } from '../core/module.ts';
import { createApns } from './apns.ts';
import { createCircuit } from './circuit.ts';
import type { PushPorts } from './deps.ts';
import { createFcm } from './fcm.ts';
import { SANDBOX_PATHS, sandboxApns, sandboxFcm, sandboxVapid } from './sandboxKeys.ts';
import type { PushService } from './service.ts';
import { createWebPush, type VapidKeys } from './webPush.ts';

const ServiceAccount = Type.Object({
  project_id: Type.String({ minLength: 1 }),
  client_email: Type.String({ minLength: 3 }),
  private_key: Type.String({ pattern: 'PRIVATE KEY' }),
  token_uri: Type.String({ pattern: '^https?://' }),
});

const UNSET = 'Unset = the sandbox; in production';

export const pushSettings = {
  FCM_SERVICE_ACCOUNT: Type.Optional({
    ...ServiceAccount,
    secret: true,
    wellKnown: sandboxFcm('').private_key,
    json: true,
    description: `Service account of Firebase Cloud Messaging: its key file, as JSON in one line. ${UNSET} nothing is sent to Android.`,
  }),
  ...together({
    APNS_KEY: unset({
      secret: true,
      wellKnown: sandboxApns.privateKey,
      pattern: 'PRIVATE KEY',
      description: `Signing key of Apple Push Notification service: the .p8 file, line breaks may be written as \`\\n\`. ${UNSET} nothing is sent to iOS.`,
    }),
    APNS_KEY_ID: unset({ pattern: '^[A-Z0-9]{10}$', example: 'ABCDE12345', description: 'Id of that key.' }),
    APNS_TEAM_ID: unset({
      pattern: '^[A-Z0-9]{10}$',
      example: 'ABCDE12345',
      description: 'Id of the Apple developer team.',
    }),
    APNS_TOPIC: unset({ minLength: 1, description: 'Bundle id of the iOS app.' }),
  }),
  ...together({
    VAPID_PUBLIC_KEY: unset({
      pattern: '^[A-Za-z0-9_-]{87}$',
      description: `Public key of Web Push, from \`npx web-push generate-vapid-keys\`. ${UNSET} nothing is sent to browsers.`,
    }),
    VAPID_PRIVATE_KEY: unset({
      secret: true,
      wellKnown: sandboxVapid.privateKey,
      pattern: '^[A-Za-z0-9_-]{43}$',
      description: 'Private key of that pair.',
    }),
    VAPID_SUBJECT: unset({
      pattern: '^(mailto:|https://)',
      example: 'mailto:push@resort.example',
      description: 'Whom Web Push services write to when something is wrong: `mailto:` or `https:`.',
    }),
  }),
  WEB_PUSH_HOSTS: list(
    Type.String({ pattern: '^(\\*\\.)?[a-z0-9-]+(\\.[a-z0-9-]+)+$' }),
    ['fcm.googleapis.com', 'updates.push.services.mozilla.com', '*.push.apple.com', '*.notify.windows.com'],
    'Hosts of the Web Push services that subscriptions may name, comma-separated. `*.` stands for every name below.',
  ),
};
type Config = ModuleConfig<typeof pushSettings>;

const FCM_URL = 'https://fcm.googleapis.com';
const APNS_URLS = { production: 'https://api.push.apple.com', sandbox: 'https://api.sandbox.push.apple.com' };

/** Line breaks of a key are lost in many files of settings. */
const pem = (text: string): string => text.replaceAll('\\n', '\n');

const fcmOf = ({ FCM_SERVICE_ACCOUNT: account }: Config, sandbox: string | null): PushService | undefined => {
  if (account) return createFcm({ account: { ...account, private_key: pem(account.private_key) }, apiUrl: FCM_URL });
  return sandbox === null
    ? undefined
    : createFcm({ account: sandboxFcm(sandbox), apiUrl: `${sandbox}${SANDBOX_PATHS.fcm}` });
};

const apnsOf = (config: Config, sandbox: string | null): PushService | undefined => {
  const { APNS_KEY, APNS_KEY_ID: keyId, APNS_TEAM_ID: teamId, APNS_TOPIC: topic } = config;
  if (APNS_KEY !== undefined && keyId !== undefined && teamId !== undefined && topic !== undefined)
    return createApns({ key: { keyId, teamId, topic, privateKey: pem(APNS_KEY) }, urls: APNS_URLS });
  if (sandbox === null) return undefined;
  const url = `${sandbox}${SANDBOX_PATHS.apns}`;
  return createApns({ key: sandboxApns, urls: { production: `${url}/production`, sandbox: `${url}/sandbox` } });
};

const vapidOf = (config: Config, sandbox: string | null): VapidKeys | undefined => {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject } = config;
  if (publicKey !== undefined && privateKey !== undefined && subject !== undefined)
    return { publicKey, privateKey, subject };
  return sandbox === null ? undefined : sandboxVapid;
};

export const connectPush = (config: Config): PushPorts => {
  const sandbox = config.NODE_ENV === 'production' ? null : config.SANDBOX_URL;
  const [fcm, apns, vapid] = [fcmOf(config, sandbox), apnsOf(config, sandbox), vapidOf(config, sandbox)];
  return {
    pushServices: {
      ...(fcm && { fcm }),
      ...(apns && { apns }),
      ...(vapid && { web: createWebPush({ keys: vapid, exchange: guardedExchange({ sandbox }) }) }),
    },
    pushCircuit: createCircuit(),
    settings: {
      webPushKey: vapid?.publicKey ?? null,
      webPushHosts: config.WEB_PUSH_HOSTS,
      pushSandbox: sandbox,
    },
  };
};
