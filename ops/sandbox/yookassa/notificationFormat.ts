/** YooKassa's notifications: "Incoming notifications" of https://yookassa.ru/developers/using-api/webhooks. */
import { signWebhook } from '../../../commands/payments/standardWebhooks.ts';
import type { Notification } from '../../../commands/payments/yookassa/api.ts';
import type { Telling, Voice } from '../core/notificationFormats.ts';

const telling = (body: Notification): Telling => ({ event: body.event, body });

/** `secret` signs: the real provider is known by its addresses, which the sandbox has not. */
export const yookassaVoice = (url: string, secret: string): Voice => ({
  step: (_, { record: { object }, event }) => (event ? [telling({ type: 'notification', event, object })] : []),
  refund: (_, object) => [telling({ type: 'notification', event: 'refund.succeeded', object })],
  url: () => url,
  headers: (id, body) => signWebhook(secret, { id, timestamp: Math.floor(Date.now() / 1_000), body }),
  taken: (status) => status === 200,
});
