/** What the read models of chat make of events, and who is told. */
import { expect, it } from 'vitest';
import { p2pThreadId } from '../../commands/chat/threads.ts';
import type { MessageSent } from '../../domain/chat/threadEvents.ts';
import { addMs, DAY_MS } from '../../domain/core/instants.ts';
import { ERASED } from '../../domain/core/schema.ts';
import { EVIDENCE_DAYS } from '../../domain/files/evidence.ts';
import type { FriendshipEvent } from '../../domain/friends/friendship.ts';
import { toSnake } from '../../infra/naming.ts';
import { historyOf, messageEdits } from '../../projections/chat/messageEdits.ts';
import { type MessageRow, messages, showMessage } from '../../projections/chat/messages.ts';
import { memberName, participants } from '../../projections/chat/participants.ts';
import { threadPreferences } from '../../projections/chat/preferences.ts';
import { threads } from '../../projections/chat/threads.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { emptyDb, happened, projection, toldOn } from '../kit/projected.ts';
import { factsOfPicture } from './chatFixtures.ts';

const [ANNA, BORIS, VERA, THREAD, MESSAGE] = [id(1), id(2), id(3), id(10), id(50)];
const AT = '2027-01-01T10:00:00.000Z';
const LATER = '2027-01-01T11:00:00.000Z';
const inThread = <E extends { type: string; data: object }>(event: E, at = AT) => happened('thread', THREAD, event, at);
const ofMessage = <E extends { type: string; data: object }>(event: E) => happened('message', MESSAGE, event, LATER);
const ofMember = <E extends { type: string; data: object }>(event: E) => happened('threadMember', id(40), event, AT);

const started = inThread({
  type: 'ThreadStarted',
  data: { type: 'group', startedBy: ANNA, memberIds: [ANNA, BORIS], title: 'Ski' },
} as const);
const sent = (more: Partial<MessageSent> = {}) =>
  inThread({
    type: 'MessageSent',
    data: {
      messageId: MESSAGE,
      seq: 7,
      threadType: 'group',
      senderId: ANNA,
      kind: 'text',
      body: 'Hello',
      replyTo: { id: id(49), seq: 3 },
      mentions: [BORIS],
      attachments: [],
      parties: [],
      clientMessageId: 'mine',
      ...more,
    } satisfies MessageSent,
  } as const);

const rowsOfThreads = projection(threads);
it('a thread has the title that was given last', () => {
  const renamed = inThread({ type: 'ThreadRenamed', data: { renameId: id(60), by: BORIS, title: 'Snow' } } as const);
  const [row] = rowsOfThreads([started, renamed]);
  expect(row).toEqual({
    id: THREAD,
    type: 'group',
    title: 'Snow',
    titled_by: BORIS,
    created_by: ANNA,
    created_at: AT,
  });
  expect(toldOn(threads, row ?? {})).toEqual([`chat_${THREAD}`]);
  expect(threads.wire.of({ ...(row as object), title: ERASED }, 'guest')).toMatchObject({ title: null });
});

const rowsOfParticipants = projection(participants);
it('participants are told on the channel of the thread while they are members, and on their own', () => {
  const rows = rowsOfParticipants([
    started,
    inThread({ type: 'MemberAdded', data: { accountId: VERA, by: ANNA, afterSeq: 5 } } as const, LATER),
    inThread({ type: 'MemberRoleChanged', data: { accountId: BORIS, role: 'admin' } } as const),
    ofMember({ type: 'ThreadRead', data: { threadId: THREAD, accountId: BORIS, upToSeq: 4 } } as const),
    ofMember({ type: 'ThreadRead', data: { threadId: THREAD, accountId: VERA, upToSeq: 3 } } as const),
    inThread({ type: 'MemberLeft', data: { accountId: ANNA } } as const),
  ]);
  expect(rows).toMatchObject([
    { account_id: ANNA, role: 'admin', is_member: false },
    { account_id: BORIS, role: 'admin', is_member: true, last_read_seq: 4 },
    { account_id: VERA, role: 'member', is_member: true, last_read_seq: 5, joined_seq: 5, joined_at: LATER },
  ]);
  expect(rows.map((row) => toldOn(participants, row))).toEqual([
    [],
    [`chat_${THREAD}`, `realtime:user_${BORIS}`],
    [`chat_${THREAD}`, `realtime:user_${VERA}`],
  ]);
  expect(rows.map((row) => participants.publishTo[0]?.memberOf?.(row))).toEqual([null, BORIS, VERA]);
  const removed = inThread({ type: 'MemberRemoved', data: { accountId: BORIS, by: ANNA } } as const);
  expect(rowsOfParticipants([started, removed])[1]).toMatchObject({ is_member: false });
});

