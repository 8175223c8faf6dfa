/** Sends again what a mail server has refused, once an operator has mended the reason. */
import { inTransaction } from '../../infra/postgres.ts';
import { mailDelivery } from './delivery.ts';
import type { MailDeps } from './deps.ts';
import { IS_KEPT } from './refusedMails.ts';

/** So many in one transaction. */
const BATCH = 200;

const sendSome = (
  deps: Pick<MailDeps, 'pool' | 'now'>,
  accountId: string | null,
  keptBefore: string,
): Promise<number> =>
  inTransaction(deps.pool, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `update ops.mails set refused_at = null, refused_cause = null, refused_code = null, refused_reply = null
       where id in (select id from ops.mails where ${IS_KEPT} and refused_at <= $2
                    and ($1::uuid is null or person_id = $1) order by refused_at, id limit ${BATCH} for update)
       returning id`,
      [accountId, keptBefore],
    );
    for (const { id } of rows)
      await mailDelivery.schedule(client, { correlationId: id }, { id, dueAt: deps.now(), data: {} });
    return rows.length;
  });

/**
 * Sends again what the mail server has refused until now. What it refuses once more is kept again. Safe to repeat.
 * @param accountId only what is for this person; null: everything
 * @returns how many e-mails
 */
export const sendRefusedAgain = async (
  deps: Pick<MailDeps, 'pool' | 'now'>,
  accountId: string | null,
): Promise<number> => {
  const { rows } = await deps.pool.query<{ now: string }>('select now()::text as now');
  let sent = 0;
  for (;;) {
    const some = await sendSome(deps, accountId, rows[0]?.now ?? deps.now());
    sent += some;
    if (some < BATCH) return sent;
  }
};
