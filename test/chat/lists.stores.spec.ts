/** Lists of somebody's chats: which are in them, in which order, and what a page costs. */
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ThreadType } from '../../domain/chat/threadEvents.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { inTransaction, type Pool } from '../../infra/postgres.ts';
import { chatActivity, type ListedChat, listedChats } from '../../projections/chat/chatActivity.ts';
import { listChats } from '../../projections/chat/chats.ts';
import { messages } from '../../projections/chat/messages.ts';
import { threads } from '../../projections/chat/threads.ts';
import { applyAtOnce, shareOut } from '../../projections/engine/applyEvents.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import { ensureTables } from '../../projections/engine/tableVersions.ts';
import { groups } from '../../projections/modules.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { blocksRead } from '../kit/blocksRead.ts';
import { happened } from '../kit/projected.ts';
import { freshStores } from '../kit/stores.ts';

let pool: Pool;
beforeAll(async () => {
  ({ pool } = await freshStores());
  await ensureTables(pool, groups);
});
beforeEach(() => pool.query('truncate read.threads, read.messages, read.chat_activity, read.participants'));

const [ANNA, BORIS, VERA] = [id(1), id(2), id(3)];
const models = [threads, chatActivity, messages];
const apply = (events: readonly Recorded[]) =>
  inTransaction(pool, async (client) => {
    const shareOf = shareOut(models, events);
    for (const model of models) await applyAtOnce(client, { model, table: model.name }, shareOf(model), new Map());
  });

const types = ['p2p', 'p2p', 'p2p', 'support', 'group', 'group', 'group'] as const;
const asked = [undefined, 'p2p', 'support', 'group'].flatMap((type) =>
  [undefined, true, false].map((archived) => ({
    types: type ? [type as ThreadType] : (['p2p', 'support', 'group'] as const),
    archived: archived === undefined ? [true, false] : [archived],
  })),
);

/** A chat of Anna, as its events say. */
interface Known {
  readonly id: string;
  readonly type: ThreadType;
  lastSeq: number;
  activeAt: string;
  isMember: boolean;
  pinned: boolean;
  archived: boolean;
  hiddenUpTo: number | null;
}

const steps = fc.record({
  chat: fc.nat(types.length - 1),
  what: fc.constantFrom('message', 'message', 'hide', 'hide late', 'show', 'pin', 'archive', 'go', 'come'),
  isOn: fc.boolean(),
});
type Step = typeof steps extends fc.Arbitrary<infer S> ? S : never;

/** What happens in the chats of Anna, a second after each other, and what is known of each then. */
const history = (steps: readonly Step[]) => {
  let messagesSent = 0;
  const events: Recorded[] = [];
  const now = () => new Date(Date.UTC(2027, 0, 1) + events.length * 1_000).toISOString();
  const add = (category: string, stream: string, event: { readonly type: string; readonly data: object }) =>
    events.push(happened(category, stream, event, now()));
  const chats: Known[] = types.map((type, n) => ({
    ...{ id: id(100 + n), type, lastSeq: 0, activeAt: '', isMember: true, pinned: false, archived: false },
    hiddenUpTo: null,
  }));
  for (const chat of chats) {
    const memberIds = chat.type === 'support' ? [ANNA] : [ANNA, BORIS];
    chat.activeAt = now();
    add('thread', chat.id, {
      type: 'ThreadStarted',
      data: { type: chat.type, startedBy: BORIS, memberIds, title: null },
    });
  }
  const own = (chat: Known, type: string, more: object) =>
    add('threadMember', id(90), { type, data: { threadId: chat.id, accountId: ANNA, ...more } });
  for (const { chat: nth, what, isOn } of steps) {
    const chat = chats[nth] as Known;
    if (what === 'message') {
      messagesSent += 1;
      chat.lastSeq += 1;
      chat.activeAt = now();
      const parties = { p2p: [ANNA, BORIS], support: [ANNA], group: [] }[chat.type];
      const of = { messageId: id(1_000 + messagesSent), seq: chat.lastSeq, threadType: chat.type, senderId: BORIS };
      const said = { kind: 'text', body: 'Snow', replyTo: null, mentions: [], attachments: [], clientMessageId: null };
      add('thread', chat.id, { type: 'MessageSent', data: { ...of, ...said, parties } });
    } else if (what === 'hide' || what === 'hide late') {
      // Late: a message came between what they saw and what was recorded.
      chat.hiddenUpTo = Math.max(0, chat.lastSeq - (what === 'hide late' ? 1 : 0));
      own(chat, 'ThreadHidden', { upToSeq: chat.hiddenUpTo });
    } else if (what === 'show') {
      chat.hiddenUpTo = null;
      own(chat, 'ThreadShown', {});
    } else if (what === 'pin' || what === 'archive') {
      const changed = what === 'pin' ? { pinned: isOn } : { archived: isOn };
      Object.assign(chat, changed);
      own(chat, 'ThreadPreferencesChanged', changed);
    } else if (chat.type === 'group' && chat.isMember === (what === 'go')) {
      chat.isMember = what === 'come';
      if (chat.isMember) {
        const data = { accountId: ANNA, by: BORIS, afterSeq: chat.lastSeq };
        add('thread', chat.id, { type: 'MemberAdded', data });
      } else if (isOn) add('thread', chat.id, { type: 'MemberLeft', data: { accountId: ANNA } });
      else add('thread', chat.id, { type: 'MemberRemoved', data: { accountId: ANNA, by: BORIS } });
    }
  }
  return { events, chats };
};

