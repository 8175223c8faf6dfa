/** What is decided about messages, and what a person does with a thread for themselves. */
import { describe, expect, it } from 'vitest';
import { type MessageEvent, message } from '../../domain/chat/message.ts';
import { threadMember } from '../../domain/chat/threadMember.ts';
import { MAX_EDITS } from '../../domain/reports/authoredText.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { specification } from '../kit/given.ts';
import { factsOfPicture } from './chatFixtures.ts';

const [ANNA, BORIS, THREAD] = [id(1), id(2), id(3)];

describe('a message', () => {
  const given = specification(message);
  const about = { threadId: THREAD, senderId: ANNA };
  const picture = factsOfPicture(id(70));
  const original = { body: 'Hello', mentions: [BORIS] };
  const of = { threadId: THREAD, authorId: ANNA, seq: 7 };
  const written = { of, writtenAt: '2027-01-01T10:00:00.000Z', files: [picture], ...original };
  const edit = (body: string, mentions: string[] = [], by = ANNA, at = '2027-01-02T10:00:00.000Z') =>
    ({ type: 'EditText', written, text: { body, mentions }, by, at }) as const;
  const edited = (body: string, mentions: string[] = [], former = original): MessageEvent => ({
    type: 'MessageEdited',
    data: { ...about, body, mentions, formerBody: former.body, formerMentions: former.mentions },
  });
  const deleted: MessageEvent = {
    type: 'MessageDeleted',
    data: { ...about, seq: 7, fileIds: [id(70)], mentions: [BORIS] },
  };
  const deleting = (by = ANNA, isReported = false) => ({ type: 'DeleteText', written, by, isReported }) as const;
  const gone = { ...about, seq: 7, fileIds: [], mentions: [BORIS], by: BORIS };
  const removed = {
    type: 'MessageRemoved',
    data: { ...gone, reason: 'Rude', formerBody: 'Hello', keptFiles: [picture] },
  } as const satisfies MessageEvent;
  const REMOVE = { type: 'RemoveText', written, by: BORIS, reason: 'Rude' } as const;

  it('is edited by its sender within a day, and every text is kept', () => {
    given([])
      .when(edit('Hi'))
      .thenOnce([edited('Hi')]);
    given([])
      .when(edit('Hello', [BORIS]))
      .then([]);
    given([edited('Hi')])
      .when(edit('Hello', [BORIS]))
      .then([edited('Hello', [BORIS], { body: 'Hi', mentions: [] })]);
    given([])
      .when(edit('Hello'))
      .then([edited('Hello')]);
    given([])
      .when(edit('Hi', [], BORIS))
      .then('forbidden');
    given([])
      .when(edit('Hi', [], ANNA, '2027-01-02T10:00:00.001Z'))
      .then('conflict');
    const many = Array.from({ length: MAX_EDITS }, (_, n) => edited(`${n}`));
    given(many).when(edit('Hi')).then('conflict');
  });

  it('is deleted by its sender, or removed by a moderator, for good', () => {
    given([edited('Hi', [BORIS])])
      .when(deleting())
      .thenOnce([deleted]);
    given([]).when(deleting(BORIS)).then('forbidden');
    given([]).when(REMOVE).thenOnce([removed]);
    for (const gone of [deleted, removed]) {
      given([gone]).when(edit('Hi')).then('not_found');
      given([gone]).when(deleting()).then([]);
    }
    given([deleted]).when(REMOVE).then([]);
    given([removed])
      .when({ ...REMOVE, reason: 'Other words' })
      .then('conflict');
    // Of before, when nothing was kept.
    const { reason: _, formerBody: __, keptFiles: ___, ...old } = removed.data;
    const former: MessageEvent = { type: 'MessageRemoved', data: { ...old, fileIds: [picture.fileId] } };
    given([former]).when(REMOVE).then([]);
    given([former]).when({ type: 'RestoreText' }).then([]);
  });

  it('comes back as it was last, after a moderator has removed it, and can be removed again', () => {
    const back = (body: string, mentions: string[]): MessageEvent => ({
      type: 'MessageRestored',
      data: { ...about, seq: 7, body, mentions, attachments: [picture] },
    });
    const last: MessageEvent = { ...removed, data: { ...removed.data, formerBody: 'Hi', mentions: [BORIS] } };
    given([edited('Hi', [BORIS]), last])
      .when({ type: 'RestoreText' })
      .thenOnce([back('Hi', [BORIS])]);
    given([edited('Hi', [BORIS]), last, back('Hi', [BORIS])])
      .when(REMOVE)
      .thenOnce([last]);
    expect(given([removed, back('Hello', []), removed]).state).toMatchObject({ removals: 2, status: 'removed' });
    given([]).when({ type: 'RestoreText' }).then([]);
  });

  it('keeps what it said last, and its files, when its sender deletes it while it is reported', () => {
    const keeping = (formerBody: string): MessageEvent => ({
      type: 'MessageDeleted',
      data: { ...about, seq: 7, fileIds: [], mentions: [BORIS], formerBody, keptFiles: [picture] },
    });
    given([])
      .when(deleting(ANNA, true))
      .thenOnce([keeping('Hello')]);
    given([edited('Hi', [BORIS])])
      .when(deleting(ANNA, true))
      .then([keeping('Hi')]);
  });
});

describe('what a person does with a thread for themselves', () => {
  const given = specification(threadMember);
  const own = { threadId: THREAD, accountId: ANNA };

  it('reads on and never back', () => {
    const read = (upToSeq: number) => ({ type: 'ThreadRead', data: { ...own, upToSeq } }) as const;
    given([])
      .when({ type: 'ReadThread', ...own, upToSeq: 5 })
      .thenOnce([read(5)]);
    given([read(5)])
      .when({ type: 'ReadThread', ...own, upToSeq: 4 })
      .then([]);
  });

  it('sets what differs', () => {
    const changes = { pinned: true, muted: false };
    given([])
      .when({ type: 'ChangePreferences', ...own, changes })
      .thenOnce([{ type: 'ThreadPreferencesChanged', data: { ...own, pinned: true } }]);
  });

  it('hides it up to a message, and shows it again', () => {
    const hidden = (upToSeq: number) => ({ type: 'ThreadHidden', data: { ...own, upToSeq } }) as const;
    given([])
      .when({ type: 'HideThread', ...own, upToSeq: 0 })
      .thenOnce([hidden(0)]);
    given([hidden(0)])
      .when({ type: 'HideThread', ...own, upToSeq: 3 })
      .then([hidden(3)]);
    given([hidden(3)])
      .when({ type: 'ShowThread', ...own })
      .thenOnce([{ type: 'ThreadShown', data: own }]);
    given([])
      .when({ type: 'ShowThread', ...own })
      .then([]);
  });
});
