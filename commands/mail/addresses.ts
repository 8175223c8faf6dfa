/** Where e-mails to people go, and which addresses the mail server refused. */
import { account } from '../../domain/accounts/account.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { isPlaceholder } from '../../domain/core/schema.ts';
import { migrations } from '../../infra/migrations.ts';
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
  holds: {
    'ops.undeliverable_mail': {
      person: 'person_id',
      exported: ['code', 'at'],
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
  refused: { readonly personId: string; readonly addressId: string; readonly code: number },
): Promise<void> => {
  await pool.query(
    `insert into ops.undeliverable_mail (person_id, address_id, code) values ($1, $2, $3)
     on conflict (person_id) do update set address_id = excluded.address_id, code = excluded.code, at = now()`,
    [refused.personId, refused.addressId, refused.code],
  );
};

export const isUndeliverable = async (pool: Pool, personId: string, addressId: string): Promise<boolean> => {
  const { rowCount } = await pool.query(
    'select 1 from ops.undeliverable_mail where person_id = $1 and address_id = $2',
    [personId, addressId],
  );
  return rowCount === 1;
};

export interface Undeliverable {
  readonly account_id: string;
  /** The reply code of the mail server. */
  readonly code: number;
  readonly at: string;
}

/** The people whose address was refused, newest first. A mark of an address that they have replaced since does no harm. */
export const listUndeliverable = async (
  pool: Pool,
  { page, perPage }: { readonly page: number; readonly perPage: number },
): Promise<{ rows: Undeliverable[]; total: number }> => {
  const [found, counted] = await Promise.all([
    pool.query<Undeliverable>(
      `select person_id as account_id, code, at from ops.undeliverable_mail
       order by at desc, person_id limit $1 offset $2`,
      [perPage, (page - 1) * perPage],
    ),
    pool.query<{ total: number }>('select count(*) as total from ops.undeliverable_mail'),
  ]);
  return { rows: found.rows, total: counted.rows[0]?.total ?? 0 };
};

/** E-mails go to the address again. @throws Rejected `not_found` */
export const clearUndeliverable = async (pool: Pool, personId: string): Promise<void> => {
  const { rowCount } = await pool.query('delete from ops.undeliverable_mail where person_id = $1', [personId]);
  if (rowCount === 0) throw new Rejected('not_found', 'No address of this account was refused.');
};
