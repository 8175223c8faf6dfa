/** Where e-mails to people go, and which addresses get no more of them. */
import { account } from '../../domain/accounts/account.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { isPlaceholder } from '../../domain/core/schema.ts';
import { migrations } from '../../infra/migrations.ts';
import { type Page, type Paging, pageOfRows } from '../../infra/paging.ts';
import type { Pool } from '../../infra/postgres.ts';
import type { LoadOptions } from '../core/aggregateCache.ts';
import { FOR_QUOTE } from '../core/handle.ts';
import type { MailDeps } from './deps.ts';
import { IS_KEPT, keptCauses, readReplies } from './refusedMails.ts';
import { mailPurpose } from './transport.ts';

export const undeliverableMigrations = migrations('mail', {
  '0001_undeliverable_mail': `
    create table ops.undeliverable_mail (
      person_id uuid primary key,
      -- a keyed fingerprint of the address that was refused
      address_id uuid not null,
      code integer not null,
      at timestamptz not null default now()
    );
    create index undeliverable_mail_at on ops.undeliverable_mail (at desc, person_id);
  `,
  '0002_undeliverable_causes': `
    -- refused: by the mail server; bounced: it came back later; complained: the reader called it spam
    alter table ops.undeliverable_mail add column cause text not null default 'refused';
    alter table ops.undeliverable_mail alter column code drop not null;
  `,
  personalData: {
    'ops.undeliverable_mail': {
      whose: 'person_id',
      exported: ['cause', 'code', 'at'],
      erased: 'deleted',
      why: mailPurpose,
      retention: { until: 'the address changes, or an admin tries it again' },
      seenBy: ['self', 'admins'],
    },
  },
});

/** Finds an address again without storing it. */
export const addressIdOf = ({ vault }: Pick<MailDeps, 'vault'>, address: string): string =>
  vault.fingerprint('mail', address);

/** The address of an open account, and whether it is verified; null: it has none. */
export const addressOnFile = async (
  { aggregates }: Pick<MailDeps, 'aggregates'>,
  personId: string,
  options?: LoadOptions,
): Promise<{ readonly address: string; readonly isVerified: boolean } | null> => {
  const { state } = await aggregates.load(account, personId, options);
  if (state.status !== 'open' || state.email === null || isPlaceholder(state.email)) return null;
  return { address: state.email, isVerified: state.emailVouched };
};

/** Whether a person seems to have a verified address. It is looked up again when an e-mail is sent. */
export const canGetMail = async (deps: Pick<MailDeps, 'aggregates'>, personId: string): Promise<boolean> =>
  (await addressOnFile(deps, personId, FOR_QUOTE))?.isVerified === true;

/** Nothing more is sent to the address until the account has another one, or an admin clears it. */
export const markUndeliverable = async (
  pool: Pool,
  {
    personId,
    addressId,
    cause,
    code,
  }: Pick<Undeliverable, 'code'> & {
    readonly personId: string;
    readonly addressId: string;
    readonly cause: (typeof stoppingCauses)[number];
  },
): Promise<void> => {
  await pool.query(
    `insert into ops.undeliverable_mail (person_id, address_id, cause, code) values ($1, $2, $3, $4)
     on conflict (person_id) do update
       set address_id = excluded.address_id, cause = excluded.cause, code = excluded.code, at = now()`,
    [personId, addressId, cause, code],
  );
};

export const isUndeliverable = async (pool: Pool, personId: string, addressId: string): Promise<boolean> => {
  const { rowCount } = await pool.query(
    'select 1 from ops.undeliverable_mail where person_id = $1 and address_id = $2',
    [personId, addressId],
  );
  return rowCount === 1;
};

/** Why nothing is sent to an address: the mail server refused it, an e-mail came back later, or was called spam. */
const stoppingCauses = ['refused', 'bounced', 'complained'] as const;
/** The same, and why an e-mail to it was refused, which stops no others. */
export const undeliverableCauses = [...stoppingCauses, ...keptCauses] as const;

export interface Undeliverable {
  readonly account_id: string;
  /** The e-mail that was refused and is kept; null: it is the address that gets no e-mails. */
  readonly mail_id: string | null;
  readonly cause: (typeof undeliverableCauses)[number];
  /** The reply code of the mail server; null: not known. */
  readonly code: number | null;
  /** The words of the mail server, without addresses; null: not known. */
  readonly reply: string | null;
  readonly at: string;
}

/** What was refused is not told any more once a later e-mail arrived. */
const STOPPED = `
  select cause, at from ops.undeliverable_mail where person_id = $1 and address_id = $2
  union all
  select refused_cause, refused_at from ops.mails as kept
  where person_id = $1 and sent_to = $2 and ${IS_KEPT} and not exists (
    select 1 from ops.mails as later
    where later.person_id = $1 and later.sent_to = $2 and later.outcome = 'sent' and later.ended_at > kept.refused_at)
  order by at desc limit 1`;

/**
 * Since when and why e-mails do not reach the present address of a person; null: they do, or there is none. Addresses that
 * do not exist get no more; for what the server refuses, it is tried again with the next e-mail.
 */
export const stoppedMail = async (
  deps: Pick<MailDeps, 'aggregates' | 'vault' | 'pool'>,
  personId: string,
): Promise<Pick<Undeliverable, 'cause' | 'at'> | null> => {
  const found = await addressOnFile(deps, personId);
  if (found === null) return null;
  const values = [personId, addressIdOf(deps, found.address)];
  return (await deps.pool.query<Pick<Undeliverable, 'cause' | 'at'>>(STOPPED, values)).rows[0] ?? null;
};

const UNDELIVERABLE = `(
  select person_id as account_id, null::uuid as mail_id, cause, code, null::text as reply, at from ops.undeliverable_mail
  union all
  select person_id, id, refused_cause, refused_code, refused_reply, refused_at from ops.mails where ${IS_KEPT}
) as undeliverable`;

/**
 * The people whose address gets no e-mails, and the e-mails that the mail server refused and that are kept, newest first.
 * A mark of an address that somebody has replaced since does no harm.
 */
export const listUndeliverable = async (
  deps: Pick<MailDeps, 'pool' | 'vault'>,
  paging: Paging,
): Promise<Page<Undeliverable>> => {
  const selection = { columns: '*', from: UNDELIVERABLE, orderBy: 'at desc, account_id, mail_id' };
  const { rows, total } = await pageOfRows<Undeliverable>(deps.pool, selection, paging);
  return { rows: await readReplies(deps, rows), total };
};

/** E-mails go to the address again. @throws Rejected `not_found` */
export const clearUndeliverable = async (pool: Pool, personId: string): Promise<void> => {
  const { rowCount } = await pool.query('delete from ops.undeliverable_mail where person_id = $1', [personId]);
  if (rowCount === 0) throw new Rejected('not_found', 'No address of this account was refused.');
};