it('two people follow their thread live while neither has blocked the other', () => {
  const thread = p2pThreadId(ANNA, BORIS);
  const ofPair = (type: 'PersonBlocked' | 'PersonUnblocked', by: string, other: string) =>
    happened('friendship', id(60), { type, data: { by, other } } as FriendshipEvent, AT);
  const begun = happened(
    'thread',
    thread,
    {
      type: 'ThreadStarted',
      data: { type: 'p2p', startedBy: ANNA, memberIds: [ANNA, BORIS], title: null },
    } as const,
    AT,
  );
  const following = (...events: Parameters<typeof rowsOfParticipants>[0]) =>
    rowsOfParticipants(events).map((row) => participants.publishTo[0]?.memberOf?.(row));
  const [byAnna, byBoris] = [ofPair('PersonBlocked', ANNA, BORIS), ofPair('PersonBlocked', BORIS, ANNA)];
  expect(following(byAnna)).toEqual([]);
  expect(following(begun, ofPair('PersonBlocked', ANNA, VERA))).toEqual([ANNA, BORIS]);
  expect(following(begun, byAnna)).toEqual([null, null]);
  const free = ofPair('PersonUnblocked', ANNA, BORIS);
  expect(following(begun, byAnna, byBoris, free)).toEqual([null, null]);
  expect(following(begun, byAnna, free)).toEqual([ANNA, BORIS]);
});

const rowsOfPreferences = projection(threadPreferences);
it('who has written is named in full and has read what was before; agents of the support are no members', () => {
  const [anna, boris] = rowsOfParticipants([started, sent({ seq: 7 })]);
  expect(anna).toMatchObject({ account_id: ANNA, has_written: true, last_read_seq: 7 });
  expect(boris).toMatchObject({ account_id: BORIS, has_written: false, last_read_seq: 0 });
  const name = { full: 'Anna Orlova', short: 'Anna O.', isErased: false };
  expect([anna, boris].map((row) => memberName(row as never, name))).toEqual(['Anna Orlova', 'Anna O.']);
  expect(rowsOfParticipants([started, sent({ senderId: VERA })])).toHaveLength(2);
});

it('friends name each other in full in the thread of the two, as long as they are friends', () => {
  const thread = p2pThreadId(ANNA, BORIS);
  const begun = (areFriends?: boolean) =>
    happened(
      'thread',
      thread,
      {
        type: 'ThreadStarted',
        data: {
          ...{ type: 'p2p', startedBy: ANNA, memberIds: [ANNA, BORIS], title: null },
          ...(areFriends !== undefined && { areFriends }),
        },
      } as const,
      AT,
    );
  const pair = <T extends FriendshipEvent['type']>(type: T) =>
    happened('friendship', id(41), { type, data: { by: ANNA, other: BORIS } } as const, LATER) as never;
  const areFriends = (...events: never[]) => rowsOfParticipants(events).map(({ is_friend }) => is_friend);
  expect(areFriends(begun(true) as never)).toEqual([true, true]);
  expect(areFriends(begun() as never)).toEqual([false, false]);
  expect(areFriends(begun(false) as never, pair('FriendAccepted'))).toEqual([true, true]);
  expect(areFriends(begun(true) as never, pair('FriendRemoved'))).toEqual([false, false]);
  expect(areFriends(begun(true) as never, pair('PersonBlocked'))).toEqual([false, false]);
  expect(areFriends(pair('FriendAccepted'))).toEqual([]);
});

