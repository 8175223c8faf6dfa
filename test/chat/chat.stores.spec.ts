/** Chats on the real stores: simultaneous starts, numbers of messages, unread counts, pages while messages arrive. */

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { leaveGroups } from '../../commands/chat/groupMembers.ts';
import { leaveThread } from '../../commands/chat/leaving.ts';
import { deleteMessage, editMessage, type KnownMessage, sendMessage } from '../../commands/chat/messages.ts';
import { readThread } from '../../commands/chat/ownThreads.ts';
import { addMember, p2pThreadId, removeMember, startGroup, startP2p } from '../../commands/chat/threads.ts';
import { createAggregates } from '../../commands/core/handle.ts';
import { createSnapshots } from '../../commands/core/snapshots.ts';
import { thread } from '../../domain/chat/thread.ts';
import { addMs, DAY_MS } from '../../domain/core/instants.ts';
import { exactly } from '../../infra/paging.ts';
import { accounts } from '../../projections/accounts/accounts.ts';
import type { Chat } from '../../projections/chat/chats.ts';
import { chatFor, listChats } from '../../projections/chat/chats.ts';
import { pageOfMessages } from '../../projections/chat/messages.ts';
import { threads } from '../../projections/chat/threads.ts';
import { type ReadDb, readDb } from '../../projections/engine/readDb.ts';
import { lag } from '../../projections/engine/status.ts';
import { groups as allGroups } from '../../projections/modules.ts';
import { newPhone } from '../accounts/sms.ts';
import { contextOf } from '../kit/context.ts';
import { type Node, testDeps } from '../kit/deps.ts';
import { startProjector } from '../kit/projector.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { knownMessage } from './chatFixtures.ts';

const groups = allGroups.filter(({ models }) => [threads, accounts].some((model) => models.includes(model)));
let stores: Stores;
let nodes: Node[];
let db: ReadDb;
let people: string[];

const [first, second] = [0, 1].map((n) => () => nodes[n] as Node) as [() => Node, () => Node];
const by = (person: string) => contextOf(person);

beforeAll(async () => {
  stores = await freshStores();
  nodes = [testDeps(stores), testDeps(stores)];
  db = readDb(stores.pool);
  await startProjector({ ...first(), groups });
  people = await Promise.all(
    ['Anna', 'Boris', 'Vera', 'Gleb'].map(
      async (firstName) =>
        (await openAccount(first(), by(randomUUID()), { role: 'tourist', phone: newPhone(), firstName })).accountId,
    ),
  );
});

/** Also until the projector has begun. */
const projected = () =>
  until(async () => {
    const { events, consumers } = await lag(first(), groups);
    return events === 0 && consumers.every(({ holder }) => holder !== null);
  });
const person = (n: number): string => people[n] as string;
const chatOf = async (id: string, accountId: string): Promise<Chat | undefined> =>
  (await chatFor(db, id, { accountId, role: 'tourist' }))?.toJSON();
const textOf = (threadId: string, more: object = {}) => ({
  threadId,
  kind: 'text' as const,
  body: 'Hello',
  mentions: [],
  attachments: [],
  replyTo: null,
  clientMessageId: null,
  ...more,
});
const actor = (accountId: string) => ({ accountId, isAgent: false });

describe('two people', () => {
  it('who start a chat 20 times at once on two nodes have one', async () => {
    const starts = Array.from({ length: 20 }, (_, n) => {
      const [one, other] = n % 2 === 0 ? [person(0), person(1)] : [person(1), person(0)];
      return startP2p(n % 4 < 2 ? first() : second(), by(one), one, other);
    });
    const started = await Promise.all(starts);
    expect(new Set(started.map(({ threadId }) => threadId)).size).toBe(1);
    expect(started.filter(({ isNew }) => isNew)).toHaveLength(1);
    const events = await stores.store.read(`thread-${p2pThreadId(person(0), person(1))}`, { max: 50 });
    expect(events.map(({ type }) => type)).toEqual(['ThreadStarted']);
    await projected();
    expect((await listChats(db, person(0), { page: 1, perPage: 20 })).total).toEqual(exactly(1));
  });

  it('who write at once get numbers without gaps, and a repeated request is one message', async () => {
    const { threadId } = await startP2p(first(), by(person(2)), person(2), person(3));
    const clientMessageId = randomUUID();
    const sent = await Promise.all([
      ...Array.from({ length: 30 }, (_, n) =>
        sendMessage(n % 2 ? first() : second(), by(person(2 + (n % 2))), actor(person(2 + (n % 2))), textOf(threadId)),
      ),
      ...Array.from({ length: 5 }, (_, n) =>
        sendMessage(n % 2 ? first() : second(), by(person(2)), actor(person(2)), textOf(threadId, { clientMessageId })),
      ),
    ]);
    const numbers = sent.flatMap((one) => one?.seq ?? []).toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 31 }, (_, n) => n + 1));
    await projected();
    expect((await pageOfMessages(db, threadId, {}, 100)).rows.map(({ seq }) => seq)).toEqual(numbers);
  });
});

