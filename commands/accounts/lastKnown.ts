/**
 * The last known state of each account, in `ops`. While the log is unavailable, people sign in and refresh their tokens
 * with it. It can be behind the log by the moment that the policy needs; ended sessions and revoked tokens are in `ops`
 * themselves and hold. The state is encrypted with the key of the person.
 */

import { type Account, account, type OpenAccount } from '../../domain/accounts/account.ts';
import { accountsPurpose } from '../../domain/accounts/index.ts';
import { ERASED } from '../../domain/core/schema.ts';
import { decryptText, encryptText, type Vault } from '../../eventstore/vault.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Loaded } from '../core/stateReader.ts';
import type { AccountDeps } from './deps.ts';
import { identitiesOf } from './identityIds.ts';

export const lastKnownMigrations = migrations('accounts', {
  // The account itself shows the same.
  personalData: {
    'ops.known_accounts': {
      whose: 'account_id',
      exported: [],
      erased: 'deleted',
      why: accountsPurpose,
      retention: 'account',
      seenBy: ['nobody'],
    },
  },
  '0003_last_known': `
    create table ops.known_accounts (
      account_id uuid primary key,
      revision bigint not null,
      -- the identity streams that lead to it
      identities uuid[] not null,
      -- encrypted JSON
      state text not null
    );
    create index known_accounts_identities on ops.known_accounts using gin (identities);
  `,
  '0005_known_identifiers': `
    -- which change of its identifiers the account was last known by; null: kept by an earlier release
    alter table ops.known_accounts add column identifier_revision bigint;
  `,
});

type Deps = Pick<AccountDeps, 'pool' | 'vault'>;

const contextOf = (accountId: string): string => `known account ${accountId}`;

/**
 * Keeps a state that was read from the log, unless a newer one is known or the person was erased.
 * @param withheld identities that the account is about to lose: they do not lead to it until its identifiers change, also
 *   where a state of before is kept once more
 */
export const keepState = async (
  { pool, vault }: Deps,
  accountId: string,
  { state, revision }: Pick<Loaded<Account>, 'state' | 'revision'>,
  withheld: readonly string[] = [],
): Promise<void> => {
  if (state.status === 'none' || revision === null) return;
  const key = await vault.keyToWrite(accountId);
  if (key === 'erased') return;
  const text = encryptText(key, JSON.stringify(state), contextOf(accountId));
  const identities = identitiesOf(vault, state).filter((id) => !withheld.includes(id));
  await pool.query(
    `insert into ops.known_accounts as known (account_id, revision, identities, state, identifier_revision)
     values ($1, $2, $3, $4, $5)
     on conflict (account_id) do update set
       revision = greatest(known.revision, excluded.revision),
       state = case when known.revision < excluded.revision then excluded.state else known.state end,
       identities = case when known.identifier_revision = excluded.identifier_revision
         then array(select unnest(known.identities) intersect select unnest(excluded.identities))
         else excluded.identities end,
       identifier_revision = excluded.identifier_revision
       where known.revision < excluded.revision
         or ($6 and coalesce(known.identifier_revision, $5) = $5)`,
    [accountId, revision.toString(), identities, text, state.identifierRevision, withheld.length > 0],
  );
};

/** From now on an identity that an account claims leads to no other one. */
export const withholdFromOthers = async (
  { pool }: Pick<Deps, 'pool'>,
  accountId: string,
  identityId: string,
): Promise<void> => {
  await pool.query(
    `update ops.known_accounts set identities = array_remove(identities, $1::uuid)
     where identities @> array[$1]::uuid[] and account_id <> $2`,
    [identityId, accountId],
  );
};

/** Reads the account from the log and keeps it. */
export const keepAccount = async (deps: Deps & Pick<AccountDeps, 'aggregates'>, accountId: string): Promise<void> =>
  keepState(deps, accountId, await deps.aggregates.load(account, accountId));

interface Known {
  readonly accountId: string;
  readonly account: OpenAccount;
}
interface Row {
  readonly account_id: string;
  readonly state: string;
}

const opened = async (vault: Vault, row: Row | undefined): Promise<Known | null> => {
  const key = row && (await vault.keysToRead([row.account_id])).get(row.account_id);
  if (!row || key === undefined) return null;
  const text = decryptText(key, row.state, contextOf(row.account_id));
  return text === ERASED ? null : { accountId: row.account_id, account: JSON.parse(text) as OpenAccount };
};

/** The account as it was last known; null when it is not known, or its person was erased. */
export const lastKnown = async ({ pool, vault }: Deps, accountId: string): Promise<Known | null> => {
  const { rows } = await pool.query<Row>('select account_id, state from ops.known_accounts where account_id = $1', [
    accountId,
  ]);
  return opened(vault, rows[0]);
};

/**
 * The same by an identity stream that leads to it. What leads to two of them, one of which is behind, leads to neither.
 * Rows of people who were erased do not count.
 */
export const lastKnownBy = async ({ pool, vault }: Deps, identityId: string): Promise<Known | null> => {
  const { rows } = await pool.query<Row>(
    'select account_id, state from ops.known_accounts where identities @> array[$1]::uuid[]',
    [identityId],
  );
  const known = (await Promise.all(rows.map((row) => opened(vault, row)))).filter((each) => each !== null);
  return known.length > 1 ? null : (known[0] ?? null);
};