it('preferences are told to their person only', () => {
  const own = { threadId: THREAD, accountId: ANNA };
  const rows = rowsOfPreferences([
    ofMember({ type: 'ThreadHidden', data: { ...own, upToSeq: 3 } } as const),
    ofMember({ type: 'ThreadPreferencesChanged', data: { ...own, pinned: true } } as const),
    ofMember({ type: 'ThreadShown', data: own } as const),
  ]);
  expect(rows).toEqual([
    { thread_id: THREAD, account_id: ANNA, pinned: true, muted: false, archived: false, hidden_up_to: null },
  ]);
  expect(toldOn(threadPreferences, rows[0] ?? {})).toEqual([`realtime:user_${ANNA}`]);
});

const rowsOfMessages = projection(messages);
it('a message is told to its thread, to the two of a p2p thread and to whom it mentions', () => {
  const [row] = rowsOfMessages([sent()]);
  expect(row).toMatchObject({ id: MESSAGE, thread_id: THREAD, seq: 7, reply_to_seq: 3, deletion: null, sent_at: AT });
  expect(toldOn(messages, row ?? {})).toEqual([`chat_${THREAD}`, `realtime:user_${BORIS}`]);
  const [ofTwo] = rowsOfMessages([sent({ parties: [ANNA, BORIS], mentions: [], replyTo: null })]);
  expect(toldOn(messages, ofTwo ?? {})).toEqual([`chat_${THREAD}`, `realtime:user_${ANNA}`, `realtime:user_${BORIS}`]);
});

it('a message is edited, and a deleted one keeps its number and mentions nobody', () => {
  const about = { threadId: THREAD, senderId: ANNA };
  const data = { ...about, body: 'Hi', mentions: [VERA], formerBody: 'Hello' };
  const edited = ofMessage({ type: 'MessageEdited', data } as const);
  const [row] = rowsOfMessages([sent(), edited]);
  expect(row).toMatchObject({ body: 'Hi', mentions: [VERA], edited_at: LATER });
  const gone = { seq: 7, body: null, mentions: [] };
  const deleted = ofMessage({ type: 'MessageDeleted', data: { ...about, fileIds: [] } } as const);
  expect(rowsOfMessages([sent(), deleted])).toMatchObject([{ ...gone, deletion: 'author' }]);
  const removed = ofMessage({ type: 'MessageRemoved', data: { ...about, fileIds: [], by: VERA } } as const);
  expect(rowsOfMessages([sent(), removed])).toMatchObject([{ ...gone, deletion: 'moderator' }]);
  const [before] = rowsOfMessages([sent()]);
  for (const event of [edited, deleted, removed])
    for (const { withdraws } of messages.publishTo)
      expect(withdraws?.(before ?? {}, rowsOfMessages([sent(), event])[0] ?? {})).toMatchObject({
        body: null,
        mentions: [],
      });
  const back = { ...about, seq: 7, body: 'Hello', mentions: [VERA], attachments: [factsOfPicture(id(80))] };
  expect(rowsOfMessages([sent(), removed, ofMessage({ type: 'MessageRestored', data: back } as const)])).toMatchObject([
    { seq: 7, body: 'Hello', mentions: [VERA], attachments: toSnake(back.attachments), deletion: null },
  ]);
  expect(messages.wire.of({ ...(row as object), body: ERASED }, 'guest')).toMatchObject({
    body: null,
    mentions: [],
    deletion: 'erased',
  });
});

const rowsOfEdits = projection(messageEdits);
it('the former texts of a message are kept until it is deleted', () => {
  const about = { threadId: THREAD, senderId: ANNA };
  const edit = (body: string, formerBody: string) =>
    ofMessage({ type: 'MessageEdited', data: { ...about, body, formerBody, mentions: [] } } as const);
  const edits = [edit('Hi', 'Hello'), edit('Hey', 'Hi')];
  expect(rowsOfEdits(edits)).toEqual([
    {
      id: MESSAGE,
      sender_id: ANNA,
      former: [
        { body: 'Hello', replaced_at: LATER },
        { body: 'Hi', replaced_at: LATER },
      ],
      kept_files: [],
      kept_until: null,
      is_kept: false,
      removal_reason: null,
    },
  ]);
  const deleted = ofMessage({ type: 'MessageDeleted', data: { ...about, fileIds: [] } } as const);
  const removed = ofMessage({ type: 'MessageRemoved', data: { ...about, fileIds: [], by: VERA } } as const);
  for (const gone of [deleted, removed]) expect(rowsOfEdits([...edits, gone])).toEqual([]);
});

