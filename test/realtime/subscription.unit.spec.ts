import { expect, it } from 'vitest';
import type { Change, ChangeLog } from '../../realtime/hub/changeLog.ts';
import type { SendQueue } from '../../realtime/hub/sendQueue.ts';
import { Subscription } from '../../realtime/hub/subscription.ts';

const EPOCH = 'e1';
const PAGE = 100;

/** What a client gets that resumes after change 5 of a channel that has so many. */
const sentAfter = async (last: number): Promise<Record<string, unknown>[]> => {
  const sent: Record<string, unknown>[] = [];
  const changeAt = (offset: number): Change => ({
    ...{ id: offset, channel: 'things', epoch: EPOCH, offset, endsFor: null },
    frame: () => Buffer.from(JSON.stringify({ offset })),
  });
  const log = {
    page: async (_channel: string, since = last) => ({
      ...{ epoch: EPOCH, last },
      changes: Array.from({ length: Math.min(PAGE, last - since) }, (_, n) => changeAt(since + 1 + n)),
    }),
  } as unknown as ChangeLog;
  const sendQueue = {
    queue: (frame: Uint8Array) => sent.push(JSON.parse(Buffer.from(frame).toString())),
    flush: () => undefined,
    hasRoom: () => true,
  } as unknown as SendQueue;
  await new Promise<void>((resolve, reject) => {
    const owner = {
      ...{ accountId: 'me', sendQueue, mayRead: () => true, onLive: () => resolve() },
      ...{ onForbidden: () => reject(new Error('forbidden')), onFailure: reject },
    };
    const named = { name: 'things', canonical: 'things', id: undefined };
    new Subscription({ ...named, since: { epoch: EPOCH, offset: 5 }, log, owner }).start();
  });
  return sent;
};

it('a client that was away for 5,000 changes gets each of them, in order', async () => {
  const [subscribed, ...changes] = await sentAfter(5_005);
  expect(subscribed).toMatchObject({ recovered: true, offset: 5 });
  expect(changes.map(({ offset }) => offset)).toEqual(Array.from({ length: 5_000 }, (_, n) => n + 6));
});

it('a client that has missed more reads its state again, and gets none of them', async () => {
  const [subscribed, ...changes] = await sentAfter(5_006);
  expect(subscribed).toMatchObject({ recovered: false, offset: 5_006 });
  expect(changes).toEqual([]);
});
