/** The environment settings of push messages. */
import { Type } from '@sinclair/typebox';
import { list, together, unset } from '../../infra/settings.ts';
import { sandboxApns, sandboxFcm, sandboxVapid } from './sandboxKeys.ts';

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
