/** Deletes notifications whose time is over. */
import { inTransaction, type Pool } from '../../infra/postgres.ts';
import { lockInboxes } from './changeNotifications.ts';
import { KEPT_DAYS } from './tables.ts';

/** The inboxes of so many are locked for a moment. */
const AT_ONCE = 500;

const IS_OVER = `at < now() - interval '${KEPT_DAYS} days'`;

/**
 * In small steps, which lock as every change of a list does: an unread one that goes lowers the number in its inbox. Safe to
 * repeat, and from several processes at once.
 */
export const pruneNotifications = async (pool: Pool): Promise<void> => {
  for (let found = AT_ONCE; found === AT_ONCE; )
    found = await inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ id: string; person_id: string }>(
        `select id, person_id from ops.notifications where ${IS_OVER} order by at limit ${AT_ONCE}`,
      );
      await lockInboxes(
        client,
        rows.map(({ person_id }) => person_id),
      );
      // One that is told again meanwhile is new.
      await client.query(
        `with locked as materialized (
           select id from ops.notifications where id = any($1::uuid[]) and ${IS_OVER} order by id for update
         )
         delete from ops.notifications n using locked where n.id = locked.id`,
        [rows.map(({ id }) => id)],
      );
      return rows.length;
    });
};
