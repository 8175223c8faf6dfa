/** What authors of stories are told. */
import { Type } from '@sinclair/typebox';
import { DAY_MS } from '../../domain/core/instants.ts';
import { Uuid } from '../../domain/core/schema.ts';
import { story } from '../../domain/stories/story.ts';
import { notification } from '../core/notification.ts';

/** The story says why. */
const storyRemoved = notification('story_removed', {
  kind: 'system',
  urgency: 'normal',
  worthMs: 3 * DAY_MS,
  params: Type.Object({ story_id: Uuid }),
  on: { StoryRemoved: ({ streamId: storyId }) => ({ about: { storyId } }) },
  find: async ({ storyId = '' }, { deps }) => {
    const { state } = await deps.aggregates.load(story, storyId);
    return state.status === 'removed' ? [{ to: state.authorId, params: { story_id: storyId } }] : [];
  },
  text: {
    ru: () => ({ title: 'Ваша история удалена', body: 'Модератор удалил вашу историю. Причина указана в ней.' }),
    en: () => ({ title: 'Your story was removed', body: 'A moderator has removed your story. The story says why.' }),
  },
  link: () => '/stories/mine',
});

export const storyNotifications = [storyRemoved];
