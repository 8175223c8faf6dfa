/** How the client connects: to one node at a time, without leaving anything behind, and whatever its clock says. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { connectEventStore, type EventStore, KnownAway, StoreUnavailable } from '../../eventstore/client/index.ts';
import { type Forwarder, startForwarder } from '../kit/forwarder.ts';
import { until } from '../kit/until.ts';
import { events, type Stage, startStage } from './stage.ts';

let stage: Stage;
let forwarder: Forwarder;
beforeEach(async () => {
  stage = await startStage();
  forwarder = await startForwarder(() => [Number(new URL(stage.connectionString).port)]);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await forwarder.stop();
  await stage.stop();
});

const through = (port: number): string => {
  const url = new URL(stage.connectionString);
  url.port = String(port);
  return url.href;
};
const append = (store: EventStore) => store.append(`counter-${randomUUID()}`, events(), 'no_stream');
const refused = (error: unknown) => {
  expect(error).toBeInstanceOf(StoreUnavailable);
  return error;
};

it('is one connection again after an outage under load', async () => {
  const store = connectEventStore(through(forwarder.port));
  await append(store);
  forwarder.off();
  await Promise.all(Array.from({ length: 50 }, () => append(store).catch(refused)));
  await until(() => store.away());
  expect(await append(store).catch(refused)).toBeInstanceOf(KnownAway);
  forwarder.on();
  await until(() => append(store).catch(() => undefined));
  await until(() => forwarder.connections === 1);
  expect(store.away()).toBeUndefined();
  await store.close();
  await until(() => forwarder.connections === 0);
});

it('leaves no connection open to a node that accepts them and never answers', async () => {
  const open = new Set<Socket>();
  let most = 0;
  const silent = createServer((socket) => {
    open.add(socket);
    most = Math.max(most, open.size);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    socket.resume();
  });
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const store = connectEventStore(through((silent.address() as AddressInfo).port));
  await Promise.all(Array.from({ length: 50 }, () => append(store).catch(refused)));
  // One that is asked, and the one before it, whose end has not arrived yet.
  expect(most).toBeLessThanOrEqual(2);
  await store.close();
  await until(() => open.size === 0);
  silent.close();
});

it.each([
  ['an hour behind', -3_600_000],
  ['an hour ahead', 3_600_000],
])('appends and reads with a clock that is %s', async (_, offMs) => {
  const now = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => now() + offMs);
  const store = connectEventStore(stage.connectionString);
  const stream = `counter-${randomUUID()}`;
  await store.append(stream, events(2), 'no_stream');
  expect(await store.read(stream)).toHaveLength(2);
  await store.close();
});
