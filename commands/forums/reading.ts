/** What people do with posts beside writing: they read and react. */
import { forumReaction, type ReactionKind } from '../../domain/forums/reaction.ts';
import { forumReader } from '../../domain/forums/reader.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CommandContext } from '../core/handle.ts';
import type { ForumDeps } from './deps.ts';
import { refuseSanctioned } from './sanctions.ts';
import { loadTopic } from './topics.ts';

interface OfReader {
  readonly topicId: string;
  readonly accountId: string;
}
const readerId = ({ topicId, accountId }: OfReader): string => derivedId('forumReader', topicId, accountId);

/** Up to where somebody has read a topic; 0: they have not. */
export const readUpTo = async ({ aggregates }: ForumDeps, reader: OfReader): Promise<number> =>
  (await aggregates.load(forumReader, readerId(reader))).state.readUpTo;

/**
 * Everything up to this number was read, at most up to the newest post. An older number changes nothing.
 * @returns up to where it is read
 * @throws Rejected `not_found`
 */
export const readTopic = async (
  deps: ForumDeps,
  context: CommandContext,
  reader: OfReader,
  seq: number,
): Promise<number> => {
  const { lastSeq } = await loadTopic(deps, reader.topicId);
  const command = { type: 'ReadTopic', ...reader, upToSeq: Math.min(seq, lastSeq) } as const;
  return (await deps.aggregates.handle(forumReader, readerId(reader), command, context)).state.readUpTo;
};

export interface Reacting extends OfReader {
  readonly postId: string;
  /** null: withdraws it. */
  readonly kind: ReactionKind | null;
}

/** Whoever calls has made sure that everybody sees the post. @throws Rejected `not_found`, `forbidden` */
export const react = async (deps: ForumDeps, context: CommandContext, reacting: Reacting): Promise<void> => {
  const { topicId, postId, accountId, kind } = reacting;
  if (kind !== null) {
    await loadTopic(deps, topicId);
    await refuseSanctioned(deps, context, accountId, topicId);
  }
  const id = derivedId('forumReaction', postId, accountId);
  await deps.aggregates.handle(forumReaction, id, { type: 'React', ...reacting }, context);
};
