/** What is decided about topics: who starts, writes, renames, and what admins do. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ForumTopicCommand, forumTopic } from '../../domain/forums/topic.ts';
import type { ForumTopicEvent } from '../../domain/forums/topicEvents.ts';
import { topicSnapshot } from '../../domain/forums/topicState.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { specification } from '../kit/given.ts';
import { ANNA, BORIS, CATEGORY, newPost, picture, started, written } from './forumFixtures.ts';

const given = specification(forumTopic);
const open: ForumTopicEvent[] = [started, written()];
const answer = newPost({ postId: id(101), authorId: BORIS, author: 'Boris P.' });
const answered: ForumTopicEvent[] = [...open, written({ ...answer, seq: 2 })];
const locked: ForumTopicEvent[] = [...open, { type: 'ForumTopicLocked', data: {} }];
const removed = (removal: number): ForumTopicEvent => ({
  type: 'ForumTopicRemoved',
  data: { authorId: ANNA, removal, reason: 'Advertising' },
});
const restored: ForumTopicEvent = { type: 'ForumTopicRestored', data: {} };
const write = (isModerator = false): ForumTopicCommand => ({ type: 'WritePost', post: answer, isModerator });
const rename = (by: string, isModerator = false): ForumTopicCommand => ({
  type: 'RenameTopic',
  renameId: id(60),
  title: 'Snow',
  by,
  isModerator,
});

describe('a topic', () => {
  it('is started with its first post', () => {
    given([]).when({ type: 'StartTopic', categoryId: CATEGORY, title: 'Powder', post: newPost() }).thenOnce(open);
    expect(given(open).state).toMatchObject({ status: 'open', lastSeq: 1, firstPostId: id(100) });
  });

  it('is renamed by its author and admins', () => {
    const renamed = (by: string) =>
      ({ type: 'ForumTopicRenamed', data: { renameId: id(60), by, title: 'Snow' } }) as const;
    given(open)
      .when(rename(ANNA))
      .thenOnce([renamed(ANNA)]);
    given(open)
      .when(rename(BORIS, true))
      .thenOnce([renamed(BORIS)]);
    given(open).when(rename(BORIS)).then('forbidden');
    given(locked).when(rename(ANNA)).then('conflict');
  });

  it.each([
    [
      { type: 'MoveTopic', categoryId: id(11) },
      { type: 'ForumTopicMoved', data: { categoryId: id(11) } },
    ],
    [
      { type: 'PinTopic', isPinned: true },
      { type: 'ForumTopicPinned', data: {} },
    ],
    [
      { type: 'LockTopic', isLocked: true },
      { type: 'ForumTopicLocked', data: {} },
    ],
  ] as const)('is moved, pinned and locked: %o', (command, event) => {
    given(open).when(command).thenOnce([event]);
    given([]).when(command).then('not_found');
  });

  it('is unpinned and unlocked', () => {
    const pinned: ForumTopicEvent[] = [...open, { type: 'ForumTopicPinned', data: {} }];
    given(pinned)
      .when({ type: 'PinTopic', isPinned: false })
      .thenOnce([{ type: 'ForumTopicUnpinned', data: {} }]);
    given(locked)
      .when({ type: 'LockTopic', isLocked: false })
      .thenOnce([{ type: 'ForumTopicUnlocked', data: {} }]);
  });

  it('is deleted by its author while it has only its first post', () => {
    const remove = (by: string, formerBody: string | null = null) =>
      ({ type: 'DeleteTopic', by, pictures: [picture], formerBody }) as const;
    const of = { authorId: ANNA, postId: id(100) };
    const data = { ...of, fileIds: [picture.fileId] };
    const deleted: ForumTopicEvent = { type: 'ForumTopicDeleted', data };
    given(open).when(remove(ANNA)).thenOnce([deleted]);
    // What a reported post said is kept.
    given(open)
      .when(remove(ANNA, 'Rude'))
      .thenOnce([
        { type: 'ForumTopicDeleted', data: { ...of, fileIds: [], formerBody: 'Rude', keptFiles: [picture] } },
      ]);
    given([...open, deleted])
      .when(remove(ANNA, 'Rude'))
      .then([]);
    given(open).when(remove(BORIS)).then('forbidden');
    given(answered).when(remove(ANNA)).then('conflict');
  });

  it('is removed and restored, and each removal is counted', () => {
    given(open)
      .when({ type: 'RemoveTopic', reason: 'Advertising' })
      .thenOnce([removed(1)]);
    given([...open, removed(1)])
      .when({ type: 'RestoreTopic' })
      .thenOnce([restored]);
    given([...open, removed(1), restored])
      .when({ type: 'RemoveTopic', reason: 'Advertising' })
      .thenOnce([removed(2)]);
    given([...open, removed(1)])
      .when(write())
      .then('not_found');
  });
});

describe('a post', () => {
  it('gets the next number, once', () => {
    given(open)
      .when(write())
      .thenOnce([written({ ...answer, seq: 2 })]);
    given([]).when(write()).then('not_found');
  });

  it('is not written in a locked topic, but by admins', () => {
    given(locked).when(write()).then('conflict');
    given(locked)
      .when(write(true))
      .thenOnce([written({ ...answer, seq: 2 })]);
    // A repeated request is answered as before, whatever happened since.
    given([...answered, { type: 'ForumTopicLocked', data: {} }])
      .when(write())
      .then([]);
  });

  it('has numbers without gaps, and the state stays small and without texts', () => {
    const commands = fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.constantFrom(ANNA, BORIS)), {
      maxLength: 500,
    });
    fc.assert(
      fc.property(commands, (posts) => {
        const events: ForumTopicEvent[] = [...open];
        let state = events.reduce(forumTopic.evolve, forumTopic.initial);
        for (const [n, authorId] of posts) {
          const post = newPost({ postId: id(1_000 + n), authorId });
          const decided = forumTopic.decide({ type: 'WritePost', post, isModerator: false }, state);
          state = decided.reduce(forumTopic.evolve, state);
          events.push(...decided);
        }
        const seqs = events.flatMap((event) => (event.type === 'ForumPostWritten' ? [event.data.seq] : []));
        expect(seqs).toEqual(seqs.map((_, n) => n + 1));
        const packed = topicSnapshot.pack(state);
        expect(topicSnapshot.unpack(packed as never)).toEqual(state);
        expect(JSON.stringify(packed)).not.toMatch(/powder/i);
        if (state.status !== 'none') expect(state.recent.length).toBeLessThanOrEqual(200);
      }),
      { numRuns: 20 },
    );
  });
});
