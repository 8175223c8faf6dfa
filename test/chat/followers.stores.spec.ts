/**
 * Three followers of a chat, each of which reads it once over REST and goes on with the frames of its channel, through an hour
 * of random changes in simulated time: at the end each shows what REST shows.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readAtOffset } from '../../api/http/channelOffset.ts';
import { leaveThread } from '../../commands/chat/leaving.ts';
import { deleteMessage, editMessage, type KnownMessage, sendMessage } from '../../commands/chat/messages.ts';
import { readThread } from '../../commands/chat/ownThreads.ts';
import { addMember, changeMemberRole, removeMember, renameThread, startGroup } from '../../commands/chat/threads.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { addMs, MINUTE_MS } from '../../domain/core/instants.ts';
import { chatChannel } from '../../projections/chat/channels.ts';
import { type Chat, chatFor } from '../../projections/chat/chats.ts';
import { type Message, pageOfMessages, showMessages } from '../../projections/chat/messages.ts';
import type { ChatParticipant } from '../../projections/chat/participants.ts';
import { addressOf } from '../../projections/engine/channels.ts';
import { type ReadDb, readDb } from '../../projections/engine/readDb.ts';
import { contextOf } from '../kit/context.ts';
import { until } from '../kit/until.ts';
import { knownMessage } from './chatFixtures.ts';
import { createChatStage, type Person } from './chatStage.ts';

let stage: Awaited<ReturnType<typeof createChatStage>>;
let people: readonly Person[];
beforeAll(async () => {
  stage = await createChatStage();
  people = await Promise.all([1, 2, 3, 4].map(() => stage.newPerson()));
});
afterAll(() => stage.stop());

/** What a client keeps of a chat. */
interface Kept {
  title: string | null;
  readonly members: Map<string, ChatParticipant>;
  readonly messages: Map<string, Message>;
}

/** Who has read a message follows from the members: the frames of a message say who had when they were sent. */
const withoutReaders = ({ read_by: _, read_count: __, ...message }: Message) => message;
const readersOf = ({ members }: Kept, { seq, sender_id }: Message): number =>
  [...members.values()].filter(
    (one) => one.account_id !== sender_id && one.joined_seq < seq && seq <= one.last_read_seq,
  ).length;
const shownBy = (kept: Kept) => ({
  title: kept.title,
  members: [...kept.members.values()].toSorted((a, b) => a.account_id.localeCompare(b.account_id)),
  messages: [...kept.messages.values()]
    .toSorted((a, b) => a.seq - b.seq)
    .map((message) => ({ ...withoutReaders(message), readers: readersOf(kept, message) })),
});

interface Followed extends Kept {
  readonly offset: number;
}
/** What REST shows, and up to which change of the channel. */
const snapshot = async (threadId: string, accountId: string): Promise<Followed> => {
  const read = async ({ db }: { readonly db: ReadDb }) => {
    const chat = (await chatFor(db, threadId, { accountId, role: 'tourist' }))?.toJSON() as Chat;
    const { rows } = await pageOfMessages(db, threadId, { after: 0 }, 1_000);
    return { chat, messages: (await showMessages(db, rows)).map((form) => form.toJSON()) };
  };
  const app = { ...stage.node, positions: {} } as never;
  const { reply, offset } = await readAtOffset(app, addressOf(chatChannel, threadId), read as never);
  const { chat, messages } = reply as Awaited<ReturnType<typeof read>>;
  return {
    title: chat.title,
    members: new Map(chat.participants.map((one) => [one.account_id, one])),
    messages: new Map(messages.map((one) => [one.id, one])),
    offset: Number(/offset=(\d+)$/.exec(offset ?? '')?.[1]),
  };
};

/** Goes on with the frames that were sent since. */
const follow = async (threadId: string, kept: Followed): Promise<void> => {
  const { rows } = await stage.stores.pool.query<{ type: string; data: string }>(
    `select type, data from read.changes where channel = $1 and "offset" > $2 order by "offset"`,
    [addressOf(chatChannel, threadId), kept.offset],
  );
  for (const { type, data } of rows) {
    const [entity, verb] = type.split('.');
    const row = JSON.parse(data);
    if (entity === 'chat') kept.title = row.title;
    if (entity === 'message') kept.messages.set(row.id, row);
    if (entity === 'participant' && verb === 'removed') kept.members.delete(row.account_id);
    if (entity === 'participant' && verb !== 'removed') kept.members.set(row.account_id, row);
  }
};