const inOrder = (a: Known, b: Known): number =>
  Number(b.pinned) - Number(a.pinned) || b.activeAt.localeCompare(a.activeAt) || a.id.localeCompare(b.id);

it('a list has on its pages the chats that are not hidden, pinned ones first, then by their newest message', async () => {
  const check = async (taken: readonly Step[]) => {
    await pool.query('truncate read.threads, read.messages, read.chat_activity');
    const { events, chats } = history(taken);
    await apply(events);
    for (const of of asked) {
      const expected = chats
        .filter(({ isMember, hiddenUpTo, lastSeq }) => isMember && (hiddenUpTo === null || lastSeq > hiddenUpTo))
        .filter(({ type, archived }) => of.types.includes(type as never) && of.archived.includes(archived))
        .toSorted(inOrder)
        .map(({ id, pinned, activeAt }) => ({ id, pinned, active_at: activeAt }));
      const shown: ListedChat[] = [];
      for (const page of [1, 2, 3, 4]) {
        const { rows, total } = await listedChats(readDb(pool), ANNA, of, { page, perPage: 2 });
        expect(total).toEqual({ count: expected.length, isAtLeast: false });
        shown.push(...rows);
      }
      expect(shown).toEqual(expected);
    }
    expect(
      (await listedChats(readDb(pool), VERA, { types, archived: [true, false] }, { page: 1, perPage: 2 })).rows,
    ).toEqual([]);
  };
  await fc.assert(fc.asyncProperty(fc.array(steps, { maxLength: 40 }), check), { numRuns: 40 });
});

/** Chats of Anna with others, each with a message, a second apart. Of three, one is archived and one hidden. */
const addChats = (from: number, to: number) =>
  pool.query(
    `with made as materialized (
       select n, md5('chat' || n)::uuid as id, '2026-01-01Z'::timestamptz + n * interval '1 second' as at
       from generate_series($1::int, $2::int) as n
     ), of_threads as (
       insert into read.threads (id, type, created_by, titled_by, created_at)
       select id, 'p2p', $3, $3, at from made
     ), of_people as (
       insert into read.participants (thread_id, account_id, role, joined_at, joined_seq, last_read_seq, thread_type,
         has_written, is_friend, is_member, blocks)
       select id, $3, 'member', at, 0, 0, 'p2p', true, false, true, 0 from made
     ), of_messages as (
       insert into read.messages (id, thread_id, seq, sender_id, kind, body, mentions, sent_at, parties, attachments)
       select gen_random_uuid(), id, 1, $4, 'text', 'Snow', '{}', at, '{}', '[]' from made
     )
     insert into read.chat_activity (thread_id, account_id, thread_type, is_member, pinned, archived, hidden_up_to, last_seq,
       active_at, is_listed)
     select id, $3, 'p2p', true, n % 50 = 0, n % 3 = 1, case when n % 3 = 2 then 1 end, 1, at, n % 3 <> 2 from made`,
    [from, to, ANNA, BORIS],
  );

describe('a page of chats with one other person', () => {
  it.each([
    ['all', {}],
    ['archived ones', { archived: true }],
    ['those that are not archived', { archived: false, type: 'p2p' }],
  ] as const)('costs what it shows, however many chats there are: %s', async (_, filter) => {
    const cost = async () => {
      for (const table of ['chat_activity', 'threads', 'participants', 'messages'])
        await pool.query(`vacuum analyze read.${table}`);
      return blocksRead(pool, async (db) => {
        expect((await listChats(db, ANNA, { ...filter, page: 1, perPage: 20 })).rows.length).toBe(20);
      });
    };
    await addChats(1, 3_000);
    const few = await cost();
    await addChats(3_001, 30_000);
    expect(await cost()).toBeLessThan(few * 1.3 + 60);
  });
});

/** Messages of Boris in the first chat, of which every tenth mentions Anna. */
const addMessages = async (from: number, to: number): Promise<void> => {
  await pool.query(
    `insert into read.messages (id, thread_id, seq, sender_id, kind, body, mentions, sent_at, parties, attachments)
     select gen_random_uuid(), md5('chat1')::uuid, n, $4, 'text', 'Snow',
       case when n % 10 = 0 then array[$3::uuid] else '{}' end, now(), '{}', '[]' from generate_series($1::int, $2::int) as n`,
    [from, to, ANNA, BORIS],
  );
  await pool.query('vacuum analyze read.messages');
};

it('unread messages are counted up to a thousand, and cost no more where there are more', async () => {
  await addChats(1, 1);
  const list = (db = readDb(pool)) => listChats(db, ANNA, { page: 1, perPage: 20 });
  const unread = async () =>
    (await list()).rows.map((row) => row.toJSON()).map((row) => [row.unread_count, row.mention_count]);
  await addMessages(2, 30);
  expect(await unread()).toEqual([[30, 3]]);
  await addMessages(31, 2_000);
  expect(await unread()).toEqual([[1_000, 100]]);
  const few = await blocksRead(pool, list);
  await addMessages(2_001, 20_000);
  expect(await blocksRead(pool, list)).toBeLessThan(few * 1.34 + 10);
});
