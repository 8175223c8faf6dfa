/** Events of forums, as specs need them. */
import type { NewPost } from '../../domain/forums/topic.ts';
import type { ForumTopicEvent, PostWritten } from '../../domain/forums/topicEvents.ts';
import { id } from '../bookings/bookingFixtures.ts';

export const [ANNA, BORIS, VERA] = [id(1), id(2), id(3)];
export const [CATEGORY, TOPIC] = [id(10), id(20)];
export const AT = '2027-01-01T10:00:00.000Z';
export const LATER = '2027-01-01T11:00:00.000Z';

export const newPost = (more: Partial<NewPost> = {}): NewPost => ({
  postId: id(100),
  authorId: ANNA,
  author: 'Anna O.',
  body: 'Where is the best powder?',
  replyTo: null,
  quotes: [],
  mentions: [],
  pictures: [],
  clientPostId: null,
  ...more,
});

export const started = {
  type: 'ForumTopicStarted',
  data: { authorId: ANNA, categoryId: CATEGORY, title: 'Powder' },
} as const satisfies ForumTopicEvent;

export const written = (more: Partial<PostWritten> = {}) =>
  ({ type: 'ForumPostWritten', data: { ...newPost(more), seq: 1, ...more } }) as const satisfies ForumTopicEvent;

export const picture = {
  fileId: id(300),
  folder: 'forums' as const,
  mime: 'image/webp' as const,
  size: 1,
  width: 1,
  height: 1,
  durationS: null,
  thumbnailSize: null,
};
