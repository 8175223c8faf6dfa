/** The admins, for what is told to all of them. Kept here, because commands read no read models. */

import { account } from '../../domain/accounts/account.ts';
import type { AccountEvent } from '../../domain/accounts/accountEvents.ts';
import { accountsPurpose } from '../../domain/accounts/index.ts';
import { type Recorded, Rejected, streamName } from '../../domain/core/decider.ts';
import { addMs, DAY_MS, hasCome } from '../../domain/core/instants.ts';
import type { EventOf } from '../../domain/modules.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Queryable } from '../../infra/postgres.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';
import { type PolicyHandler, policy } from '../core/policy.ts';

export const adminMigrations = migrations('accounts', {
  '0004_admins': `create table ops.admins (account_id uuid primary key);`,
  personalData: {
    'ops.admins': {
      whose: 'account_id',
      exported: [],
      erased: 'deleted',
      why: accountsPurpose,
      retention: { until: 'the account is no admin any more' },
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

/** How long somebody who made another person an admin does not count as a second person beside them. */
const ONE_HAND_MS = 90 * DAY_MS;

/** Who made an account an admin last, and until when the two count as one; null: nobody, such as the system, or long ago. */
const madeBy = async (
  { store, codec }: Pick<CoreDeps, 'store' | 'codec'>,
  accountId: string,
  at: string,
): Promise<{ readonly by: string; readonly until: string } | null> => {
  const events = await codec.decode<Recorded<AccountEvent>>(await store.read(streamName('account', accountId)));
  const made = events.findLast(
    ({ type, data }) => (type === 'AccountOpened' || type === 'RoleGranted') && 'role' in data && data.role === 'admin',
  );
  if (made?.meta.actor.kind !== 'user') return null;
  const until = addMs(made.at, ONE_HAND_MS);
  return hasCome(until, at) ? null : { by: made.meta.actor.id, until };
};

/** An admin, and those who made them an admin one after the other, with the last moment at which that counts. */
const handOf = async (deps: Pick<CoreDeps, 'store' | 'codec'>, accountId: string, at: string) => {
  const hand = new Map<string, string>([[accountId, '']]);
  for (let id = accountId, until = ''; ; ) {
    const maker = await madeBy(deps, id, at);
    if (maker === null || hand.has(maker.by)) return hand;
    until = maker.until > until ? maker.until : until;
    id = maker.by;
    hand.set(id, until);
  }
};

/**
 * Lets only a second person decide on what an admin asked for: somebody else, of whom none has made the other an admin within
 * 90 days, nor the same third person both.
 * @throws Rejected `forbidden`; `conflict` where there is no such person, with what to do
 */
export const assertSecondPerson = async (
  deps: Pick<CoreDeps, 'store' | 'codec' | 'pool'>,
  { actor, at }: CommandContext,
  askedBy: string,
): Promise<void> => {
  const first = await handOf(deps, askedBy, at);
  const isOther = (second: ReadonlyMap<string, string>) => ![...second.keys()].some((id) => first.has(id));
  if (isOther(await handOf(deps, actor.id, at))) return;
  const hands = await Promise.all((await allAdmins(deps.pool)).map((id) => handOf(deps, id, at)));
  if (hands.some(isOther))
    throw new Rejected(
      'forbidden',
      'A second person must do this: another admin than the one who asked for it. Nobody counts as one beside an admin whom they made an admin within 90 days, or who made them one.',
    );
  const until = hands.flatMap((hand) => [...hand.values()].filter((instant) => instant !== '')).toSorted()[0];
  throw new Rejected(
    'conflict',
    `A second person must do this, and this site has no admin who counts as one. Make another person an admin (POST /api/v1/admin/accounts): 90 days after that, they count as one.${until ? ` The first one does from ${until} on.` : ''}`,
    until ? { possible_from: until } : {},
  );
};