interface Step {
  readonly do: 'send' | 'edit' | 'delete' | 'read' | 'rename' | 'promote' | 'leave' | 'remove' | 'add' | 'follow';
  readonly who: number;
  readonly n: number;
}
const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom(
    ...(['send', 'send', 'send', 'edit', 'delete', 'read', 'read', 'rename', 'promote', 'leave'] as const),
    ...(['remove', 'add', 'follow'] as const),
  ),
  who: fc.nat(3),
  n: fc.nat(1_000),
});

it('frames since any moment lead to what REST shows at the end', async () => {
  const steps = fc.array(step, { minLength: 60, maxLength: 60, size: 'max' });
  await fc.assert(
    fc.asyncProperty(steps, async (hour) => {
      const ids = people.map(({ id }) => id);
      const owner = ids[0] as string;
      let at = new Date().toISOString();
      const by = (id: string) => contextOf(id, 'tourist', at);
      const { threadId } = await startGroup(stage.node, by(owner), owner, { title: 'Ski', memberIds: ids.slice(1, 3) });
      const messages: KnownMessage[] = [];
      /** Waits until everything is shown: the title that is given last. */
      let titles = 0;
      const settled = async (): Promise<void> => {
        titles += 1;
        const title = `Settled ${titles}`;
        await renameThread(stage.node, by(owner), threadId, { by: owner, title });
        const shown = 'select 1 from read.threads where id = $1 and title = $2';
        await until(async () => (await stage.stores.pool.query(shown, [threadId, title])).rowCount);
      };
      const followers: Followed[] = [];
      const act = async ({ do: what, who, n }: Step): Promise<void> => {
        const id = ids[who] as string;
        const actor = { accountId: id, isAgent: false };
        const known = messages[n % Math.max(1, messages.length)];
        const own = messages.filter(({ of }) => of.authorId === id).at(-1);
        if (what === 'send') {
          const content = { kind: 'text', body: `Text ${n}`, mentions: [], attachments: [] } as const;
          const details = { ...content, threadId, replyTo: null, clientMessageId: null };
          const sent = await sendMessage(stage.node, by(id), actor, details);
          if (sent) messages.push(knownMessage(threadId, sent, at));
        }
        if (what === 'edit' && own) await editMessage(stage.node, by(id), actor, own, { body: `Edited ${n}` });
        if (what === 'delete' && known) await deleteMessage(stage.node, by(id), actor, known);
        if (what === 'read' && known) {
          const own = { threadId, accountId: id };
          const chat = await chatFor(readDb(stage.stores.pool), threadId, { accountId: id, role: 'tourist' });
          if (chat) await readThread(stage.node, by(id), own, known.of.seq);
        }
        if (what === 'rename') await renameThread(stage.node, by(owner), threadId, { by: owner, title: `Title ${n}` });
        const change = { by: owner, accountId: id };
        if (what === 'promote' && id !== owner)
          await changeMemberRole(stage.node, by(owner), threadId, { ...change, role: n % 2 ? 'admin' : 'member' });
        if (what === 'leave' && id !== owner) await leaveThread(stage.node, by(id), { threadId, accountId: id });
        if (what === 'remove' && id !== owner) await removeMember(stage.node, by(owner), threadId, change);
        if (what === 'add') await addMember(stage.node, by(owner), threadId, change);
        if (what === 'follow' && followers.length < 2) {
          await until(
            async () =>
              (await stage.stores.pool.query('select 1 from read.threads where id = $1', [threadId])).rowCount,
          );
          followers.push(await snapshot(threadId, owner));
        }
      };
      await settled();
      followers.push(await snapshot(threadId, owner));
      for (const each of hour) {
        at = addMs(at, MINUTE_MS);
        await act(each).catch((error: unknown) => {
          if (!(error instanceof Rejected)) throw error;
        });
      }
      while (followers.length < 3) followers.push(await snapshot(threadId, owner));
      await settled();
      const rest = await snapshot(threadId, owner);
      for (const one of followers) {
        await follow(threadId, one);
        expect(shownBy(one)).toEqual(shownBy(rest));
      }
      // What REST says of readers is what follows from the members.
      for (const message of rest.messages.values()) expect(message.read_count).toBe(readersOf(rest, message));
    }),
    { numRuns: 3, endOnFailure: true },
  );
}, 600_000);
