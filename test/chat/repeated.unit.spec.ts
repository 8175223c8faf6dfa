/**
 * A message that is sent again is the same message, however old: its attachments stay its own, and no other file becomes
 * attached to it.
 */
import { expect, it } from 'vitest';
import type { SendDeps } from '../../commands/chat/deps.ts';
import { sendMessage } from '../../commands/chat/messages.ts';
import { Outdated } from '../../domain/core/decider.ts';
import { file } from '../../domain/files/file.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';

const [ANNA, BORIS, THREAD, FIRST, SECOND] = [id(1), id(2), id(10), id(20), id(21)];

const stage = () => {
  const aggregates = memoryAggregates();
  aggregates.given(`thread-${THREAD}`, [
    { type: 'ThreadStarted', data: { type: 'group', startedBy: BORIS, memberIds: [BORIS, ANNA], title: 'Ski' } },
  ]);
  for (const fileId of [FIRST, SECOND])
    aggregates.given(`file-${fileId}`, [
      {
        type: 'FileUploaded',
        data: {
          ownerId: ANNA,
          folder: 'chat',
          mime: 'application/pdf',
          size: 1,
          width: null,
          height: null,
          durationS: null,
          thumbnailSize: null,
          sha256: '',
        },
      },
    ]);
  const send = (attachments: string[], clientMessageId = 'mine', wasSought = true) =>
    sendMessage(
      { aggregates } as unknown as SendDeps,
      contextOf(ANNA),
      { accountId: ANNA, isAgent: false },
      {
        threadId: THREAD,
        kind: 'text',
        body: 'Map',
        mentions: [],
        replyTo: null,
        attachments,
        clientMessageId,
      },
      wasSought,
    );
  const usageOf = (fileId: string) => {
    const state = aggregates.stateOf(file, fileId);
    return state.status === 'none' ? undefined : state.usage;
  };
  return { aggregates, send, usageOf };
};

it('with another file: the file stays free', async () => {
  const { send, usageOf } = stage();
  const sent = await send([FIRST]);
  expect(await send([SECOND])).toBeNull();
  expect(usageOf(FIRST)).toEqual({ kind: 'message', id: sent?.messageId, within: THREAD });
  expect(usageOf(SECOND)).toBeNull();
});

it('by somebody who was removed since: the file stays with the message', async () => {
  const { aggregates, send, usageOf } = stage();
  const sent = await send([FIRST]);
  aggregates.given(`thread-${THREAD}`, [{ type: 'MemberRemoved', data: { accountId: ANNA, by: BORIS } }]);
  expect(await send([FIRST])).toBeNull();
  expect(usageOf(FIRST)).toEqual({ kind: 'message', id: sent?.messageId, within: THREAD });
});

it('when the thread remembers it no more: it must be looked for first', async () => {
  const { send } = stage();
  await send([]);
  for (let n = 1; n < 200; n += 1) await send([], String(n), false);
  expect(await send([], 'mine', false)).toBeNull();
  await send([], '200', false);
  await expect(send([], 'mine', false)).rejects.toThrow(Outdated);
  await expect(send([], '201', false)).rejects.toThrow(Outdated);
  expect(await send([], '201', true)).toMatchObject({ seq: 202 });
});
