/** Groups of guests who write to each other. */
import { startGroup } from '../../commands/chat/threads.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { type Guest, type Resort, seedContext, untilQuiet } from './resort.ts';

export const CHAT_MEMBERS = 10;
/** Each guest is in so many, with a socket for each. A hub allows 20 to one account. */
const CHATS_EACH = 10;

export interface Chat {
  readonly id: string;
  readonly members: readonly Guest[];
}

/** So many groups of guests. They are started once, and found again by later runs. */
export const openChats = async ({ wiring, guests }: Resort, count: number): Promise<Chat[]> => {
  const circles = Math.ceil(count / CHATS_EACH);
  const chats: Chat[] = [];
  await concurrentEach(Array(count).keys(), 16, async (n) => {
    const first = (n % circles) * CHAT_MEMBERS;
    const members = guests.slice(first, first + CHAT_MEMBERS);
    const [owner] = members as [Guest, ...Guest[]];
    const memberIds = members.map(({ id }) => id);
    const started = await startGroup(wiring, seedContext(`group ${n}`), owner.id, { title: `Group ${n}`, memberIds });
    chats[n] = { id: started.threadId, members };
  });
  await untilQuiet(wiring);
  return chats;
};
