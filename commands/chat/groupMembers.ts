/**
 * In which groups somebody has been, so that an erasure finds them: a group must not be left without an admin. A row is
 * written before the event of the thread; a crash in between leaves one that nothing follows from.
 */

import { chatPurpose } from '../../domain/chat/purpose.ts';
import { thread } from '../../domain/chat/thread.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { migrations } from '../../infra/migrations.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { GroupDeps } from './deps.ts';

export const groupMigrations = migrations('chat', {
  holds: {
    'ops.chat_group_members': {
      person: 'person_id',
      exported: [],
      erased: 'deleted',
      why: chatPurpose,
      kept: { until: 'the person leaves the group' },
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

/** Leaves all groups of an erased person. */
export const leaveGroups = async (
  deps: Pick<GroupDeps, 'aggregates' | 'pool'>,
  context: CommandContext,
  person: string,
): Promise<void> => {
  const { rows } = await deps.pool.query<{ thread_id: string }>(
    'select thread_id from ops.chat_group_members where person_id = $1',
    [person],
  );
  for (const { thread_id: id } of rows)
    await deps.aggregates
      .handle(thread, id, { type: 'LeaveThread', accountId: person }, followUp(context, `leave ${id}`))
      .catch((error: unknown) => {
        // The group was never started.
        if (!(error instanceof Rejected && error.code === 'not_found')) throw error;
      });
};
