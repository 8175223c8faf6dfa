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
  on: { StoryRemoved: ({ streamId: storyId, revision }) => ({ about: { storyId, revision: String(revision) } }) },
  takenBackBy: {
    StoryRestored: async ({ streamId: key, revision }, { aggregates }) => {
      const { state } = await aggregates.load(story, key);
      return 'authorId' in state ? { to: state.authorId, key, version: Number(revision) } : undefined;
    },
  },
  find: async ({ storyId = '', revision = '0' }, { deps }) => {
    const { state } = await deps.aggregates.load(story, storyId);
    if (state.status !== 'removed') return [];
    return [{ to: state.authorId, key: storyId, version: Number(revision), params: { story_id: storyId } }];
  },
  text: {
    ru: () => ({
      title: 'Ваша история удалена',
      body: 'Модератор удалил вашу историю. Причина указана в ней. Вы можете подать апелляцию.',
    }),
    en: () => ({
      title: 'Your story was removed',
      body: 'A moderator has removed your story. The story says why. You can appeal.',
    }),
  },
  link: () => '/stories/mine',
});

export const storyNotifications = [storyRemoved];
