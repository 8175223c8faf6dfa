/**
 * Friends and blocks. Before a pair gets its first event, `ops.friend_pairs` remembers that the two have to do with each
 * other, so that an erasure finds everybody; a crash in between leaves a row that nothing follows from. After a restore, the
 * log is newer than the rows: the policy writes those that are gone.
 */

import { DAY_S } from '../../domain/core/instants.ts';
import {
  type Friendship,
  type FriendshipCommand,
  friendship,
  isBlocked,
  type Naming,
} from '../../domain/friends/friendship.ts';
import { friendsPurpose } from '../../domain/friends/index.ts';
import { derivedId } from '../../infra/ids.ts';
import { migrations } from '../../infra/migrations.ts';
import { scaled } from '../../infra/scaled.ts';
import { wasErased } from '../accounts/accounts.ts';
import { countOrRefuse } from '../accounts/counters.ts';
import type { AccountDeps } from '../accounts/deps.ts';
import { type CommandContext, followUp } from '../core/handle.ts';

export const pairMigrations = migrations('friends', {
  personalData: {
    'ops.friend_pairs': {
      whose: 'person_id',
      exported: [],
      erased: 'deleted',
      others: { other_id: 'deleted' },
      why: friendsPurpose,
      retention: { until: 'either side ends the friendship' },
      seenBy: ['nobody'],
    },
  },
  '0001_pairs': `
    create table ops.friend_pairs (
      person_id uuid not null,
      other_id uuid not null,
      primary key (person_id, other_id)
    );
  `,
  '0002_pairs_of_others': `
    create index friend_pairs_other_id on ops.friend_pairs (other_id);
  `,
});

/** Invitations and blocks of one person in a day. */
export const PER_DAY = 50;

type Deps = Pick<AccountDeps, 'aggregates' | 'pool'>;
export type CountingDeps = Deps & Pick<AccountDeps, 'vault' | 'settings'>;

/** Who acts, and on whom. */
export interface Pair {
  readonly by: string;
  readonly other: string;
}

/** The stream of two people, in whatever order. */
export const pairId = (a: string, b: string): string => derivedId('friendship', ...[a, b].sort());

/**
 * Counts one of the invitations and blocks of a person, which are limited for a day.
 * @throws Rejected `too_many_attempts`
 */
export const countBeginning = async (
  { pool, vault, settings }: CountingDeps,
  { at }: Pick<CommandContext, 'at'>,
  person: string,
): Promise<void> => {
  const max = scaled(PER_DAY, settings.rateLimits);
  const counter = { key: vault.fingerprint('friends', person), max, seconds: DAY_S };
  await countOrRefuse(pool, [counter], at, () => `You can invite and block ${max} people a day. Try again tomorrow.`);
};

const decide = async (deps: Deps, context: CommandContext, command: FriendshipCommand): Promise<Friendship> => {
  const { state } = await deps.aggregates.handle(friendship, pairId(command.by, command.other), command, context);
  return state;
};

const remembered = async ({ pool }: Deps, { by, other }: Pair): Promise<void> => {
  // In one order whoever of the two begins: so two who invite each other at once never wait for each other.
  await pool.query(
    'insert into ops.friend_pairs (person_id, other_id) values ($1, $2), ($2, $1) on conflict do nothing',
    [by, other].toSorted(),
  );
};

/** Remembers a pair again whose rows are gone, if they still have to do with each other. Who was erased meanwhile leaves it. */
export const restorePair = async (deps: Deps, context: CommandContext, pair: Pair): Promise<void> => {
  const { by, other } = pair;
  const { rowCount } = await deps.pool.query('select 1 from ops.friend_pairs where person_id = $1 and other_id = $2', [
    by,
    other,
  ]);
  if (rowCount !== 0) return;
  const { relations } = (await deps.aggregates.load(friendship, pairId(by, other))).state;
  if (!relations[by] && !relations[other]) return;
  for (const side of [
    { by, other },
    { by: other, other: by },
  ]) {
    if (!(await wasErased(deps, side.by))) continue;
    await decide(deps, context, { type: 'LeavePair', ...side });
    return;
  }
  await remembered(deps, pair);
};

/**
 * Invites somebody who may not exist. If that person has invited this one already, both are friends.
 * @throws Rejected `invalid` for oneself, `conflict` for whom one has blocked
 */
export const invite = async (deps: Deps, context: CommandContext, pair: Pair, named: Naming): Promise<void> => {
  friendship.decide({ type: 'InviteFriend', ...pair, named }, friendship.initial); // refused before it is remembered
  await remembered(deps, pair);
  await decide(deps, context, { type: 'InviteFriend', ...pair, named });
};

/** @throws Rejected `not_found` without an invitation that `by` sees */
export const accept = async (deps: Deps, context: CommandContext, pair: Pair): Promise<void> => {
  await decide(deps, context, { type: 'AcceptFriend', ...pair });
};

/** The other is not told. @throws Rejected `not_found`, `invalid_transition` among friends */
export const decline = async (deps: Deps, context: CommandContext, pair: Pair): Promise<void> => {
  await decide(deps, context, { type: 'DeclineFriend', ...pair });
};

/** @throws Rejected `invalid_transition` among friends */
export const withdraw = async (deps: Deps, context: CommandContext, pair: Pair): Promise<void> => {
  await decide(deps, context, { type: 'WithdrawInvitation', ...pair });
};

export const remove = async (deps: Deps, context: CommandContext, pair: Pair): Promise<void> => {
  await decide(deps, context, { type: 'RemoveFriend', ...pair });
};

/** The other is not told. @throws Rejected `invalid` for oneself, `too_many_attempts` */
export const block = async (deps: CountingDeps, context: CommandContext, pair: Pair): Promise<void> => {
  friendship.decide({ type: 'BlockPerson', ...pair }, friendship.initial);
  await countBeginning(deps, context, pair.by);
  await remembered(deps, pair);
  await decide(deps, context, { type: 'BlockPerson', ...pair });
};

export const unblock = async (deps: Deps, context: CommandContext, pair: Pair): Promise<void> => {
  await decide(deps, context, { type: 'UnblockPerson', ...pair });
};

/** Whether one of two people has blocked the other, as the log has it now. */
export const blockedBetween = async (
  { aggregates }: Pick<AccountDeps, 'aggregates'>,
  a: string,
  b: string,
): Promise<boolean> => isBlocked((await aggregates.load(friendship, pairId(a, b))).state);

/** Which of these people are no friends of a person, as the log has it now. */
export const strangersTo = async (
  { aggregates }: Pick<AccountDeps, 'aggregates'>,
  person: string,
  others: readonly string[],
): Promise<string[]> => {
  const pairs = await Promise.all(others.map((other) => aggregates.load(friendship, pairId(person, other))));
  return others.filter((_, n) => pairs[n]?.state.relations[person] !== 'friends');
};

/** Ends whatever an erased person has with others. */
export const leaveAll = async (deps: Deps, context: CommandContext, person: string): Promise<void> => {
  const { rows } = await deps.pool.query<{ other_id: string }>(
    'select other_id from ops.friend_pairs where person_id = $1',
    [person],
  );
  for (const { other_id: other } of rows)
    await decide(deps, followUp(context, `leave ${other}`), { type: 'LeavePair', by: person, other });
};
