/**
 * Who has reacted to which post. They are counted when they are asked for. The channel of the topic has the post with the new
 * counts: nobody is told who has reacted.
 */

import { type Static, Type } from '@sinclair/typebox';
import { Uuid } from '../../domain/core/schema.ts';
import { forumsPurpose } from '../../domain/forums/index.ts';
import { ReactionKind, reactionKinds } from '../../domain/forums/reaction.ts';
import { isAnyOf, type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';

interface Reacted {
  readonly data: { readonly postId: string; readonly accountId: string };
}
const keys = ({ data }: Reacted) => [{ post_id: data.postId, account_id: data.accountId }];

export const forumReactions = readModel('forum_reactions', {
  version: 1,
  row: Type.Object({ post_id: Uuid, account_id: Uuid, topic_id: Uuid, kind: ReactionKind }),
  key: ['post_id', 'account_id'],
  personalData: {
    whose: 'account_id',
    erased: 'deleted',
    why: forumsPurpose,
    retention: { until: 'the person withdraws it; the account is erased' },
  },
  on: {
    ForumReactionGiven: {
      keys,
      fold: (_, { data: { topicId, kind } }, key) => ({ ...key, topic_id: topicId, kind }),
    },
    ForumReactionWithdrawn: { keys, fold: () => null },
  },
  indexes: ['account_id'],
});

export const ReactionCount = Type.Object({ kind: ReactionKind, count: Type.Integer() });
type ReactionCount = Static<typeof ReactionCount>;

/** Post → how many people have reacted to it, in the order in which the kinds are declared. */
export const reactionsOf = async (
  db: ReadDb,
  postIds: readonly string[],
): Promise<ReadonlyMap<string, ReactionCount[]>> => {
  const found = await tables(db, forumReactions)
    .selectFrom('forum_reactions')
    .select(['post_id', 'kind', (q) => q.fn.countAll<number>().as('people')])
    .where(isAnyOf('post_id', postIds))
    .groupBy(['post_id', 'kind'])
    .execute();
  const counts = new Map<string, ReactionCount[]>();
  for (const kind of reactionKinds)
    for (const one of found)
      if (one.kind === kind)
        counts.set(one.post_id, [...(counts.get(one.post_id) ?? []), { kind, count: Number(one.people) }]);
  return counts;
};

/** Post → how a person has reacted to it. */
export const ownReactions = async (
  db: ReadDb,
  accountId: string,
  postIds: readonly string[],
): Promise<ReadonlyMap<string, Static<typeof ReactionKind>>> => {
  const found = await tables(db, forumReactions)
    .selectFrom('forum_reactions')
    .select(['post_id', 'kind'])
    .where('account_id', '=', accountId)
    .where(isAnyOf('post_id', postIds))
    .execute();
  return new Map(found.map(({ post_id, kind }) => [post_id, kind]));
};
