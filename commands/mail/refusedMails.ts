/**
 * E-mails that the mail server refused for a reason of its own: it blocks this system, the mailbox is full, or it cannot send
 * to such an address. They are kept, with the server's words, until an operator sends them again.
 */
import { DAY_MS, HOUR_MS } from '../../domain/core/instants.ts';
import { decryptText, encryptText } from '../../eventstore/vault.ts';
import type { Pool } from '../../infra/postgres.ts';
import type { MailDeps } from './deps.ts';
import { contextOf, type WaitingMail } from './queue.ts';
import type { Refusal } from './transport.ts';

/** Why an e-mail is kept. What the server says of an address that does not exist is final. */
export type KeptCause = Exclude<Refusal, 'address'>;
export const keptCauses = ['unsupported', 'full', 'blocked'] as const satisfies readonly KeptCause[];

/** What is of use for so long, such as a confirmation, is kept for `KEPT_MS`: repairing a mail server takes days. A code is not. */
const LASTING_MS = 12 * HOUR_MS;
const KEPT_MS = 14 * DAY_MS;

/** SQL: of the e-mails that can be sent again. */
export const IS_KEPT = 'refused_at is not null and outcome is null and expires_at > now()';

const replyContext = (id: string): string => `${contextOf(id)} reply`;

/** Keeps an e-mail that was refused, unless another worker has taken it over. */
export const keepRefused = async (
  { pool, vault }: Pick<MailDeps, 'pool' | 'vault'>,
  { id, personId, attempts }: WaitingMail,
  { cause, code, reply }: { readonly cause: KeptCause; readonly code: number | null; readonly reply: string },
): Promise<void> => {
  const words = encryptText(await vault.keyToWrite(personId), reply, replyContext(id));
  await pool.query(
    `update ops.mails set refused_at = now(), refused_cause = $3, refused_code = $4, refused_reply = $5, not_before = null,
       expires_at = case when expires_at - created_at >= $6 * interval '1 millisecond'
         then greatest(expires_at, now() + $7 * interval '1 millisecond') else expires_at end
     where id = $1 and attempts = $2 and outcome is null`,
    [id, attempts, cause, code, words, LASTING_MS, KEPT_MS],
  );
};

/** The server's words of rows that have them encrypted. Of a person who was erased they are gone: null. */
export const readReplies = async <
  Row extends { readonly account_id: string; readonly mail_id: string | null; readonly reply: string | null },
>(
  { vault }: Pick<MailDeps, 'vault'>,
  rows: readonly Row[],
): Promise<Row[]> => {
  const keys = await vault.keysToRead(rows.map(({ account_id }) => account_id));
  return rows.map((row) => {
    const { account_id, mail_id, reply } = row;
    const key = keys.get(account_id) ?? 'erased';
    if (reply === null || mail_id === null || key === 'erased') return { ...row, reply: null };
    return { ...row, reply: decryptText(key, reply, replyContext(mail_id)) };
  });
};

/** How many e-mails are kept, and the reply code of the newest one; undefined: none. */
export const countKept = async (
  pool: Pool,
): Promise<{ readonly count: number; readonly code: number | null } | undefined> => {
  const { rows } = await pool.query<{ count: number; code: number | null }>(
    `select count(*)::int as count, (array_agg(refused_code order by refused_at desc))[1] as code
     from ops.mails where ${IS_KEPT}`,
  );
  return rows[0] && rows[0].count > 0 ? rows[0] : undefined;
};
