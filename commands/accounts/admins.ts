/** The admins, for what is told to all of them. Kept here, because commands read no read models. */

import { account } from '../../domain/accounts/account.ts';
import { accountsPurpose } from '../../domain/accounts/purpose.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Queryable } from '../../infra/postgres.ts';
import type { CoreDeps } from '../core/deps.ts';
import { type PolicyHandler, policy } from '../core/policy.ts';

export const adminMigrations = migrations('accounts', {
  '0004_admins': `create table ops.admins (account_id uuid primary key);`,
  holds: {
    'ops.admins': {
      person: 'account_id',
      exported: [],
      erased: 'deleted',
      why: accountsPurpose,
      kept: { until: 'the account is no admin any more' },
      seenBy: ['nobody'],
    },
  },
});

/** Records whether the account is an admin's now. */
const keepAdmin = async ({ aggregates, pool }: CoreDeps, accountId: string): Promise<void> => {
  const { state } = await aggregates.load(account, accountId);
  if (state.status === 'open' && state.role === 'admin')
    await pool.query('insert into ops.admins (account_id) values ($1) on conflict do nothing', [accountId]);
  else await pool.query('delete from ops.admins where account_id = $1', [accountId]);
};

const keep: PolicyHandler<Recorded<EventOf<'AccountOpened' | 'RoleGranted' | 'PersonErased'>>, CoreDeps> = async (
  { streamId },
  { deps },
) => keepAdmin(deps, streamId);

export const adminPolicy = policy<CoreDeps>('admins', {
  AccountOpened: async (event, ctx) => (event.data.role === 'admin' ? keep(event, ctx) : undefined),
  RoleGranted: keep,
  PersonErased: keep,
});

/** More are not told at once. */
const MOST_ADMINS = 100;

export const allAdmins = async (db: Queryable): Promise<string[]> => {
  const { rows } = await db.query<{ account_id: string }>(
    `select account_id from ops.admins order by account_id limit ${MOST_ADMINS}`,
  );
  return rows.map(({ account_id }) => account_id);
};
