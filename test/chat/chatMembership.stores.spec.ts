/**
 * Threads over two real hubs. Whatever happens in a group, nobody gets a text that was written while they were no member; and
 * of two people, neither learns during a block what the other reads.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { leaveThread } from '../../commands/chat/leaving.ts';
import { deleteMessage, editMessage, type KnownMessage, sendMessage } from '../../commands/chat/messages.ts';
import { changePreferences, readThread } from '../../commands/chat/ownThreads.ts';
import { addMember, removeMember, startGroup, startP2p } from '../../commands/chat/threads.ts';
import { block, unblock } from '../../commands/friends/friends.ts';
import { addMs, DAY_MS } from '../../domain/core/instants.ts';
import { chatFor } from '../../projections/chat/chats.ts';
import { pageOfMessages, showMessages } from '../../projections/chat/messages.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import type { Envelope } from '../../realtime/hub/protocol.ts';
import { contextOf } from '../kit/context.ts';
import type { Node } from '../kit/deps.ts';
import type { Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { connect, type Listening, range } from '../realtime/stage.ts';
import { knownMessage } from './chatFixtures.ts';
import { createChatStage, type Person } from './chatStage.ts';

const RUNS = 3;
let stage: Awaited<ReturnType<typeof createChatStage>>;
let node: Node;
let stores: Stores;
let people: readonly Person[];
const by = (person: string) => contextOf(person);
/** In milliseconds. */
const patienceFor = (runs: number) => Math.max(180_000, runs * 20_000);

beforeAll(async () => {
  stage = await createChatStage();
  ({ node, stores } = stage);
  people = await Promise.all([stage.newPerson(), stage.newPerson(), stage.newPerson()]);
});
afterAll(() => stage.stop());

type Step = {
  readonly do: 'send' | 'edit' | 'delete' | 'leave' | 'remove' | 'add' | 'connect';
  readonly who: number;
  readonly n: number;
};
const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom('send', 'send', 'edit', 'delete', 'leave', 'remove', 'add', 'connect', 'connect'),
  who: fc.nat(2),
  n: fc.nat(20),
});

