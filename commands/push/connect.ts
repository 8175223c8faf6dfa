/** The services of push messages, made from the settings. */
import { guardedExchange } from '../../infra/outside/typedAddresses.ts';
import type { ModuleConfig } from '../core/module.ts';
import { createApns } from './apns.ts';
import { createCircuit } from './circuit.ts';
import type { PushPorts } from './deps.ts';
import { createFcm } from './fcm.ts';
import { SANDBOX_PATHS, sandboxApns, sandboxFcm, sandboxVapid } from './sandboxKeys.ts';
import type { PushService } from './service.ts';
import type { pushSettings } from './settings.ts';
import { createWebPush, type VapidKeys } from './webPush.ts';

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
      pushSandbox: sandbox,
    },
  };
};
