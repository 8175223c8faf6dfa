/** YooKassa's notifications: "Incoming notifications" of https://yookassa.ru/developers/using-api/webhooks. */

import type { Notification as YookassaNotification } from '../../../commands/payments/yookassa/api.ts';
import { signWebhook } from '../../../infra/standardWebhooks.ts';
import type { Notification, NotificationFormat } from '../core/notificationFormats.ts';

const notification = (body: YookassaNotification): Notification => ({ event: body.event, body });

/**
 * YooKassa's notifications, signed with `secret`: the real provider is recognised by its IP addresses, which the
 * sandbox does not have.
 */
export const yookassaFormat = (url: string, secret: string): NotificationFormat => ({
  step: (_, { record: { object }, event }) => (event ? [notification({ type: 'notification', event, object })] : []),
  refund: (_, object) => [notification({ type: 'notification', event: 'refund.succeeded', object })],
  url: () => url,
  headers: (id, body) => signWebhook(secret, { id, timestamp: Math.floor(Date.now() / 1_000), body }),
  accepts: (status) => status === 200,
});
