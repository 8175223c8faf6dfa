/** Whether the message that a file was attached to was sent: found in its thread, however long that is. */
import { describe, expect, it } from 'vitest';
import { messageUse, usageOf } from '../../commands/chat/messages.ts';
import type { CoreDeps } from '../../commands/core/deps.ts';
import type { ThreadEvent } from '../../domain/chat/threadEvents.ts';
import { instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';

const [ANNA, THREAD, FILE] = [id(1), id(10), id(20)];
const FACTS = {
  fileId: FILE,
  folder: 'chat',
  mime: 'application/pdf',
  size: 1,
  width: null,
  height: null,
  durationS: null,
  thumbnailSize: null,
} as const;
const MESSAGES = 1_800;
const messageId = (seq: number): string => id(100_000 + seq);
/** One message a minute. */
const at = (seq: number): string => instantOf(Date.UTC(2026, 0, 1) + seq * MINUTE_MS);

const sent = (seq: number): ThreadEvent => ({
  type: 'MessageSent',
  data: {
    messageId: messageId(seq),
    seq,
    threadType: 'group',
    senderId: ANNA,
    kind: 'text',
    body: 'x',
    replyTo: null,
    mentions: [],
    attachments: [FACTS],
    parties: [],
    clientMessageId: null,
  },
});
const events: ThreadEvent[] = [
  { type: 'ThreadStarted', data: { type: 'group', startedBy: ANNA, memberIds: [ANNA], title: 'Ski' } },
  ...Array.from({ length: MESSAGES }, (_, n) => sent(n + 1)),
];

/** @param unreadable the number of a message that cannot be decoded */
const stage = (unreadable = 0) => {
  const aggregates = memoryAggregates();
  aggregates.given(`thread-${THREAD}`, events);
  const reads: number[] = [];
  const read = async (_: string, { from, max }: { from: bigint; max: number }) => {
    reads.push(Number(from));
    const until = Number(from) + 1;
    return events.map((event, n) => ({ ...event, at: at(n) })).slice(Math.max(0, until - max), until);
  };
  const decodeEach = async (stored: readonly (ThreadEvent & { at: string })[]) => {
    const messages = stored.flatMap((event) => (event.type === 'MessageSent' ? [event] : []));
    return {
      events: messages.filter(({ data }) => data.seq !== unreadable),
      unreadable: messages.filter(({ data }) => data.seq === unreadable),
    };
  };
  const deps = { aggregates, store: { read }, codec: { decodeEach } } as unknown as CoreDeps;
  const isUsed = (message: string, attachedAt: string, { within = THREAD, fileId = FILE } = {}) =>
    messageUse(deps, { ...usageOf(message, within), fileId, attachedAt });
  return { isUsed, reads, deps };
};

describe('a message with files', () => {
  it.each([
    ['among the newest', 1_790],
    ['older', 1_400],
    ['much older', 1_200],
  ])('%s is found', async (_, seq) => {
    expect(await stage().isUsed(messageId(seq), at(seq))).toBe(true);
  });

  it.each([
    ['among the newest', 1_790],
    ['older', 1_400],
  ])('%s does not use a file that it was sent without', async (_, seq) => {
    expect(await stage().isUsed(messageId(seq), at(seq), { fileId: id(21) })).toBe(false);
  });

  it('that was not sent is looked for as far back as its files were attached', async () => {
    const { isUsed, reads } = stage();
    expect(await isUsed(id(5), at(1_200))).toBe(false);
    expect(reads).toEqual([1_800, 1_300]);
  });

  it('that was not sent in a thread that does not exist is not found', async () => {
    expect(await stage().isUsed(id(5), at(1), { within: id(11) })).toBe(false);
  });

  it('is taken to be sent where the log cannot be read, so that no file in use is deleted', async () => {
    expect(await stage(1_700).isUsed(id(5), at(1_200))).toBe(true);
  });
});