it(
  'no frame has a text from a time without membership, and members get the newest',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }), async (steps) => {
        const [owner] = people as [Person];
        const memberIds = people.map(({ id }) => id);
        const { threadId } = await startGroup(node, by(owner.id), owner.id, { title: 'Model', memberIds });
        // Before, nobody may subscribe.
        const shown = 'select 1 from read.participants where thread_id = $1';
        await until(async () => (await stores.pool.query(shown, [threadId])).rowCount);
        const members = new Set(memberIds);
        /** Text → who was a member when it was written. */
        const readers = new Map<string, ReadonlySet<string>>();
        const messages: KnownMessage[] = [];
        const sockets = people.map(() => [] as Listening[]);
        const text = () => {
          const body = `Text ${randomUUID()}`;
          readers.set(body, new Set(members));
          return body;
        };
        const send = async (senderId: string, mentions: string[]): Promise<string> => {
          const context = by(senderId);
          const content = { kind: 'text', body: text(), mentions, attachments: [] } as const;
          const where = { threadId, replyTo: null, clientMessageId: null };
          const sent = await sendMessage(
            node,
            context,
            { accountId: senderId, isAgent: false },
            { ...where, ...content },
          );
          if (sent) messages.push(knownMessage(threadId, sent, context.at));
          return content.body;
        };
        /** At either hub; some resume from where the person's last socket was. */
        const listen = (n: number, at: number): void => {
          const { id, token } = people[n] as Person;
          const channel = `chat_${threadId}`;
          const last = sockets[n]
            ?.at(-1)
            ?.frames.filter((frame) => 'epoch' in frame && frame.channel === channel)
            .at(-1) as Envelope | undefined;
          const since = at % 3 > 0 && last ? { since: { epoch: last.epoch, offset: last.offset } } : {};
          const socket = connect(stage.portOf(at), token);
          socket.send({ type: 'subscribe', channel, ...since });
          socket.send({ type: 'subscribe', channel: `realtime:user_${id}` });
          sockets[n]?.push(socket);
        };
        for (const { do: what, who, n } of steps) {
          const { id } = people[who] as Person;
          const isMember = members.has(id);
          const known = messages[n % Math.max(1, messages.length)];
          const mentions = [...members].slice(0, n % 3);
          if (what === 'connect') listen(who, n);
          if (what === 'send' && isMember) await send(id, mentions);
          if (what === 'edit' && known && members.has(known.of.authorId)) {
            const actor = { accountId: known.of.authorId, isAgent: false };
            const edited = await editMessage(node, by(known.of.authorId), actor, known, { body: text(), mentions });
            messages[n % messages.length] = { ...known, body: edited.body, mentions: edited.mentions };
          }
          if (what === 'delete' && known && isMember && known.of.authorId === id) {
            await deleteMessage(node, by(id), { accountId: id, isAgent: false }, known);
            messages.splice(messages.indexOf(known), 1);
          }
          if (isMember && id !== owner.id) {
            if (what === 'leave') await leaveThread(node, by(id), { threadId, accountId: id });
            if (what === 'remove') await removeMember(node, by(owner.id), threadId, { by: owner.id, accountId: id });
            if (what === 'leave' || what === 'remove') members.delete(id);
          }
          if (what === 'add' && !isMember) {
            // Who has left comes back a week later at the earliest.
            const later = contextOf(owner.id, 'tourist', addMs(new Date().toISOString(), 8 * DAY_MS));
            await addMember(node, later, threadId, { by: owner.id, accountId: id });
            members.add(id);
          }
        }
        listen(0, 0);
        const [all] = sockets as [Listening[]];
        const isSubscribed = ({ frames }: Listening) => frames.filter(({ type }) => type === 'subscribed').length === 2;
        await until(() => all.every(isSubscribed));
        const last = await send(owner.id, []);
        const texts = ({ frames }: Listening): string[] =>
          frames
            .filter((frame): frame is Envelope => 'offset' in frame && 'data' in frame)
            .flatMap(({ data }) => (data as { body?: string | null }).body ?? []);
        // The owner stays: each socket of theirs has every change since it subscribed, in order.
        await until(() => all.every((socket) => texts(socket).includes(last)));
        for (const socket of all) {
          const offsets = socket.offsets(`chat_${threadId}`);
          expect(offsets).toEqual(range(offsets[0] as number, offsets.at(-1) as number));
        }
        for (const [n, own] of sockets.entries())
          for (const socket of own) {
            const { id } = people[n] as Person;
            expect(texts(socket).filter((one) => !readers.get(one)?.has(id))).toEqual([]);
            socket.socket.terminate();
          }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
  patienceFor(RUNS),
);

const MESSAGES = 4;
const pairStep = fc.record({
  do: fc.constantFrom('send', 'read', 'read', 'block', 'unblock', 'connect', 'connect'),
  who: fc.nat(1),
  n: fc.nat(20),
});

