/** What is decided about threads: who joins, leaves and writes. */
import { describe, expect, it } from 'vitest';
import { type SendMessage, thread } from '../../domain/chat/thread.ts';
import { MAX_MEMBERS, type MessageSent, type ThreadEvent } from '../../domain/chat/threadEvents.ts';
import type { FileFacts } from '../../domain/files/file.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { specification } from '../kit/given.ts';

const given = specification(thread);
const [ANNA, BORIS, VERA, AGENT] = [id(1), id(2), id(3), id(9)];
const started = (type: 'p2p' | 'group' | 'support', memberIds: string[]): ThreadEvent => ({
  type: 'ThreadStarted',
  data: { type, startedBy: ANNA, memberIds, title: type === 'group' ? 'Ski' : null },
});
const group = started('group', [ANNA, BORIS]);
const p2p = started('p2p', [ANNA, BORIS]);
const support = started('support', [ANNA]);
const send = (senderId: string, more: Partial<SendMessage> = {}): SendMessage => ({
  type: 'SendMessage',
  messageId: id(50),
  senderId,
  kind: 'text',
  body: 'Hello',
  replyTo: null,
  mentions: [],
  attachments: [],
  clientMessageId: null,
  isAgent: false,
  wasSought: true,
  ...more,
});
const sent = (senderId: string, more: Partial<MessageSent> = {}): ThreadEvent => ({
  type: 'MessageSent',
  data: {
    messageId: id(50),
    seq: 1,
    threadType: 'group',
    senderId,
    kind: 'text',
    body: 'Hello',
    replyTo: null,
    mentions: [],
    attachments: [],
    parties: [],
    clientMessageId: null,
    ...more,
  },
});
const left = (accountId: string): ThreadEvent => ({ type: 'MemberLeft', data: { accountId, leftAt: AT } });

const AT = '2027-01-10T10:00:00.000Z';

describe('a start', () => {
  it('makes one thread, and whoever starts a group is its admin', () => {
    const { type, ...data } = { type: 'StartThread', threadType: 'group', by: ANNA, memberIds: [ANNA, BORIS] } as const;
    given([])
      .when({ type, ...data, title: 'Ski' })
      .thenOnce([group]);
    expect(given([group]).state).toMatchObject({
      members: [
        { id: ANNA, role: 'admin', joinedSeq: 0, wroteSeq: 0 },
        { id: BORIS, role: 'member', joinedSeq: 0, wroteSeq: 0 },
      ],
    });
    expect(given([p2p]).state).toMatchObject({ members: [{ role: 'member' }, { role: 'member' }] });
  });
});

describe('a message', () => {
  it('gets the next number, once for its id', () => {
    given([group])
      .when(send(BORIS))
      .thenOnce([sent(BORIS)]);
    given([group, sent(BORIS)])
      .when(send(ANNA, { messageId: id(51) }))
      .then([sent(ANNA, { messageId: id(51), seq: 2 })]);
  });

  it('names the people of a p2p or support thread, who are told on their own channels', () => {
    given([p2p])
      .when(send(ANNA))
      .then([sent(ANNA, { threadType: 'p2p', parties: [ANNA, BORIS] })]);
    given([support])
      .when(send(ANNA))
      .then([sent(ANNA, { threadType: 'support', parties: [ANNA] })]);
  });

  it('is refused from who is not a member, or no longer', () => {
    given([]).when(send(ANNA)).then('not_found');
    given([group]).when(send(VERA)).then('not_found');
    given([group, left(BORIS)])
      .when(send(BORIS))
      .then('not_found');
    given([group, { type: 'MemberRemoved', data: { accountId: BORIS, by: ANNA } }])
      .when(send(BORIS))
      .then('not_found');
  });

  it('of an agent is taken in threads with the support only', () => {
    given([support])
      .when(send(AGENT, { isAgent: true }))
      .then([sent(AGENT, { threadType: 'support', parties: [ANNA] })]);
    given([support]).when(send(AGENT)).then('not_found');
    for (const other of [p2p, group])
      given([other])
        .when(send(AGENT, { isAgent: true }))
        .then('not_found');
  });

  it('mentions members only', () => {
    given([group])
      .when(send(ANNA, { mentions: [BORIS] }))
      .then([sent(ANNA, { mentions: [BORIS] })]);
    given([group])
      .when(send(ANNA, { mentions: [BORIS, VERA] }))
      .then('invalid');
  });

  const file = (mime: FileFacts['mime'], n = 70): FileFacts => ({
    fileId: id(n),
    folder: 'chat',
    mime,
    size: 9,
    width: null,
    height: null,
    durationS: null,
    thumbnailSize: null,
  });
  const [picture, recording, pdf] = [file('image/jpeg'), file('audio/ogg', 71), file('application/pdf', 72)];

  it.each([
    ['text', ' \n', [], 'refused'],
    ['text', 'Look', [pdf], 'sent'],
    ['text', '', [pdf], 'sent'],
    ['image', '', [picture, picture], 'sent'],
    ['image', 'Look', [], 'refused'],
    ['image', '', [picture, pdf], 'refused'],
    ['voice', '', [recording], 'sent'],
    ['voice', '', [recording, recording], 'refused'],
    ['voice', 'Look', [picture], 'refused'],
  ] as const)('of the kind %s with the text "%s" and files %j is %s', (kind, body, files, outcome) => {
    const what = { kind, body, attachments: [...files] };
    const when = given([group]).when(send(ANNA, what));
    when.then(outcome === 'sent' ? [sent(ANNA, what)] : 'invalid');
  });

  it('leaves a state that does not grow with the number of messages', () => {
    const many = Array.from({ length: 1_000 }, (_, n) => sent(ANNA, { messageId: id(100 + n), seq: n + 1 }));
    const { state } = given([group, ...many]);
    expect(state).toMatchObject({ lastSeq: 1_000 });
    expect(JSON.stringify(state).length).toBeLessThan(15_000);
    expect(JSON.stringify(state)).not.toContain('Hello');
  });
});

