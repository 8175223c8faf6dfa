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
import { mailPurpose } from './purpose.ts';

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
  holds: {
    'ops.undeliverable_mail': {
      person: 'person_id',
      exported: ['cause', 'code', 'at'],
      erased: 'deleted',
      why: mailPurpose,
      kept: { until: 'the address changes, or an admin tries it again' },
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
  { personId, addressId, cause, code }: Pick<Undeliverable, 'cause' | 'code'> & { personId: string; addressId: string },
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
export const undeliverableCauses = ['refused', 'bounced', 'complained'] as const;

export interface Undeliverable {
  readonly account_id: string;
  readonly cause: (typeof undeliverableCauses)[number];
  /** The reply code of the mail server; null: not known. */
  readonly code: number | null;
  readonly at: string;
}

/** Since when and why the present address of a person gets no e-mails; null: it gets them, or there is none. */
export const stoppedMail = async (
  deps: Pick<MailDeps, 'aggregates' | 'vault' | 'pool'>,
  personId: string,
): Promise<Pick<Undeliverable, 'cause' | 'at'> | null> => {
  const found = await addressOnFile(deps, personId);
  if (found === null) return null;
  const { rows } = await deps.pool.query<Pick<Undeliverable, 'cause' | 'at'>>(
    'select cause, at from ops.undeliverable_mail where person_id = $1 and address_id = $2',
    [personId, addressIdOf(deps, found.address)],
  );
  return rows[0] ?? null;
};

/** The people whose address was refused, newest first. A mark of an address that they have replaced since does no harm. */
export const listUndeliverable = (pool: Pool, paging: Paging): Promise<Page<Undeliverable>> => {
  const columns = 'person_id as account_id, cause, code, at';
  return pageOfRows(pool, { columns, from: 'ops.undeliverable_mail', orderBy: 'at desc, person_id' }, paging);
};

/** E-mails go to the address again. @throws Rejected `not_found` */
export const clearUndeliverable = async (pool: Pool, personId: string): Promise<void> => {
  const { rowCount } = await pool.query('delete from ops.undeliverable_mail where person_id = $1', [personId]);
  if (rowCount === 0) throw new Rejected('not_found', 'No address of this account was refused.');
};
