/** Reading the lists of notifications. They are no read model, but durable rows: see `commands/notifications/tables.ts`. */
import { sql } from 'kysely';
import type { NotificationKind } from '../../domain/core/notification.ts';
import {
  Notification,
  NotificationInbox,
  type NotificationRow,
  ROW_COLUMNS,
} from '../../domain/notifications/notification.ts';
import { pageAndMore } from '../../infra/paging.ts';
import { userChannel } from '../accounts/channels.ts';
import type { Payload } from '../engine/payloads.ts';
import type { ReadDb } from '../engine/readDb.ts';

/** What the channel of a person carries about them. */
export const notificationPayloads: readonly Payload[] = [
  { name: 'notification', entity: 'notification', row: Notification, schema: Notification.$id },
  { name: 'notification_inbox', entity: 'notification_inbox', row: NotificationInbox, schema: NotificationInbox.$id },
].map((payload) => ({ ...payload, channels: [userChannel.name] }));

export interface NotificationFilter {
  /** Only those that are not read. */
  readonly unread: boolean;
  readonly kind: NotificationKind | undefined;
  /** Only those with a lower number. */
  readonly before: number | undefined;
}

/** The newest notifications of a person, and whether there are older ones. */
export const pageOfNotifications = async (
  db: ReadDb,
  person: string,
  { unread, kind, before }: NotificationFilter,
  limit: number,
): Promise<{ readonly rows: readonly NotificationRow[]; readonly hasMore: boolean }> => {
  const { rows } = await sql<NotificationRow>`
    select ${sql.raw(ROW_COLUMNS)} from ops.notifications
    where person_id = ${person} and deleted_at is null
      ${unread ? sql`and read_at is null` : sql``}
      ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
      ${before === undefined ? sql`` : sql`and seq < ${before}`}
    order by seq desc limit ${limit + 1}`.execute(db);
  return pageAndMore(rows, limit);
};
