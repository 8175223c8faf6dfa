/** Readers of the log find events behind thousands of records that the server has written about itself. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { EventStore, StoredEvent } from '../../eventstore/client/index.ts';
import { assertLogFormat } from '../../eventstore/format.ts';
import { consumerLags } from '../../eventstore/lag.ts';
import { IncompatibleData } from '../../infra/incompatible.ts';

const RECORDS = 3_000;

const eventOf = (format: number): StoredEvent => ({
  id: randomUUID(),
  type: 'Counted',
  data: {},
  metadata: JSON.parse(`{"commandId":"command","at":"2026-01-01T00:00:00.000Z","format":${format}}`),
  stream: 'counter-1',
  revision: 0n,
  position: { commit: BigInt(RECORDS), prepare: BigInt(RECORDS) },
});

/** A log of system records at the positions below `RECORDS`, then one event. */
const logWith = (event: StoredEvent): Pick<EventStore, 'readAll'> => ({
  readAll: async ({ after, max }) => {
    const from = after ? Number(after.commit) + 1 : 0;
    const last = Math.min(from + max - 1, RECORDS);
    if (from > RECORDS) return { events: [], last: null };
    return { events: last === RECORDS ? [event] : [], last: { commit: BigInt(last), prepare: BigInt(last) } };
  },
});

it('the format of the log is that of its first event', async () => {
  await expect(assertLogFormat(logWith(eventOf(99)))).rejects.toThrow(IncompatibleData);
  await expect(assertLogFormat(logWith(eventOf(1)))).resolves.toBeUndefined();
});

it('a consumer that has not handled it is behind', async () => {
  const noCheckpoints = { query: async () => ({ rows: [] }) } as never;
  const [lag] = await consumerLags({ pool: noCheckpoints, store: logWith(eventOf(1)) }, ['projector'], 500);
  expect(lag).toMatchObject({ events: 1 });
  expect(lag?.seconds).toBeGreaterThan(0);
});