describe('a group', () => {
  const admin = { accountId: BORIS, role: 'admin' } as const;
  const add = (accountId: string, by = ANNA) => ({ type: 'AddMember', accountId, by, at: AT }) as const;
  const remove = (accountId: string, by = ANNA) => ({ type: 'RemoveMember', accountId, by, at: AT }) as const;

  it('gets members from its admins, who see what comes after as unread', () => {
    const added: ThreadEvent = { type: 'MemberAdded', data: { accountId: VERA, by: ANNA, afterSeq: 1 } };
    given([group, sent(ANNA)])
      .when(add(VERA))
      .thenOnce([added]);
    given([group]).when(add(VERA, BORIS)).then('forbidden');
    given([group])
      .when(add(id(7), VERA))
      .then('not_found');
    given([p2p]).when(add(VERA)).then('invalid');
    const full = started(
      'group',
      Array.from({ length: MAX_MEMBERS }, (_, n) => id(n + 1)),
    );
    given([full])
      .when(add(id(999)))
      .then('conflict');
  });

  it('loses members, by themselves or by an admin', () => {
    given([group])
      .when({ type: 'LeaveThread', accountId: BORIS, at: AT })
      .thenOnce([left(BORIS)]);
    given([group])
      .when(remove(BORIS))
      .thenOnce([{ type: 'MemberRemoved', data: { accountId: BORIS, by: ANNA } }]);
    given([group]).when(remove(ANNA, BORIS)).then('forbidden');
    given([p2p]).when({ type: 'LeaveThread', accountId: ANNA, at: AT }).then('invalid');
    given([]).when({ type: 'LeaveThread', accountId: ANNA, at: AT }).then('not_found');
  });

  it('does not get back for a week who has left it; who was removed can be added again', () => {
    const added: ThreadEvent = { type: 'MemberAdded', data: { accountId: BORIS, by: ANNA, afterSeq: 0 } };
    const gone = left(BORIS);
    given([group, gone]).when(add(BORIS)).then('forbidden');
    given([group, gone])
      .when({ ...add(BORIS), at: '2027-01-17T09:59:59.999Z' })
      .then('forbidden');
    given([group, gone])
      .when({ ...add(BORIS), at: '2027-01-17T10:00:00.000Z' })
      .then([added]);
    given([group, { type: 'MemberRemoved', data: { accountId: BORIS, by: ANNA } }])
      .when(add(BORIS))
      .then([added]);
    // Events of before do not say when.
    given([group, { type: 'MemberLeft', data: { accountId: BORIS } }])
      .when(add(BORIS))
      .then([added]);
  });

  it('keeps an admin: the first member follows the last one', () => {
    const follows: ThreadEvent = { type: 'MemberRoleChanged', data: admin };
    given([group])
      .when({ type: 'LeaveThread', accountId: ANNA, at: AT })
      .thenOnce([left(ANNA), follows]);
    given([group])
      .when(remove(ANNA))
      .then([left(ANNA), follows]);
    given([group, follows])
      .when({ type: 'LeaveThread', accountId: ANNA, at: AT })
      .then([left(ANNA)]);
    given([group, left(BORIS)])
      .when({ type: 'LeaveThread', accountId: ANNA, at: AT })
      .then([left(ANNA)]);
    const demote = { type: 'ChangeMemberRole', accountId: ANNA, role: 'member', by: ANNA } as const;
    given([group]).when(demote).then('conflict');
    given([group, follows])
      .when(demote)
      .thenOnce([{ type: 'MemberRoleChanged', data: { accountId: ANNA, role: 'member' } }]);
    given([group])
      .when({ ...demote, accountId: VERA })
      .then('not_found');
  });

  it('is renamed by its admins, once for each request', () => {
    const { type, ...data } = { type: 'RenameThread', renameId: id(60), title: 'Snow', by: ANNA } as const;
    given([group])
      .when({ type, ...data })
      .thenOnce([{ type: 'ThreadRenamed', data }]);
    given([group])
      .when({ type, ...data, by: BORIS })
      .then('forbidden');
  });
});
