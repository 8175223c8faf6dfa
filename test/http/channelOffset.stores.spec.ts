/** A reply with `x-channel-offset` shows exactly the changes up to it, while others write. */
import { randomUUID } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { App } from '../../api/http/app.ts';
import { asksForChannelOffset, readAtOffset } from '../../api/http/channelOffset.ts';
import { inTransaction } from '../../infra/postgres.ts';
import { appendChanges } from '../../projections/engine/changes.ts';
import { keptTable } from '../../projections/engine/keptTable.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import { readModel } from '../../projections/engine/readModel.ts';
import { freshStores, type Stores } from '../kit/stores.ts';

let stores: Stores;
beforeAll(async () => {
  stores = await freshStores();
  await stores.pool.query('create table read.things (channel text not null)');
});

/** Writes some rows and their changes, as the projector does. */
const write = (channel: string, count: number) =>
  inTransaction(stores.pool, async (client) => {
    await client.query('insert into read.things select $1 from generate_series(1, $2)', [channel, count]);
    const change = { channel, type: 'thing.created', data: '{}', at: new Date().toISOString() };
    await appendChanges(client, Array(count).fill(change));
  });

const countAt = async (channel: string) => {
  const app = { pool: stores.pool, db: readDb(stores.pool) } as App;
  const { reply, offset = '' } = await readAtOffset(app, channel, async ({ db }) => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from read.things where channel = ${channel}`.execute(
      db,
    );
    return rows[0]?.n;
  });
  return { reply, offset, number: Number(/;offset=(\d+)$/.exec(offset)?.[1]) };
};

it('the reply and its offset belong together while others write', async () => {
  const channel = `realtime:user_${randomUUID()}`;
  const seen = new Set<number>();
  let isEnough = false;
  let total = 0;
  const writers = [1, 2, 3].map(async (count) => {
    for (; !isEnough; total += count) await write(channel, count);
  });
  try {
    while (seen.size < 10) {
      const { reply, number } = await countAt(channel);
      expect(reply).toBe(number);
      seen.add(number);
    }
  } finally {
    isEnough = true;
    await Promise.all(writers);
  }
  const { rows } = await stores.pool.query('select epoch from read.epoch');
  expect(await countAt(channel)).toEqual({
    reply: total,
    number: total,
    offset: `"${channel}";epoch="${rows[0].epoch}";offset=${total}`,
  });
});

it('asks everything on its own connection, so that no number of such reads waits for another one', async () => {
  const { max } = stores.pool.options;
  const app = { pool: stores.pool, db: readDb(stores.pool) } as App;
  const asked = Array.from({ length: max }, () =>
    readAtOffset(app, `realtime:user_${randomUUID()}`, async ({ pool }) => {
      const { rows } = await pool.query<{ isolation: string }>(
        `select current_setting('transaction_isolation') as isolation, pg_sleep(0.05)`,
      );
      return rows[0]?.isolation;
    }),
  );
  const replies = await Promise.all(asked);
  expect(replies.map(({ reply }) => reply)).toEqual(Array(max).fill('repeatable read'));
});

it('a channel without changes has offset 0', async () => {
  expect(await countAt(`realtime:user_${randomUUID()}`)).toMatchObject({ reply: 0, number: 0 });
});

it('only requests that prefer it pay for it', () => {
  expect(asksForChannelOffset('respond-async, channel-offset')).toBe(true);
  expect(asksForChannelOffset('respond-async')).toBe(false);
});

it('nothing that it reads is kept in memory: the snapshot is older than what is heard meanwhile', async () => {
  const model = readModel('things', {
    version: 1,
    row: Type.Object({ id: Type.String() }),
    key: 'id',
    on: {},
    announce: () => ['row'],
  });
  const count = keptTable([model], async ({ db }) => {
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from read.things where channel = 'kept'`.execute(db);
    return rows[0]?.n;
  });
  let changed = (): void => undefined;
  const follow = (_: unknown, onChange: (lines: readonly string[]) => void) => {
    changed = () => onChange([]);
  };
  const app = { pool: stores.pool, db: readDb(stores.pool), positions: { follow, isListening: () => true } };
  const { reply } = await readAtOffset(app as unknown as App, `realtime:user_${randomUUID()}`, async (snapshot) => {
    await write('kept', 1);
    changed();
    return count(snapshot);
  });
  expect([reply, await count(app)]).toEqual([0, 1]);
});
