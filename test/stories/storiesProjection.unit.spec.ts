/** Stories as they are listed. */
import { expect, it } from 'vitest';
import type { ResortStoryEvent } from '../../domain/stories/resortStory.ts';
import type { StoryEvent } from '../../domain/stories/story.ts';
import { stories } from '../../projections/stories/stories.ts';
import { at, GUEST, id } from '../bookings/bookingFixtures.ts';
import { happened, projection } from '../kit/projected.ts';
import { content, media, postedStory } from './storyFixtures.ts';

const rowsAfter = projection(stories);
const on = (event: StoryEvent, minutes: number) => happened('story', id(40), event, at(minutes));
const ofResort = (event: ResortStoryEvent, minutes: number) => happened('resortStory', id(41), event, at(minutes));
const dropped = [media.fileId];

it('a story of a person is there until it is deleted or ends; a removed one says why', () => {
  const posted = on({ type: 'StoryPosted', data: postedStory }, 0);
  expect(rowsAfter([posted])).toMatchObject([
    { id: id(40), author_id: GUEST, text: 'Fresh snow', status: 'shown', publish_at: at(0) },
  ]);
  const removed = on({ type: 'StoryRemoved', data: { authorId: GUEST, reason: 'Not yours.' } }, 1);
  expect(rowsAfter([posted, removed])).toMatchObject([{ status: 'removed', reason: 'Not yours.', updated_at: at(1) }]);
  expect(rowsAfter([posted, removed, on({ type: 'StoryRestored', data: {} }, 2)])).toMatchObject([
    { status: 'shown', reason: null, updated_at: at(2) },
  ]);
  expect(rowsAfter([posted, on({ type: 'StoryDeleted', data: { dropped } }, 2)])).toEqual([]);
  // A report of it was open.
  expect(rowsAfter([posted, on({ type: 'StoryDeleted', data: { dropped: [] } }, 2)])).toMatchObject([
    { status: 'deleted' },
  ]);
  expect(rowsAfter([posted, removed, on({ type: 'StoryEnded', data: { dropped } }, 3)])).toEqual([]);
});

it('a story of the resort has no author, and keeps when it was created', () => {
  const created = ofResort({ type: 'ResortStoryCreated', data: { content } }, -5);
  const changed = ofResort(
    { type: 'ResortStoryChanged', data: { content: { ...content, roles: ['admin'] }, dropped } },
    1,
  );
  expect(rowsAfter([created, changed])).toMatchObject([
    { author_id: null, title: 'Night skiing', roles: ['admin'], created_at: at(-5), updated_at: at(1) },
  ]);
  expect(rowsAfter([created, ofResort({ type: 'ResortStoryDeleted', data: { dropped } }, 2)])).toEqual([]);
});
