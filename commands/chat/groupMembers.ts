/**
 * In which groups somebody is, so that an erasure finds them: a group must not be left without an admin. A row is written
 * before the event of the thread; a crash in between leaves one that nothing follows from. After a restore, the log is
 * newer than the rows: the policy writes those that are gone. It deletes the row of whoever is no longer in the group.
 */

import { chatPurpose } from '../../domain/chat/index.ts';
import { thread } from '../../domain/chat/thread.ts';
import { isMember } from '../../domain/chat/threadState.ts';
import { migrations } from '../../infra/migrations.ts';
import { wasErased } from '../accounts/accounts.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { unlessRejected } from '../core/refusals.ts';
import type { GroupDeps } from './deps.ts';

export const groupMigrations = migrations('chat', {
  personalData: {
    'ops.chat_group_members': {
      whose: 'person_id',
      exported: [],
      erased: 'deleted',
      why: chatPurpose,
      retention: { until: 'the person leaves the group' },
      seenBy: ['nobody'],
    },
  },
  '0001_group_members': `
    create table ops.chat_group_members (
      person_id uuid not null,
      thread_id uuid not null,
      primary key (person_id, thread_id)
    );
  `,
});

export const rememberGroup = async (
  { pool }: Pick<GroupDeps, 'pool'>,
  threadId: string,
  people: readonly string[],
): Promise<void> => {
  await pool.query(
    `insert into ops.chat_group_members (person_id, thread_id)
     select person, $1::uuid from unnest($2::uuid[]) as person on conflict do nothing`,
    [threadId, people],
  );
};

type Deps = Pick<GroupDeps, 'aggregates' | 'pool'>;

/** Of these people in a group, remembers those whose rows are gone. Who was erased meanwhile leaves the group. */
export const restoreMembers = async (
  deps: Deps,
  context: CommandContext,
  threadId: string,
  people: readonly string[],
): Promise<void> => {
  const { rows } = await deps.pool.query<{ person: string }>(
    `select person from unnest($2::uuid[]) as person
     where not exists (select from ops.chat_group_members where person_id = person and thread_id = $1)`,
    [threadId, people],
  );
  if (rows.length === 0) return;
  const { state } = await deps.aggregates.load(thread, threadId);
  if (state.type !== 'group') return;
  for (const { person } of rows.filter(({ person }) => isMember(state, person)))
    if (await wasErased(deps, person)) await leave(deps, context, threadId, person);
    else await rememberGroup(deps, threadId, [person]);
};

/**
 * Forgets that somebody was in a group; who is in it again meanwhile is remembered. In this order, so that a repetition at
 * any time leaves the rows of all members.
 */
export const forgetMember = async (
  deps: Deps,
  context: CommandContext,
  threadId: string,
  person: string,
): Promise<void> => {
  const row = [person, threadId];
  await deps.pool.query('delete from ops.chat_group_members where person_id = $1 and thread_id = $2', row);
  await restoreMembers(deps, context, threadId, [person]);
};

const leave = async (deps: Deps, context: CommandContext, id: string, accountId: string): Promise<void> => {
  const step = followUp(context, `leave ${id}`);
  await deps.aggregates.handle(thread, id, { type: 'LeaveThread', accountId, at: context.at }, step);
};

/** Leaves all groups of an erased person. */
export const leaveGroups = async (deps: Deps, context: CommandContext, person: string): Promise<void> => {
  const { rows } = await deps.pool.query<{ thread_id: string }>(
    'select thread_id from ops.chat_group_members where person_id = $1',
    [person],
  );
  for (const { thread_id: id } of rows) await unlessRejected(() => leave(deps, context, id, person), 'not_found'); // the group was never started
};