it(
  'neither of two people learns during a block what the other reads',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(pairStep, { minLength: 10, maxLength: 20, size: 'max' }), async (steps) => {
        const pair = [await stage.newPerson(), await stage.newPerson()] as const;
        const { threadId } = await startP2p(node, by(pair[0].id), pair[0].id, pair[1].id);
        const channel = `chat_${threadId}`;
        /** Up to where each of the two has read, and the number of the newest message. */
        const read = [0, 0];
        let newest = 0;
        const say = async (senderId: string) => {
          const sent = await sendMessage(
            node,
            by(senderId),
            { accountId: senderId, isAgent: false },
            {
              ...{
                threadId,
                kind: 'text',
                body: 'Hi',
                mentions: [],
                attachments: [],
                replyTo: null,
                clientMessageId: null,
              },
            },
          );
          newest = sent?.seq ?? newest;
          // Who writes has read what was before.
          read[senderId === pair[0].id ? 0 : 1] = newest;
        };
        for (let n = 0; n < MESSAGES; n += 1) await say(pair[n % 2]?.id ?? '');
        const db = readDb(stores.pool);
        await until(async () => (await pageOfMessages(db, threadId, {}, 50)).rows.length === MESSAGES);
        /** Who has blocked the other, by their number. */
        const blocks = new Set<number>();
        const sockets = [[], []] as [Listening[], Listening[]];
        const listen = (who: 0 | 1, at: number): void => {
          const { id, token } = pair[who];
          const socket = connect(stage.portOf(at), token);
          for (const each of [channel, `realtime:user_${id}`]) socket.send({ type: 'subscribe', channel: each });
          sockets[who].push(socket);
        };
        const readOn = async (who: 0 | 1) => {
          const accountId = pair[who].id;
          read[who] = await readThread(
            node,
            by(accountId),
            { threadId, accountId },
            Math.min(newest, (read[who] ?? 0) + 1),
          );
        };
        const setBlock = async (who: 0 | 1, isBlocked: boolean) => {
          const of = { by: pair[who].id, other: pair[1 - who]?.id ?? '' };
          await (isBlocked ? block : unblock)(node, by(of.by), of);
          blocks[isBlocked ? 'add' : 'delete'](who);
        };
        const play = async ({ do: what, who, n }: { do: string; who: number; n: number }) => {
          const one = who as 0 | 1;
          if (what === 'connect') listen(one, n);
          if (what === 'read') await readOn(one);
          if (what === 'block' || what === 'unblock') await setBlock(one, what === 'block');
          if (what === 'send' && blocks.size === 0) await say(pair[one].id);
          if (what === 'send' && blocks.size > 0) await expect(say(pair[one].id)).rejects.toThrow('cannot write');
        };
        for (const each of steps) await play(each);
        const before = [...read];
        await setBlock(0, true);
        // Nothing that the other reads from now on may be seen.
        for (const who of [0, 1, 0, 1] as const) await readOn(who);
        for (const who of [0, 1] as const) listen(who, who);
        const named = (own: Listening, type: string) => own.frames.filter((frame) => frame.type === type);
        for (const who of [0, 1] as const) {
          const newest = sockets[who].at(-1) as Listening;
          // The hub may learn of the block only after it has let the socket subscribe.
          const isOut = () => [...named(newest, 'error'), ...named(newest, 'unsubscribed')].length === 1;
          const hasOwn = () => newest.frames.some((frame) => frame.type === 'subscribed' && frame.channel !== channel);
          await until(() => isOut() && hasOwn());
          const accountId = pair[who].id;
          await changePreferences(node, by(accountId), { threadId, accountId }, { pinned: true });
          // The changes come in order: what was told before has arrived.
          await until(() => named(newest, 'chat_preferences.created').length === 1);
        }
        for (const who of [0, 1] as const) {
          const other = pair[1 - who]?.id;
          const seen = sockets[who]
            .flatMap(({ frames }) => frames.filter((frame): frame is Envelope => 'offset' in frame && 'data' in frame))
            .map(({ data }) => data as { account_id?: string; last_read_seq?: number })
            .filter(({ account_id }) => account_id === other)
            .map(({ last_read_seq = 0 }) => last_read_seq);
          expect(Math.max(0, ...seen)).toBeLessThanOrEqual(before[1 - who] ?? 0);
          const chat = await chatFor(db, threadId, { accountId: pair[who].id, role: 'tourist' });
          const positions = chat
            ?.toJSON()
            .participants.map(({ account_id, last_read_seq }) => [account_id, last_read_seq]);
          expect(new Map(positions as [string, number][])).toEqual(
            new Map([
              [pair[who].id, read[who]],
              [other, 0],
            ]),
          );
          for (const { socket } of sockets[who]) socket.terminate();
        }
        const { rows } = await pageOfMessages(db, threadId, {}, 50);
        const forms = await showMessages(db, rows);
        expect(forms.flatMap((form) => form.toJSON().read_by)).toEqual([]);
      }),
      { numRuns: Math.ceil(RUNS / 2), endOnFailure: true },
    );
  },
  patienceFor(RUNS),
);
