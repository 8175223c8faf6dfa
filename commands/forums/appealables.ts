/** What moderators of the forums decide about people, and how it is undone. */
import { forumPost } from '../../domain/forums/post.ts';
import { forumSanction, sanctionAt } from '../../domain/forums/sanction.ts';
import { forumTopic } from '../../domain/forums/topic.ts';
import type { AppealableKinds } from '../reports/appealables.ts';
import { appealableText } from '../reports/authoredText.ts';
import { liftSanction } from './sanctions.ts';
import { restoreTopic } from './topics.ts';

export const forumAppealables = {
  post: appealableText(forumPost),
  topic: {
    standing: async ({ aggregates }, id) => {
      const { state } = await aggregates.load(forumTopic, id);
      return state.status === 'removed' ? { accountId: state.authorId, number: state.removals } : undefined;
    },
    undo: restoreTopic,
  },
  sanction: {
    standing: async ({ aggregates }, id, at) => {
      const found = sanctionAt((await aggregates.load(forumSanction, id)).state, at);
      return found && { accountId: found.accountId, number: found.number };
    },
    undo: liftSanction,
  },
} as const satisfies AppealableKinds['appealables'];
