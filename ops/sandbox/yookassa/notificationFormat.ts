/** YooKassa's notifications: "Incoming notifications" of https://yookassa.ru/developers/using-api/webhooks. */
import { signWebhook } from '../../../commands/payments/standardWebhooks.ts';
import type { Notification as YookassaNotification } from '../../../commands/payments/yookassa/api.ts';
import type { Notification, NotificationFormat } from '../core/notificationFormats.ts';

const notification = (body: YookassaNotification): Notification => ({ event: body.event, body });

/** `secret` signs: the real provider is known by its addresses, which the sandbox has not. */
export const yookassaFormat = (url: string, secret: string): NotificationFormat => ({
  step: (_, { record: { object }, event }) => (event ? [notification({ type: 'notification', event, object })] : []),
  refund: (_, object) => [notification({ type: 'notification', event: 'refund.succeeded', object })],
  url: () => url,
  headers: (id, body) => signWebhook(secret, { id, timestamp: Math.floor(Date.now() / 1_000), body }),
  taken: (status) => status === 200,
});
