import { describe, expect, it } from 'vitest';
import type { FileFacts } from '../../domain/files/file.ts';
import {
  isResortStoryShown,
  type ResortStoryContent,
  type ResortStoryEvent,
  resortStory,
} from '../../domain/stories/resortStory.ts';
import { isShownAt, MAX_VIDEO_S, type StoryCommand, type StoryEvent, story } from '../../domain/stories/story.ts';
import { at, GUEST, id, PROVIDER } from '../bookings/bookingFixtures.ts';
import { specification } from '../kit/given.ts';
import { content, media, postedStory } from './storyFixtures.ts';

const FILE = media.fileId;
const video = (durationS: number): FileFacts => ({ ...media, mime: 'video/mp4', durationS });

describe('a story', () => {
  const given = specification(story);
  const posted: StoryEvent = { type: 'StoryPosted', data: postedStory };
  const removed: StoryEvent = { type: 'StoryRemoved', data: { authorId: GUEST, reason: 'Not yours.' } };
  const deleted: StoryEvent = { type: 'StoryDeleted', data: { dropped: [FILE] } };
  const ended: StoryEvent = { type: 'StoryEnded', data: { dropped: [FILE] } };
  const post = (more: object = {}): StoryCommand => ({ type: 'PostStory', ...postedStory, ...more });

  const remove = (by: string, isReported = false): StoryCommand => ({ type: 'DeleteStory', by, isReported });

  it('is posted once', () => given([]).when(post()).thenOnce([posted]));
  it('may be a short video only', () => {
    given([])
      .when(post({ media: video(MAX_VIDEO_S + 1) }))
      .then('invalid');
    const short = { media: video(MAX_VIDEO_S) };
    given([])
      .when(post(short))
      .thenOnce([{ type: 'StoryPosted', data: { ...postedStory, ...short } }]);
  });
  it('is deleted by its author, once', () => {
    given([posted]).when(remove(GUEST)).thenOnce([deleted]);
    given([posted]).when(remove(PROVIDER)).then('not_found');
    given([]).when(remove(GUEST)).then('not_found');
    given([posted, removed]).when(remove(GUEST)).thenOnce([deleted]);
  });
  it('is kept with its file until it ends, if a report waits while its author deletes it', () => {
    const kept: StoryEvent = { type: 'StoryDeleted', data: { dropped: [] } };
    given([posted]).when(remove(GUEST, true)).thenOnce([kept]);
    const { state } = given([posted, kept]);
    expect(state).toMatchObject({ status: 'deleted', media: { fileId: FILE } });
    expect(isShownAt(state, at(0))).toBe(false);
    for (const command of [remove(GUEST), { type: 'RemoveStory', reason: 'Not yours.' } as const])
      given([posted, kept]).when(command).then([]);
    given([posted, kept]).when(remove(PROVIDER)).then('not_found');
    given([posted, kept]).when({ type: 'EndStory' }).thenOnce([ended]);
  });
  it('is removed by an admin, once, while it is there', () => {
    given([posted]).when({ type: 'RemoveStory', reason: 'Not yours.' }).thenOnce([removed]);
    given([posted, deleted]).when({ type: 'RemoveStory', reason: 'Not yours.' }).then('not_found');
  });
  it('ends with its file, once', () => {
    given([posted]).when({ type: 'EndStory' }).thenOnce([ended]);
    given([posted, removed]).when({ type: 'EndStory' }).thenOnce([ended]);
    given([posted, deleted]).when({ type: 'EndStory' }).then([]);
  });
  it('is shown for a day, unless it was removed', () => {
    const shown = (events: StoryEvent[], minutes: number) => isShownAt(given(events).state, at(minutes));
    expect([shown([posted], 0), shown([posted], 1_439), shown([posted], 1_440)]).toEqual([true, true, false]);
    expect([shown([], 0), shown([posted, removed], 0), shown([posted, deleted], 0)]).toEqual([false, false, false]);
  });
});

describe('a story of the resort', () => {
  const given = specification(resortStory);
  const created: ResortStoryEvent = { type: 'ResortStoryCreated', data: { content } };
  const deleted: ResortStoryEvent = { type: 'ResortStoryDeleted', data: { dropped: [FILE] } };
  const change = (more: Partial<ResortStoryContent>) =>
    ({ type: 'ChangeResortStory', content: { ...content, ...more } }) as const;

  it('is created once', () => given([]).when({ type: 'CreateResortStory', content }).thenOnce([created]));
  it('ends after it begins', () => {
    given([])
      .when({ type: 'CreateResortStory', content: { ...content, expiresAt: at(0) } })
      .then('invalid');
    given([created])
      .when(change({ expiresAt: at(-1) }))
      .then('invalid');
  });
  it('drops the file that it shows no longer', () => {
    const other = { ...media, fileId: id(31) };
    const changed = (more: object, dropped: string[]): ResortStoryEvent => ({
      type: 'ResortStoryChanged',
      data: { content: { ...content, ...more }, dropped },
    });
    given([created]).when(change({})).then([]);
    given([created])
      .when(change({ title: 'Later' }))
      .thenOnce([changed({ title: 'Later' }, [])]);
    given([created])
      .when(change({ media: other }))
      .thenOnce([changed({ media: other }, [FILE])]);
  });
  it('is deleted once', () => {
    given([created]).when({ type: 'DeleteResortStory' }).thenOnce([deleted]);
    given([]).when({ type: 'DeleteResortStory' }).then('not_found');
    given([created, deleted])
      .when(change({ title: 'Later' }))
      .then('not_found');
  });
  it('is shown to its roles in its time', () => {
    const shown = (more: Partial<ResortStoryContent>, role: string, minutes: number) =>
      isResortStoryShown({ status: 'open', content: { ...content, ...more } }, role, at(minutes));
    expect([shown({}, 'tourist', -1), shown({}, 'tourist', 0), shown({}, 'tourist', 60)]).toEqual([false, true, false]);
    expect([shown({ roles: ['hotelier'] }, 'tourist', 0), shown({ roles: ['hotelier'] }, 'hotelier', 0)]).toEqual([
      false,
      true,
    ]);
    expect(isResortStoryShown({ status: 'deleted' }, 'tourist', at(0))).toBe(false);
  });
});