it('pages of messages stay the same while messages arrive', async () => {
  const { threadId } = await startGroup(first(), by(person(0)), person(0), { title: 'Pages', memberIds: [] });
  const write = async (count: number) => {
    for (let n = 0; n < count; n += 1) await sendMessage(first(), by(person(0)), actor(person(0)), textOf(threadId));
    await projected();
  };
  const seqs = async (cursor: object, limit = 4) => {
    const { rows, ...more } = await pageOfMessages(db, threadId, cursor, limit);
    return { seqs: rows.map(({ seq }) => seq), ...more };
  };
  expect(await seqs({})).toEqual({ seqs: [], before: null, after: null });
  await write(10);
  expect(await seqs({})).toEqual({ seqs: [7, 8, 9, 10], before: 7, after: null });
  const pages = {
    older: await seqs({ before: 7 }),
    around: await seqs({ around: 5 }),
    newer: await seqs({ after: 2 }),
  };
  expect(pages).toEqual({
    older: { seqs: [3, 4, 5, 6], before: 3, after: 6 },
    around: { seqs: [3, 4, 5, 6], before: 3, after: 6 },
    newer: { seqs: [3, 4, 5, 6], before: 3, after: 6 },
  });
  expect(await seqs({ around: 5 }, 1)).toEqual({ seqs: [5], before: 5, after: 5 });
  expect(await seqs({ around: 10 }, 5)).toEqual({ seqs: [8, 9, 10], before: 8, after: null });
  await write(3);
  expect(await seqs({ before: 7 })).toEqual(pages.older);
  expect(await seqs({ around: 5 })).toEqual(pages.around);
  expect(await seqs({ after: 10 })).toEqual({ seqs: [11, 12, 13], before: 11, after: null });
});

/** A group as a naive model: what each message is, and what each member has read. */
interface Known {
  readonly known: KnownMessage;
  readonly seq: number;
  mentions: readonly string[];
  isGone: boolean;
}
type Step = {
  readonly do: 'send' | 'mention' | 'edit' | 'delete' | 'read' | 'leave' | 'add';
  readonly who: number;
  readonly n: number;
};
const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom('send', 'send', 'mention', 'edit', 'delete', 'read', 'leave', 'add'),
  who: fc.nat(3),
  n: fc.nat(20),
});

