/** What the caller was told: listed, read, deleted. */
import { type Static, Type } from '@sinclair/typebox';
import { deleteNotification, inboxOf, markAllRead, markRead } from '../../commands/notifications/inbox.ts';
import { loadPeople } from '../../commands/notifications/namesAndLanguages.ts';
import { shownTo } from '../../commands/notifications/texts.ts';
import { notFound } from '../../domain/core/decider.ts';
import { notificationKinds } from '../../domain/core/notification.ts';
import { Nullable, OneOf } from '../../domain/core/schema.ts';
import { Notification, NotificationInbox } from '../../domain/notifications/notification.ts';
import { pageOfNotifications } from '../../projections/notifications/notifications.ts';
import { callersChannel } from '../accounts/channels.ts';
import { ById, NO_CONTENT, route } from '../http/route.ts';

const Seq = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const NotificationPage = Type.Object({
  data: Type.Array(Notification),
  next_cursor: Nullable(Type.Integer({ description: 'Send it as `cursor` for older ones; null: there are none.' })),
});

const list = route('GET /api/v1/notifications', {
  id: 'listNotifications',
  access: 'user',
  summary: 'List own notifications',
  description: 'The newest first, for a year. New ones do not move the pages. Texts are in the language of the caller.',
  query: Type.Object({
    cursor: Type.Optional({ ...Seq, description: 'Notifications with a lower `seq`.' }),
    unread: Type.Optional(Type.Boolean({ default: false, description: 'Only those that are not read.' })),
    kind: Type.Optional(OneOf(notificationKinds)),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  }),
  reply: NotificationPage,
  channel: callersChannel,
  handle: async ({ query: { cursor, unread = false, kind, limit = 50 }, caller }, app) => {
    const filter = { unread, kind, before: cursor };
    const { rows, hasMore } = await pageOfNotifications(app.db, caller.id, filter, limit);
    const people = await loadPeople(
      app,
      [caller.id],
      rows.map(({ of_person }) => of_person),
    );
    return {
      data: rows.map((row) => shownTo(app, row, people)),
      next_cursor: hasMore ? (rows.at(-1)?.seq ?? null) : null,
    } satisfies Static<typeof NotificationPage>;
  },
});

const unreadCount = route('GET /api/v1/notifications/unread-count', {
  id: 'countUnreadNotifications',
  access: 'user',
  summary: 'Count unread notifications',
  description: 'What `notification_inbox.updated` on `realtime:user_<id>` says; `count` is the same as `unread`.',
  reply: Type.Object({ count: Type.Integer({ minimum: 0 }), ...NotificationInbox.properties }),
  channel: callersChannel,
  handle: async ({ caller }, app) => {
    const inbox = await inboxOf(app, caller.id);
    return { count: inbox.unread, ...inbox };
  },
});

const readAll = route('POST /api/v1/notifications/mark-all-read', {
  id: 'markAllNotificationsRead',
  access: 'user',
  summary: 'Mark all notifications as read',
  description:
    'All, or those up to the highest `seq` that the person has seen: what arrives meanwhile then stays unread. The other devices are told live.',
  body: Type.Object({ up_to: Type.Optional({ ...Seq, description: 'A `seq`.' }) }, { $id: 'ReadNotifications' }),
  reply: NotificationInbox,
  handle: ({ body: { up_to }, caller, context }, app) => markAllRead(app, context.at, caller.id, up_to),
});

const read = route('POST /api/v1/notifications/:id/read', {
  id: 'markNotificationRead',
  access: 'user',
  summary: 'Mark a notification as read',
  params: ById,
  reply: Notification,
  errors: ['not_found'],
  handle: async ({ params: { id }, caller, context }, app) => {
    const shown = await markRead(app, context.at, caller.id, id);
    if (!shown) throw notFound('notification');
    return shown;
  },
});

const remove = route('DELETE /api/v1/notifications/:id', {
  id: 'deleteNotification',
  access: 'user',
  summary: 'Delete a notification',
  params: ById,
  ...NO_CONTENT,
  errors: ['not_found'],
  handle: async ({ params: { id }, caller, context }, app) => {
    if (!(await deleteNotification(app, context.at, caller.id, id))) throw notFound('notification');
    return null;
  },
});

export const notificationRoutes = [list, unreadCount, readAll, read, remove];
