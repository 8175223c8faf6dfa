/** Ephemeral messages keep their order on both sides of the database, and a database that is slow or away loses few. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLogger } from '../../infra/log.ts';
import type { Queryable } from '../../infra/postgres.ts';
import { type Ephemeral, ephemeralReader, ephemeralSender } from '../../projections/engine/ephemeral.ts';

const log = createLogger({ level: 'silent' });
const message = (text: string): Ephemeral => ({
  channel: 'room',
  type: 'signal.sent',
  from: 'somebody',
  ts: '2026-01-01T00:00:00Z',
  data: { text },
});
const textOf = ({ data }: Ephemeral) => (data as { text: string }).text;

/** A database whose answers wait until they are given, in any order. */
const slowDatabase = () => {
  const asked: { readonly values: readonly unknown[]; readonly answer: (rows: unknown[] | Error) => void }[] = [];
  const query = (_sql: string, values: readonly unknown[]) =>
    new Promise((resolve, reject) => {
      const answer = (rows: unknown[] | Error) => (rows instanceof Error ? reject(rows) : resolve({ rows }));
      asked.push({ values, answer });
    });
  return { asked, db: { query } as unknown as Queryable };
};
type Asked = ReturnType<typeof slowDatabase>['asked'][number];
const sentIn = ({ values }: Asked): string[] =>
  (values[0] as string[]).map((payload) => textOf(JSON.parse(payload) as Ephemeral));

test('what is sent while the database works waits, and follows together', async () => {
  const { asked, db } = slowDatabase();
  const send = ephemeralSender(db, log);
  for (const text of ['1', '2', '3']) {
    send(message(text));
    await turn();
    await turn();
  }
  expect(asked.map(sentIn)).toEqual([['1']]);
  asked[0]?.answer([]);
  await turn();
  expect(asked.map(sentIn)).toEqual([['1'], ['2', '3']]);
});

test('what could not be sent is lost, and what waited for it is sent', async () => {
  const { asked, db } = slowDatabase();
  const send = ephemeralSender(db, log);
  send(message('1'));
  await turn();
  send(message('2'));
  asked[0]?.answer(new Error('the database is away'));
  await turn();
  expect(asked.map(sentIn)).toEqual([['1'], ['2']]);
});

test('more than 1,000 that wait are dropped', async () => {
  const { asked, db } = slowDatabase();
  const send = ephemeralSender(db, log);
  for (let n = 0; n < 1_100; n += 1) send(message(String(n)));
  await turn();
  for (let n = 0; n < 11; n += 1) {
    asked[n]?.answer([]);
    await turn();
  }
  expect(asked.flatMap(sentIn)).toEqual(Array.from({ length: 1_000 }, (_, n) => String(n)));
});

const stageReader = () => {
  const { asked, db } = slowDatabase();
  const told: string[] = [];
  const hear = ephemeralReader(
    db,
    log,
    (channel) => channel === 'room',
    (one) => told.push(textOf(one)),
  );
  return { asked, told, hear, short: (text: string) => hear(JSON.stringify(message(text))) };
};
const stored = (id: string, channel = 'room') => JSON.stringify({ channel, stored: id });

test('a long message is read, and those after it wait', async () => {
  const { asked, told, hear, short } = stageReader();
  short('1');
  hear(stored('long'));
  short('3');
  await turn();
  short('4');
  expect(told).toEqual(['1']);
  asked[0]?.answer([{ id: 'long', message: JSON.stringify(message('2')) }]);
  await turn();
  expect(told).toEqual(['1', '2', '3', '4']);
  expect(asked).toHaveLength(1);
  short('5');
  expect(told.at(-1)).toBe('5');
});

test('a long message that nobody here listens for is not read, and one that is gone stops nobody', async () => {
  const { asked, told, hear, short } = stageReader();
  hear(stored('of others', 'elsewhere'));
  hear(stored('gone'));
  short('after it');
  await turn();
  expect(asked.map(({ values }) => values)).toEqual([[['gone']]]);
  asked[0]?.answer([]);
  await turn();
  expect(told).toEqual(['after it']);
});

test('short messages are told at once, however many come together, and what cannot be read harms nobody', () => {
  const { told, hear, short } = stageReader();
  hear('no message');
  for (let n = 0; n < 1_100; n += 1) short(String(n));
  expect(told).toHaveLength(1_100);
});