it('what a message said is kept when its sender deletes it while it is reported', () => {
  const data = { threadId: THREAD, senderId: ANNA, fileIds: [], formerBody: 'Hello' };
  const deleted = ofMessage({ type: 'MessageDeleted', data } as const);
  const former = [{ body: 'Hello', replaced_at: LATER }];
  const kept = { id: MESSAGE, sender_id: ANNA, former, is_kept: true, removal_reason: null };
  expect(rowsOfEdits([deleted])).toEqual([{ ...kept, kept_files: [], kept_until: null }]);
  const keptFiles = [factsOfPicture(id(80))];
  const withFiles = ofMessage({ type: 'MessageDeleted', data: { ...data, keptFiles } } as const);
  const files = { kept_files: toSnake(keptFiles), kept_until: addMs(LATER, EVIDENCE_DAYS * DAY_MS) };
  expect(rowsOfEdits([withFiles])).toEqual([{ ...kept, ...files }]);
  expect(rowsOfMessages([sent(), deleted])).toMatchObject([{ body: null, deletion: 'author' }]);
});

it('what a message said is kept when a moderator removes it, until it comes back or the evidence ends', () => {
  const keptFiles = [factsOfPicture(id(80))];
  const data = { threadId: THREAD, senderId: ANNA, fileIds: [], by: VERA, reason: 'Rude' };
  const removed = ofMessage({ type: 'MessageRemoved', data: { ...data, formerBody: 'Hello', keptFiles } } as const);
  const [row] = rowsOfEdits([removed]);
  expect(row).toMatchObject({ removal_reason: 'Rude', is_kept: true, kept_files: toSnake(keptFiles) });
  expect(row).toMatchObject({ former: [{ body: 'Hello', replaced_at: LATER }] });
  const back = { threadId: THREAD, senderId: ANNA, seq: 7, body: 'Hello', mentions: [], attachments: keptFiles };
  const restored = ofMessage({ type: 'MessageRestored', data: back } as const);
  expect(rowsOfEdits([removed, restored])).toMatchObject([{ former: [], kept_files: [], removal_reason: null }]);
  const ended = (subjectId: string) =>
    happened(
      'evidence',
      id(70),
      { type: 'EvidenceEnded', data: { subject: { kind: 'message', id: subjectId, within: THREAD } } } as const,
      LATER,
    );
  expect(rowsOfEdits([removed, ended(MESSAGE)])).toEqual([]);
  expect(rowsOfEdits([removed, restored, ended(MESSAGE)])).toHaveLength(1);
  expect(rowsOfEdits([removed, ended(id(71))])).toHaveLength(1);
});

it('a message that is deleted, or of an erased sender, has no history', async () => {
  const [row] = rowsOfMessages([sent()]) as [MessageRow];
  const versionsOf = async (change: Partial<MessageRow>, reader: 'author' | 'admin' = 'author') =>
    (await historyOf(emptyDb, { ...row, ...change }, reader, LATER)).versions;
  expect(await versionsOf({})).toEqual([{ body: 'Hello', written_at: AT }]);
  for (const reader of ['author', 'admin'] as const) {
    expect(await versionsOf({ body: null, deletion: 'author' }, reader)).toEqual([]);
    expect(await versionsOf({ body: ERASED }, reader)).toEqual([]);
  }
});

it('attachments are shown with links, and not once their sender was erased', async () => {
  const attachments = [factsOfPicture(id(80))];
  const [row] = rowsOfMessages([sent({ kind: 'image', attachments })]) as [MessageRow];
  const shown = async (of: MessageRow) => (await showMessage(emptyDb, of)).toJSON();
  expect((await shown(row)).attachments).toMatchObject([
    { id: id(80), mime: 'image/jpeg', size: 9, width: 4, url: expect.stringContaining(id(80)) },
  ]);
  expect(await shown({ ...row, body: ERASED })).toMatchObject({ attachments: [], body: null, deletion: 'erased' });
});
