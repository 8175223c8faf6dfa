/** The attachments of messages: whether a message was sent with them. */

import { thread, wasSent } from '../../domain/chat/thread.ts';
import { streamName } from '../../domain/core/decider.ts';
import type { Usage } from '../../domain/files/file.ts';
import type { EventOf } from '../../domain/modules.ts';
import type { FileUse } from '../files/uses.ts';

const PAGE = 500;
const SENT = new Set(['MessageSent']);
/** The clocks of two nodes differ by less, in milliseconds. */
const CLOCKS_MS = 3_600_000;

export const usageOf = (messageId: string, threadId: string): Usage => ({
  kind: 'message',
  id: messageId,
  within: threadId,
});

/** Looks for the message among the newest ones, then in the thread, back to when the file was attached. */
export const messageUse: FileUse = async ({ aggregates, store, codec }, { id, within, attachedAt }) => {
  // The message of a usage that does not name its thread cannot be found.
  if (within === undefined) return true;
  const { state, revision } = await aggregates.load(thread, within);
  if (wasSent(state, id)) return true;
  const since = Date.parse(attachedAt) - CLOCKS_MS;
  for (let from = revision; from !== null && from >= 0n; from -= BigInt(PAGE)) {
    const stored = await store.read(streamName(thread.category, within), { from, direction: 'backwards', max: PAGE });
    const { events, unreadable } = await codec.decodeEach<EventOf<'MessageSent'>>(stored, {
      only: SENT,
      address: false,
    });
    if (unreadable.length > 0 || events.some(({ data }) => data.messageId === id)) return true;
    if (events.some(({ at }) => Date.parse(at) < since)) return false;
  }
  return false;
};