it('unread counts equal those of a naive model, whatever happened', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }), async (steps) => {
      const node = first();
      const owner = person(0);
      const { threadId } = await startGroup(node, by(owner), owner, { title: 'Model', memberIds: people.slice(1) });
      const messages: Known[] = [];
      /** Member → up to where they have read. */
      const readers = new Map(people.map((id) => [id, 0]));
      const send = async (senderId: string, mentions: readonly string[]) => {
        const context = by(senderId);
        const sent = await sendMessage(node, context, actor(senderId), textOf(threadId, { mentions }));
        if (!sent) throw new Error('it was not sent before');
        const known = knownMessage(threadId, sent, context.at);
        messages.push({ known, seq: sent.seq, mentions, isGone: false });
        readers.set(senderId, sent.seq); // Who writes has read what was before.
      };
      for (const { do: what, who, n } of steps) {
        const id = person(who);
        const isMember = readers.has(id);
        const some = messages[n % Math.max(1, messages.length)];
        const target = person(n % 4);
        if (what === 'send' && isMember) await send(id, []);
        if (what === 'mention' && isMember && readers.has(target)) await send(id, [target]);
        if (what === 'edit' && some && !some.isGone && readers.has(some.known.of.authorId)) {
          const mentions = readers.has(target) ? [target] : [];
          const { authorId: senderId } = some.known.of;
          const facts = { ...some.known, mentions: some.mentions };
          await editMessage(node, by(senderId), actor(senderId), facts, { body: `Edited ${n}`, mentions });
          some.mentions = mentions;
        }
        if (what === 'delete' && some && !some.isGone) {
          await deleteMessage(node, by(some.known.of.authorId), actor(some.known.of.authorId), some.known);
          some.isGone = true;
        }
        if (what === 'read' && isMember && some) {
          await readThread(node, by(id), { threadId, accountId: id }, some.seq);
          readers.set(id, Math.max(readers.get(id) ?? 0, some.seq));
        }
        if (what === 'leave' && isMember && id !== owner) {
          if (n % 2) await leaveThread(node, by(id), { threadId, accountId: id });
          else await removeMember(node, by(owner), threadId, { by: owner, accountId: id });
          readers.delete(id);
        }
        if (what === 'add' && !isMember) {
          // Who has left comes back a week later at the earliest.
          const later = contextOf(owner, 'tourist', addMs(new Date().toISOString(), 8 * DAY_MS));
          await addMember(node, later, threadId, { by: owner, accountId: id });
          readers.set(id, messages.length);
        }
      }
      await projected();
      for (const id of people) {
        const readUpTo = readers.get(id);
        const unread = messages.filter(
          ({ seq, isGone, known }) => readUpTo !== undefined && seq > readUpTo && !isGone && known.of.authorId !== id,
        );
        const expected =
          readUpTo === undefined
            ? undefined
            : {
                unread_count: unread.length,
                mention_count: unread.filter(({ mentions }) => mentions.includes(id)).length,
              };
        const found = await chatOf(threadId, id);
        expect(found && { unread_count: found.unread_count, mention_count: found.mention_count }).toEqual(expected);
        const listed = (await listChats(db, id, { page: 1, perPage: 1 })).rows[0]?.toJSON();
        if (found) expect(listed).toMatchObject({ id: threadId, ...expected });
      }
    }),
    { numRuns: 6, endOnFailure: true },
  );
});

it('an erased person leaves their groups, which keep an admin', async () => {
  const memberIds = [person(1), person(2)];
  const { threadId } = await startGroup(first(), by(person(0)), person(0), { title: 'Left', memberIds });
  for (let repeated = 0; repeated < 2; repeated += 1) await leaveGroups(first(), by(person(0)), person(0));
  const { state } = await second().aggregates.load(thread, threadId);
  expect(state).toMatchObject({ members: [{ id: person(1), role: 'admin' }, { id: person(2) }] });
  await leaveGroups(first(), by(person(1)), person(1));
  await leaveGroups(first(), by(person(2)), person(2));
  expect((await second().aggregates.load(thread, threadId)).state).toMatchObject({ members: [] });
});

it('a long thread is ready for the next message from its snapshot, which has no texts', async () => {
  const snapshots = createSnapshots(stores.pool, stores.log, stores.vault);
  const start = () =>
    testDeps(stores, { aggregates: createAggregates(stores.store, first().codec, { snapshots, snapshotEvery: 25 }) });
  const node = start();
  const { threadId } = await startGroup(node, by(person(0)), person(0), { title: 'Long', memberIds: [] });
  await Promise.all(
    Array.from({ length: 60 }, () => sendMessage(node, by(person(0)), actor(person(0)), textOf(threadId))),
  );
  const stored = () =>
    stores.pool.query<{ state: string }>('select state from ops.snapshots where stream = $1', [`thread-${threadId}`]);
  const { state } = await until(async () => (await stored()).rows[0]);
  expect(state).not.toMatch(/Hello|Long/);
  const { state: loaded } = await start().aggregates.load(thread, threadId);
  expect(loaded).toMatchObject({ lastSeq: 60, members: [{ id: person(0), role: 'admin' }] });
});
