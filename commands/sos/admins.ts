/** The admins, who are told when nobody is on duty. Kept here, because commands read no read models. */
import { account } from '../../domain/accounts/account.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Queryable } from '../../infra/postgres.ts';
import type { SosDeps } from './deps.ts';

export const adminMigrations = migrations('sos', {
  '0001_admins': `create table ops.sos_admins (account_id uuid primary key);`,
  holds: { 'ops.sos_admins': { person: 'account_id', exported: [], erased: 'deleted' } },
});

/** Records whether the account is an admin's now. */
export const keepAdmin = async ({ aggregates, pool }: SosDeps, accountId: string): Promise<void> => {
  const { state } = await aggregates.load(account, accountId);
  if (state.status === 'open' && state.role === 'admin')
    await pool.query('insert into ops.sos_admins (account_id) values ($1) on conflict do nothing', [accountId]);
  else await pool.query('delete from ops.sos_admins where account_id = $1', [accountId]);
};

/** More are not told at once. */
const MOST_ADMINS = 100;

export const allAdmins = async (db: Queryable): Promise<string[]> => {
  const { rows } = await db.query<{ account_id: string }>(
    `select account_id from ops.sos_admins order by account_id limit ${MOST_ADMINS}`,
  );
  return rows.map(({ account_id }) => account_id);
};
