/** Appeals against what moderators have decided, and their answers. */
import { Rejected } from '../../domain/core/decider.ts';
import { type Decision, forumAppeal } from '../../domain/forums/appeal.ts';
import { forumPost } from '../../domain/forums/post.ts';
import { forumSanction, sanctionAt } from '../../domain/forums/sanction.ts';
import { forumTopic } from '../../domain/forums/topic.ts';
import { derivedId } from '../../infra/ids.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { ForumDeps } from './deps.ts';
import { restorePost } from './posts.ts';
import { liftSanction } from './sanctions.ts';
import { restoreTopic } from './topics.ts';

/** What stands against somebody now. */
interface Standing {
  readonly accountId: string;
  readonly number: number;
}
type About = Pick<Decision, 'kind' | 'id'>;

/** The decision about a post, a topic or a person that stands at a time, as the log has it. */
const standing = async ({ aggregates }: ForumDeps, { kind, id }: About, at: string): Promise<Standing | undefined> => {
  switch (kind) {
    case 'post': {
      const { isRemoved, isDeleted, about, removals: number } = (await aggregates.load(forumPost, id)).state;
      return isRemoved && !isDeleted && about ? { accountId: about.authorId, number } : undefined;
    }
    case 'topic': {
      const { state } = await aggregates.load(forumTopic, id);
      return state.status === 'removed' ? { accountId: state.authorId, number: state.removals } : undefined;
    }
    case 'sanction': {
      const found = sanctionAt((await aggregates.load(forumSanction, id)).state, at);
      return found && { accountId: found.accountId, number: found.number };
    }
  }
};

const UNDO = { post: restorePost, topic: restoreTopic, sanction: liftSanction } as const;

/**
 * Appeals against a decision about oneself, once.
 * @returns the id of the appeal, and whether it is new
 * @throws Rejected `not_found` where nothing was decided against this person, `conflict` after the answer
 */
export const fileAppeal = async (
  deps: ForumDeps,
  context: CommandContext,
  { accountId, kind, id, text }: About & { readonly accountId: string; readonly text: string },
): Promise<{ readonly appealId: string; readonly isNew: boolean }> => {
  const found = await standing(deps, { kind, id }, context.at);
  if (found?.accountId !== accountId)
    throw new Rejected('not_found', 'There is no decision of a moderator against you to appeal.');
  const { number } = found;
  const appealId = derivedId('forumAppeal', kind, id, String(number));
  const command = { type: 'FileAppeal', accountId, decision: { kind, id, number }, text } as const;
  const { events } = await deps.aggregates.handle(forumAppeal, appealId, command, context);
  return { appealId, isNew: events.length > 0 };
};

/** Undoes a decision whose appeal was accepted, unless it was decided anew since. Safe to repeat. */
export const undoDecision = async (
  deps: ForumDeps,
  context: CommandContext,
  { kind, id, number }: Decision,
): Promise<void> => {
  if ((await standing(deps, { kind, id }, context.at))?.number === number)
    await UNDO[kind](deps, followUp(context, 'undo'), id);
};

/**
 * Answers an appeal. Of two admins the first one decides; what was accepted is undone then, by a policy if this process
 * ends before.
 * @throws Rejected `not_found`, `invalid_transition` when it was answered otherwise, `conflict` when it was decided anew since
 */
export const answerAppeal = async (
  deps: ForumDeps,
  context: CommandContext,
  appealId: string,
  { accepted, answer }: { readonly accepted: boolean; readonly answer: string },
): Promise<void> => {
  const { state } = await deps.aggregates.load(forumAppeal, appealId);
  if (accepted && state.status === 'open') {
    const now = await standing(deps, state.decision, context.at);
    if (now && now.number !== state.decision.number)
      throw new Rejected('conflict', 'A moderator has decided anew since. Undo that decision instead.');
  }
  const command = { type: 'AnswerAppeal', accepted, answer } as const;
  const { state: after } = await deps.aggregates.handle(forumAppeal, appealId, command, context);
  if (after.status === 'answered' && after.accepted) await undoDecision(deps, context, after.decision);
};
