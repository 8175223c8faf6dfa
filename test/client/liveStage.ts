/** A client whose hub is the test, at times of the test. */
import { vi } from 'vitest';
import {
  type Change,
  type ClientOptions,
  createClient,
  type Reset,
  type SubscriptionEnded,
} from '../../client/index.ts';
import { CHANNEL, type FakeSocket, fakeHub } from './fakeHub.ts';

export const E1 = 'epoch-1';
export const E2 = 'epoch-2';
export const SINCE = { epoch: E1, offset: 5 };
/** Lets promises settle; no time passes. */
export const settle = () => vi.advanceTimersByTimeAsync(0);

export type Hub = ReturnType<typeof fakeHub>;
export const clientOf = (hub: Hub, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: 'https://resort.test', WebSocket: hub.WebSocket, token: () => 'token', ...options });

/** A client with one subscription, and what its handlers were given. */
export const start = async (options: Partial<ClientOptions> = {}, slow?: () => Promise<void>) => {
  const hub = fakeHub();
  const client = clientOf(hub, options);
  const offsets: number[] = [];
  const resets: Reset[] = [];
  const told: unknown[] = [];
  const ends: SubscriptionEnded[] = [];
  const errors: unknown[] = [];
  const subscription = client.live.subscribe(CHANNEL as string, {
    onChange: (change: Change) => {
      offsets.push(change.offset);
      return slow?.();
    },
    onReset: (reset) => void resets.push(reset),
    onEphemeral: (message) => void told.push(message),
    onEnd: (reason) => void ends.push(reason),
    onError: (error) => void errors.push(error),
  });
  await settle();
  return { hub, client, subscription, offsets, resets, told, ends, errors };
};
/** The same, with the subscription started behind offset 5. */
export const started = async (...options: Parameters<typeof start>) => {
  const client = await start(...options);
  client.hub.newest().ready();
  client.hub.newest().subscribed(E1, 5);
  await settle();
  return client;
};
/** Waits until the client has opened its next socket. */
export const reconnected = async (hub: Hub, before = hub.sockets.length): Promise<FakeSocket> => {
  for (let waited = 0; hub.sockets.length === before && waited < 100; waited++) await vi.advanceTimersByTimeAsync(500);
  return hub.newest();
};
export const subscribes = ({ sent }: FakeSocket) => sent.filter(({ type }) => type === 'subscribe');
