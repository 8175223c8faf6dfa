/**
 * What is unread in a thread: one position for each member, and the messages that are gone. Chats count the same in their
 * read model; notifications and badges are told by this.
 */
import { type Member, type OpenThread, positionOf } from '../../domain/chat/threadState.ts';
import { addMs, DAY_MS } from '../../domain/core/instants.ts';
import { UNREAD_COUNTED } from '../../domain/core/unread.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { migrations } from '../../infra/migrations.ts';
import { inTransaction } from '../../infra/postgres.ts';
import type { CoreDeps } from '../core/deps.ts';
import { loadOwnThread } from './ownThreads.ts';

type Deps = Pick<CoreDeps, 'aggregates' | 'pool' | 'publish' | 'now'>;

/** Members whose position is read at the same time. */
const AT_ONCE = 8;
/** Notifications are listed for so long. */
const KEPT_DAYS = 365;

export const goneMessageMigrations = migrations('chat', {
  personalData: {
    'ops.chat_gone_messages': { nothing: 'numbers of messages that were deleted', retention: [{ after: 'until' }] },
  },
  '0002_gone_messages': `
    create table ops.chat_gone_messages (
      thread_id uuid not null,
      seq bigint not null,
      until timestamptz not null,
      primary key (thread_id, seq)
    );
    create index on ops.chat_gone_messages (until);
  `,
});

/** Remembers that a message is gone; again changes nothing. @param at when it was deleted */
export const rememberGone = async ({ pool }: Pick<Deps, 'pool'>, threadId: string, seq: number, at: string) => {
  await pool.query(
    'insert into ops.chat_gone_messages (thread_id, seq, until) values ($1, $2, $3) on conflict do nothing',
    [threadId, seq, addMs(at, KEPT_DAYS * DAY_MS)],
  );
};

/** A message that was gone is there again; again changes nothing. */
export const forgetGone = async ({ pool }: Pick<Deps, 'pool'>, threadId: string, seq: number) => {
  await pool.query('delete from ops.chat_gone_messages where thread_id = $1 and seq = $2', [threadId, seq]);
};

export interface Unread {
  readonly to: string;
  readonly isMuted: boolean;
  /** Everything up to this number is read. */
  readonly readUpTo: number;
  /** How many messages of others that exist are not, up to `UNREAD_COUNTED`. */
  readonly count: number;
}

/** For each of these members of a thread. Who writes has read what was before, so that what is after it is of others. */
export const unreadOf = async (
  deps: Pick<Deps, 'aggregates' | 'pool'>,
  threadId: string,
  { lastSeq }: Pick<OpenThread, 'lastSeq'>,
  members: readonly Member[],
): Promise<Unread[]> => {
  const found: Omit<Unread, 'count'>[] = [];
  await concurrentEach(members, AT_ONCE, async (member) => {
    const { muted, readUpTo } = await loadOwnThread(deps, { threadId, accountId: member.id });
    found.push({ to: member.id, isMuted: muted, readUpTo: positionOf(member, readUpTo) });
  });
  const oldest = Math.min(lastSeq, ...found.map(({ readUpTo }) => readUpTo));
  if (oldest === lastSeq) return found.map((each) => ({ ...each, count: 0 }));
  const { rows } = await deps.pool.query<{ seq: number }>(
    'select seq from ops.chat_gone_messages where thread_id = $1 and seq > $2 and seq <= $3',
    [threadId, oldest, lastSeq],
  );
  const goneAfter = (readUpTo: number) => rows.filter(({ seq }) => Number(seq) > readUpTo).length;
  return found.map((each) => ({
    ...each,
    count: Math.min(UNREAD_COUNTED, Math.max(0, lastSeq - each.readUpTo - goneAfter(each.readUpTo))),
  }));
};

/** Tells members live how much is unread in a thread: a frame each, however many messages it is about. */
export const tellUnread = async (
  deps: Deps,
  threadId: string,
  { lastSeq }: Pick<OpenThread, 'lastSeq'>,
  unread: readonly Pick<Unread, 'to' | 'count'>[],
): Promise<void> => {
  if (unread.length === 0) return;
  const at = deps.now();
  const changes = unread.map(({ to: accountId, count }) => ({
    accountId,
    type: 'chat_badge.updated',
    data: JSON.stringify({ thread_id: threadId, last_seq: lastSeq, unread_count: count }),
    at,
  }));
  await inTransaction(deps.pool, (client) => deps.publish(client, changes));
};
