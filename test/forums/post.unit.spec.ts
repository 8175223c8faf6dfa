/** What is decided about posts after they were written. */
import { describe, it } from 'vitest';
import { addMs, DAY_MS } from '../../domain/core/instants.ts';
import { EDIT_DAYS, type ForumPostEvent, forumPost, type OfPost } from '../../domain/forums/post.ts';
import { MAX_EDITS, type TextCommand } from '../../domain/reports/authoredText.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { specification } from '../kit/given.ts';
import { ANNA, AT, BORIS, LATER, picture, TOPIC } from './forumFixtures.ts';

const given = specification(forumPost);
const about = { topicId: TOPIC, authorId: ANNA };
const original = { body: 'Powder', mentions: [] };
const post = { of: about, writtenAt: AT, files: [picture], ...original };
const edit = (more: object = {}): TextCommand<OfPost> => ({
  type: 'EditText',
  written: post,
  text: { body: 'Ice', mentions: [] },
  by: ANNA,
  at: LATER,
  ...more,
});
const edited = (body: string, formerBody: string): ForumPostEvent => ({
  type: 'ForumPostEdited',
  data: { ...about, body, mentions: [], formerBody },
});
const deleted = {
  type: 'ForumPostDeleted',
  data: { ...about, fileIds: [id(300)] },
} satisfies ForumPostEvent;
const deleting = (by = ANNA, isReported = false): TextCommand<OfPost> => ({
  type: 'DeleteText',
  written: post,
  by,
  isReported,
});
const removed = (removal: number): ForumPostEvent => ({
  type: 'ForumPostRemoved',
  data: { ...about, removal, reason: 'Rude' },
});
const restored: ForumPostEvent = { type: 'ForumPostRestored', data: about };
const remove: TextCommand<OfPost> = { type: 'RemoveText', written: post, by: BORIS, reason: 'Rude' };

describe('a post', () => {
  it('is edited by its author, for some days', () => {
    given([])
      .when(edit())
      .thenOnce([edited('Ice', 'Powder')]);
    given([edited('Ice', 'Powder')])
      .when(edit({ text: { body: 'Slush', mentions: [] } }))
      .thenOnce([edited('Slush', 'Ice')]);
    given([])
      .when(edit({ text: original }))
      .then([]);
    given([])
      .when(edit({ by: BORIS }))
      .then('forbidden');
    const tooLate = addMs(AT, EDIT_DAYS * DAY_MS + 1);
    given([])
      .when(edit({ at: tooLate }))
      .then('conflict');
    const often = Array.from({ length: MAX_EDITS }, () => edited('Other', 'Former'));
    given(often).when(edit()).then('conflict');
  });

  it('is deleted by its author for good', () => {
    given([]).when(deleting()).thenOnce([deleted]);
    for (const isReported of [true, false]) given([]).when(deleting(BORIS, isReported)).then('forbidden');
    given([deleted]).when(deleting(ANNA, true)).then([]);
    given([deleted]).when(edit()).then('not_found');
    given([deleted]).when(remove).then([]);
    given([removed(1)])
      .when(deleting())
      .thenOnce([deleted]);
  });

  it('keeps what it said last when its author deletes it while it is reported', () => {
    const keeping = (formerBody: string): ForumPostEvent => ({
      ...deleted,
      data: { ...about, fileIds: [], formerBody, keptFiles: [picture] },
    });
    given([])
      .when(deleting(ANNA, true))
      .thenOnce([keeping('Powder')]);
    given([edited('Ice', 'Powder')])
      .when(deleting(ANNA, true))
      .then([keeping('Ice')]);
  });

  it('is removed and restored by admins, and each removal is counted', () => {
    given([])
      .when(remove)
      .thenOnce([removed(1)]);
    given([removed(1)])
      .when(edit())
      .then('conflict');
    given([removed(1)])
      .when({ type: 'RestoreText' })
      .thenOnce([restored]);
    given([removed(1), restored])
      .when(remove)
      .thenOnce([removed(2)]);
    given([]).when({ type: 'RestoreText' }).then([]);
  });

  it('does not come back once its author has deleted it', () => {
    given([removed(1), deleted])
      .when({ type: 'RestoreText' })
      .then([]);
    // Logs of before have such restorations.
    given([removed(1), deleted, restored])
      .when(edit())
      .then('not_found');
  });
});
