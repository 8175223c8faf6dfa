/** The devices that push messages reach, as their people register them. */
import { type Static, Type } from '@sinclair/typebox';
import {
  type DeviceRow,
  devicesOf,
  forgetDevices,
  type Holder,
  MOST_DEVICES,
  registerDevice,
  subscribeBrowser,
} from '../../commands/push/devices.ts';
import { pushTo } from '../../commands/push/pushTo.ts';
import { Language } from '../../domain/accounts/accountEvents.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { addMs, MINUTE_MS } from '../../domain/core/instants.ts';
import { Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { appPlatforms } from '../../domain/flags/context.ts';
import { AppVersion } from '../../domain/push/broadcast.ts';
import { derivedId } from '../../infra/ids.ts';
import type { User } from '../http/caller.ts';
import { NO_CONTENT, route } from '../http/route.ts';

const Environment = OneOf(['production', 'sandbox'], {
  description: 'Of iOS: `sandbox` for a build that was installed from Xcode.',
});
const facts = {
  app_version: Type.Optional(AppVersion),
  language: Type.Optional({ ...Language, description: 'Of the app; otherwise that of the account.' }),
};

const Device = Type.Object(
  {
    id: Uuid,
    platform: OneOf(appPlatforms),
    environment: Environment,
    app_version: Nullable(AppVersion),
    language: Nullable(Language),
    registered_at: Instant,
    last_seen_at: Type.String({ format: 'date-time', description: 'When it was registered again last.' }),
  },
  { $id: 'PushDevice' },
);

const holderOf = ({ id: personId, sessionId }: User): Holder => ({ personId, sessionId });
const factsOf = ({ app_version, language }: { app_version?: string; language?: string }) => ({
  appVersion: app_version ?? null,
  language: language ?? null,
});
const shown = (row: DeviceRow): Static<typeof Device> => ({ ...row });

const register = route('POST /api/v1/push/register', {
  id: 'registerPushDevice',
  access: 'user',
  summary: 'Register a device for push messages',
  description: `The app does this at every start. A token that another person had registered is that of the caller from then on. Signing out ends it. A person has at most ${MOST_DEVICES} devices: the one that was seen least lately goes.`,
  body: Type.Object(
    {
      platform: OneOf(appPlatforms),
      token: Type.String({
        minLength: 20,
        maxLength: 4_096,
        description: 'Of APNs in hexadecimal for iOS, otherwise of Firebase Cloud Messaging.',
      }),
      environment: Type.Optional(Environment),
      ...facts,
    },
    { $id: 'NewPushDevice' },
  ),
  reply: Device,
  errors: ['invalid'],
  handle: async ({ body, caller }, app) => {
    const { platform, token, environment = 'production' } = body;
    const device = { platform, token, environment, ...factsOf(body) };
    return shown(await registerDevice(app, holderOf(caller), device));
  },
});

const subscribe = route('POST /api/v1/push/subscribe', {
  id: 'subscribeToWebPush',
  access: 'user',
  summary: 'Register a browser for push messages',
  description:
    'The body is the `PushSubscription` of the browser, as JSON. `GET /push/key` has the key to subscribe with.',
  body: Type.Object(
    {
      endpoint: Type.String({ format: 'uri', maxLength: 2_000 }),
      keys: Type.Object({
        p256dh: Type.String({ pattern: '^[A-Za-z0-9_-]{87}=?$' }),
        auth: Type.String({ pattern: '^[A-Za-z0-9_-]{22}={0,2}$' }),
      }),
      expirationTime: Type.Optional(Nullable(Type.Number())),
      ...facts,
    },
    { $id: 'WebPushSubscription' },
  ),
  reply: Device,
  errors: ['invalid'],
  handle: async ({ body, caller }, app) =>
    shown(
      await subscribeBrowser(app, holderOf(caller), { endpoint: body.endpoint, keys: body.keys, ...factsOf(body) }),
    ),
});

const unregister = route('DELETE /api/v1/push/register', {
  id: 'unregisterPushDevice',
  access: 'user',
  summary: 'Stop push messages to a device',
  description:
    'That of the token, or of the address of a Web Push subscription. Without a body: those of this session.',
  body: Type.Optional(Type.Object({ token: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096 })) })),
  ...NO_CONTENT,
  handle: async ({ body, caller }, app) => {
    await forgetDevices(app, holderOf(caller), body?.token);
    return null;
  },
});

const list = route('GET /api/v1/push/devices', {
  id: 'listPushDevices',
  access: 'user',
  summary: 'List own devices that push messages reach',
  reply: Type.Object({ data: Type.Array(Device) }),
  handle: async ({ caller }, { pool }) => ({ data: (await devicesOf(pool, caller.id)).map(shown) }),
});

const key = route('GET /api/v1/push/key', {
  id: 'getWebPushKey',
  access: 'public',
  summary: 'Get the key that browsers subscribe with',
  description: 'The `applicationServerKey` of `PushManager.subscribe`.',
  reply: Type.Object({ public_key: Type.String() }, { $id: 'WebPushKey' }),
  errors: ['not_found'],
  cache: { maxAge: 3_600, shared: true },
  handle: (_, { settings: { webPushKey } }) => {
    if (webPushKey === null) throw new Rejected('not_found', 'Web Push is not set up.');
    return { public_key: webPushKey };
  },
});

const TEST_TEXTS = {
  ru: { title: 'Проверка', body: 'Уведомления приходят на это устройство.' },
  en: { title: 'Test', body: 'Push messages arrive at this device.' },
};
const TEST_MS = 10 * MINUTE_MS;

const test = route('POST /api/v1/push/test', {
  id: 'testPush',
  access: 'user',
  rate: 'call',
  summary: 'Send a push message to oneself',
  reply: Type.Object({ devices: Type.Integer({ description: 'How many it was queued for.' }) }, { $id: 'PushTest' }),
  status: 202,
  handle: async ({ caller, context }, app) => {
    const devices = await devicesOf(app.pool, caller.id);
    const text = TEST_TEXTS[devices[0]?.language?.startsWith('ru') ? 'ru' : 'en'];
    await pushTo(app, caller.id, {
      id: derivedId(context.commandId, 'push test'),
      kind: 'system',
      ...text,
      link: '/',
      urgency: 'high',
      passesQuietHours: true, // they look at their device
      expiresAt: addMs(context.at, TEST_MS),
      collapseKey: null,
      ofPerson: null,
    });
    return { devices: devices.length };
  },
});

export const deviceRoutes = [register, subscribe, unregister, list, key, test];
