/** A removed story, and how it is shown again. */
import { story } from '../../domain/stories/story.ts';
import type { AppealableKinds } from '../reports/appealables.ts';
import { restoreStory } from './stories.ts';

export const storyAppealables = {
  story: {
    standing: async ({ aggregates }, id) => {
      const { state } = await aggregates.load(story, id);
      return state.status === 'removed' ? { accountId: state.authorId, number: state.removals } : undefined;
    },
    undo: restoreStory,
  },
} as const satisfies AppealableKinds['appealables'];
