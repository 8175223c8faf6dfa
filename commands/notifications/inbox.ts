/** What a person does with their list. */
import {
  type Notification,
  type NotificationInbox,
  type NotificationRow,
  ROW_COLUMNS,
} from '../../domain/notifications/notification.ts';
import { inTransaction } from '../../infra/postgres.ts';
import { change, DELETED, inboxesOf, lockInboxes, READ } from './changeNotifications.ts';
import type { NotificationDeps } from './deps.ts';
import { loadPeople } from './namesAndLanguages.ts';
import { shownTo } from './texts.ts';

/** Of this person, not deleted. @returns undefined when there is none */
const own = async (
  { pool }: Pick<NotificationDeps, 'pool'>,
  person: string,
  id: string,
): Promise<NotificationRow | undefined> => {
  const { rows } = await pool.query<NotificationRow>(
    `select ${ROW_COLUMNS} from ops.notifications where id = $1 and person_id = $2 and deleted_at is null`,
    [id, person],
  );
  return rows[0];
};

const NO_NOTIFICATIONS: NotificationInbox = { unread: 0, last_seq: 0, read_up_to: 0 };

/** Marks one as read; again changes nothing. @returns it; undefined when the person has no such notification */
export const markRead = async (
  deps: NotificationDeps,
  at: string,
  person: string,
  id: string,
): Promise<Notification | undefined> => {
  if (!(await own(deps, person, id))) return undefined;
  await change(deps, [{ id, version: null, at }], READ);
  const row = await own(deps, person, id);
  return row && shownTo(deps, row, await loadPeople(deps, [person], [row.of_person]));
};

/** @returns false when the person has no such notification */
export const deleteNotification = async (
  deps: NotificationDeps,
  at: string,
  person: string,
  id: string,
): Promise<boolean> => {
  if (!(await own(deps, person, id))) return false;
  await change(deps, [{ id, version: null, at }], DELETED);
  return true;
};

/**
 * Marks all up to a number as read; without one, all there are. What arrives meanwhile stays unread.
 * @returns the inbox after it
 */
export const markAllRead = (
  deps: NotificationDeps,
  at: string,
  person: string,
  upTo: number = Number.MAX_SAFE_INTEGER,
): Promise<NotificationInbox> =>
  inTransaction(deps.pool, async (client) => {
    await lockInboxes(client, [person]);
    const { rowCount } = await client.query(
      `update ops.notifications set read_at = $2
       where person_id = $1 and deleted_at is null and read_at is null and seq <= $3`,
      [person, at, upTo],
    );
    await client.query(
      `update ops.notification_inboxes set read_up_to = greatest(read_up_to, least(last_seq, $2::bigint)) where person_id = $1`,
      [person, upTo],
    );
    const [inbox] = await inboxesOf(client, [person]);
    if (!inbox) return NO_NOTIFICATIONS;
    const { person_id, ...shown } = inbox;
    const data = JSON.stringify(shown);
    if (rowCount) await deps.publish(client, [{ accountId: person, type: 'notification_inbox.updated', data, at }]);
    return shown;
  });

/** The inbox of a person. */
export const inboxOf = async ({ pool }: Pick<NotificationDeps, 'pool'>, person: string): Promise<NotificationInbox> => {
  const [inbox] = await inboxesOf(pool, [person]);
  if (!inbox) return NO_NOTIFICATIONS;
  const { person_id: _, ...shown } = inbox;
  return shown;
};
