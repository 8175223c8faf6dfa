/** Random histories of a channel: lost sockets, gaps, repetitions, new epochs, slow handlers, several who share it. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Cursor, createClient, type Subscription } from '../../client/index.ts';
import { CHANNEL, fakeHub } from './fakeHub.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('write' as const), count: fc.integer({ min: 1, max: 30 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('send' as const), count: fc.integer({ min: 1, max: 40 }) }) },
  fc.record({ do: fc.constant('skip' as const), count: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant('repeat' as const), count: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ do: fc.constant('cut' as const), count: fc.constant(0) }),
  fc.record({ do: fc.constant('epoch' as const), count: fc.constant(0) }),
  fc.record({ do: fc.constant('join' as const), count: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ do: fc.constant('close' as const), count: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ do: fc.constant('wait' as const), count: fc.integer({ min: 1, max: 2_000 }) }),
);

it('every change between two resets is handed over once and in order, and the last one arrives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.integer({ min: 0, max: 3 }), async (steps, slowness) => {
      const hub = fakeHub();
      const client = createClient({ baseUrl: 'https://resort.test', WebSocket: hub.WebSocket, token: () => 'token' });
      /** Who listens: their changes since each reset. The first one stays, and is slow. */
      const all: { readonly runs: Cursor[][]; readonly subscription: Subscription; isClosed: boolean }[] = [];
      const join = (slow: number, since?: Cursor) => {
        const runs: Cursor[][] = since ? [[since]] : [];
        const subscription = client.live.subscribe(CHANNEL as string, {
          ...(since && { since }),
          onReset: ({ cursor }) => void runs.push([cursor]),
          onChange: ({ epoch, offset }) => {
            runs.at(-1)?.push({ epoch, offset });
            return slow && offset % (slow * 7) === 0 ? new Promise((done) => setTimeout(done, 50)) : undefined;
          },
        });
        all.push({ runs, subscription, isClosed: false });
      };
      const close = (index: number) => {
        const each = all[index];
        each?.subscription.close();
        if (each) each.isClosed = true;
      };
      join(slowness);

      /** The hub: one history, and how far the open socket was sent. */
      let epoch = 1;
      let written = 0;
      let sent = 0;
      let seen = { socket: 0, frames: 0 };
      let isSubscribed = false;
      /** Does what the client has asked for since the last time. */
      const serve = () => {
        if (hub.sockets.length === 0) return;
        const index = hub.sockets.length - 1;
        const socket = hub.newest();
        if (seen.socket !== index + 1) {
          seen = { socket: index + 1, frames: 0 };
          isSubscribed = false;
          socket.ready();
        }
        for (; seen.frames < socket.sent.length; seen.frames++) {
          const frame = socket.sent[seen.frames];
          if (frame?.type === 'unsubscribe') isSubscribed = false;
          if (frame?.type !== 'subscribe') continue;
          expect(isSubscribed).toBe(false);
          const since = frame.since as Cursor | undefined;
          const known = since?.epoch === `e${epoch}`;
          sent = known ? since.offset : written;
          isSubscribed = true;
          socket.frame({
            type: 'subscribed',
            channel: CHANNEL,
            epoch: `e${epoch}`,
            offset: sent,
            recovered: known,
            id: frame.id,
          });
        }
      };
      const settle = async (ms = 0) => {
        await vi.advanceTimersByTimeAsync(ms);
        serve();
      };
      const send = (count: number) => {
        serve();
        for (let n = 0; n < count && isSubscribed && sent < written; n++) {
          sent += 1;
          hub.newest().change(`e${epoch}`, sent);
          serve();
        }
      };

      await settle();
      for (const { do: what, count } of steps) {
        if (what === 'write') written += count;
        if (what === 'send') send(count);
        if (what === 'skip' && isSubscribed) sent = Math.min(written, sent + count);
        if (what === 'repeat' && isSubscribed)
          for (let offset = Math.max(1, sent - count); offset <= sent; offset++)
            hub.newest().change(`e${epoch}`, offset);
        if (what === 'join') join(count, count ? all[count - 1]?.subscription.cursor : undefined);
        if (what === 'close') close(count + 1);
        if (what === 'cut' && hub.sockets.length > 0) hub.newest().end(1006);
        if (what === 'epoch' && isSubscribed) {
          epoch += 1;
          sent = written;
          hub
            .newest()
            .frame({ type: 'subscribed', channel: CHANNEL, epoch: `e${epoch}`, offset: sent, recovered: false });
        }
        await settle(what === 'wait' ? count : 0);
      }
      written += 1;
      for (let n = 0; n < 30; n++) {
        await settle(1_000);
        send(written);
      }
      await settle(20_000);
      client.close();

      for (const { runs, isClosed } of all) {
        for (const [start, ...changes] of runs)
          expect(changes).toEqual(
            changes.map((_, n) => ({ epoch: start?.epoch, offset: (start?.offset ?? 0) + n + 1 })),
          );
        if (!isClosed) expect(runs.at(-1)?.at(-1)).toEqual({ epoch: `e${epoch}`, offset: written });
      }
    }),
    { numRuns: 150 },
  );
});
