import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen } from '../../infra/listen.ts';
import { inTransaction } from '../../infra/postgres.ts';
import { appendChanges, CHANGES_CHANNEL, changedChannels } from '../../projections/engine/changes.ts';
import { createChangeLog, PAGE } from '../../realtime/hub/changeLog.ts';
import { statementsOf } from '../kit/counts.ts';
import { until } from '../kit/until.ts';
import { log, range, type Stage, startStage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage('ws');
});
afterAll(() => stage.stop());

test('only the changes of the named channels are read, and the others are passed over', async () => {
  const changeLog = createChangeLog(stage.pool);
  const { id: start } = await changeLog.head();
  await stage.write('a', 2);
  await stage.write('b', 3);
  await stage.write('a', 1);
  await stage.write('c', 1);
  const { id: end } = await changeLog.head();
  const seen = async (channels?: readonly string[]) => {
    const { changes, upTo } = await changeLog.after(start, channels);
    return { changes: changes.map(({ channel, offset }) => `${channel}${offset}`), upTo };
  };
  expect(await seen(['a', 'x'])).toEqual({ changes: ['a1', 'a2', 'a3'], upTo: end });
  expect(await seen([])).toEqual({ changes: [], upTo: end });
  expect(await seen()).toEqual({ changes: ['a1', 'a2', 'b1', 'b2', 'b3', 'a3', 'c1'], upTo: end });
});

test('a full page goes up to its last change', async () => {
  const changeLog = createChangeLog(stage.pool);
  const { id: start } = await changeLog.head();
  await stage.write('d', PAGE + 2);
  await stage.write('e');
  const first = await changeLog.after(start, ['d']);
  expect(first.changes.map(({ offset }) => offset)).toEqual(range(1, PAGE));
  expect(first.upTo).toBe(first.changes.at(-1)?.id);
  const second = await changeLog.after(first.upTo, ['d']);
  expect(second.changes.map(({ offset }) => offset)).toEqual([PAGE + 1, PAGE + 2]);
  expect(second.upTo).toBe((await changeLog.head()).id);
});

test('many who subscribe at once share statements, and each gets the page of its own cursor', async () => {
  const changeLog = createChangeLog(stage.pool);
  await stage.write('f', 3);
  await stage.write('g', 1);
  const asked = range(0, 199).map((n) => ({
    channel: ['f', 'g', 'none'][n % 3] as string,
    offset: n % 4 || undefined,
  }));
  let pages: Awaited<ReturnType<typeof changeLog.page>>[] = [];
  const statements = await statementsOf('spec', async () => {
    pages = await Promise.all(asked.map(({ channel, offset }) => changeLog.page(channel, offset)));
  });
  expect(statements.length).toBeLessThanOrEqual(8);
  for (const [n, { channel, offset }] of asked.entries()) {
    const last = { f: 3, g: 1, none: 0 }[channel] ?? 0;
    const page = pages[n];
    expect(page?.last).toBe(last);
    expect(page?.epoch).toEqual(expect.any(String));
    const got = page?.changes.map((change) => [change.channel, change.offset]);
    expect(got).toEqual(offset === undefined ? [] : range(offset + 1, last).map((each) => [channel, each]));
  }
});

test('many who ask at once whether their access has begun share statements', async () => {
  const changeLog = createChangeLog(stage.pool);
  const [leaver, joiner, other] = [randomUUID(), randomUUID(), randomUUID()];
  const at = new Date().toISOString();
  const change = { channel: 'h', type: 'thing.updated', data: '{}', at };
  await inTransaction(stage.pool, (client) =>
    appendChanges(client, [
      { ...change, endsFor: leaver },
      { ...change, startsFor: joiner },
      { ...change, startsFor: leaver },
    ]),
  );
  let found: unknown[] = [];
  const statements = await statementsOf('spec', async () => {
    const questions = [
      [0, leaver],
      [3, leaver],
      [0, joiner],
      [2, joiner],
      [0, other],
    ] as const;
    found = await Promise.all(questions.map(([offset, who]) => changeLog.accessBeganAfter('h', offset, who)));
  });
  expect(found).toEqual([true, false, true, false, false]);
  expect(statements).toHaveLength(1);
});

test('a notification names the channels that have changed, unless they are too many', async () => {
  const payloads: string[] = [];
  const options = { applicationName: 'spec', log };
  const listener = await listen(stage.url, [CHANGES_CHANNEL], (_, payload) => payloads.push(payload), options);
  await stage.write('a', 3);
  await until(() => payloads.length === 1);
  expect(payloads.map(changedChannels)).toEqual([['a']]);
  await stage.write('x'.repeat(8_000), 1);
  await until(() => payloads.length === 2);
  expect(changedChannels(payloads[1] ?? 'none')).toBeUndefined();
  await listener.stop();
});

describe('what was withdrawn', () => {
  const told = (channel: string, type: string, id: string, body: string | null, isWithdrawal = false) => ({
    ...{ channel, type, data: JSON.stringify({ id, body, about: 'x1' }), at: '2026-01-01T00:00:00Z' },
    ofRow: id,
    withdraws: isWithdrawal ? { id, instead: JSON.stringify({ id, body: 'gone' }) } : null,
  });
  const append = (...changes: Parameters<typeof appendChanges>[1]) =>
    inTransaction(stage.pool, (client) => appendChanges(client, changes));
  const bodiesIn = async (channel: string) => {
    const { changes } = await createChangeLog(stage.pool).page(channel, 0);
    return changes.map(({ offset, frame }) => {
      const { type, data } = JSON.parse(Buffer.from(frame(channel)).toString());
      return [offset, type, data.body];
    });
  };
  const [first, second] = [randomUUID(), randomUUID()];

  test('is not told to who resumes, and no number is missing', async () => {
    const post = (type: string, id: string, body: string | null, isWithdrawal?: boolean) =>
      told('withdrawn', type, id, body, isWithdrawal);
    await append(post('post.created', first, 'Anna lives at No. 5'), post('post.created', second, 'Hello'));
    await append(post('vote.created', first, 'another kind'), post('post.updated', first, 'She lives at No. 5'));
    await append(post('post.updated', first, 'No. 5', true), post('post.updated', first, null, true));
    expect(await bodiesIn('withdrawn')).toEqual([
      [1, 'post.created', null],
      [2, 'post.created', 'Hello'],
      [3, 'vote.created', 'another kind'],
      [4, 'post.updated', null],
      [5, 'post.updated', null],
      [6, 'post.updated', null],
    ]);
  });

  test('shows nothing newer to those whose access ended before: a hub may not have sent it yet', async () => {
    const post = (type: string, body: string, isWithdrawal?: boolean) => told('left', type, first, body, isWithdrawal);
    const left = { ...told('left', 'member.removed', second, null), endsFor: randomUUID() };
    await append(post('post.created', 'a'), post('post.updated', 'b', true));
    await append(left, post('post.updated', 'c', true));
    await append(post('post.updated', 'd', true));
    expect(await bodiesIn('left')).toEqual([
      [1, 'post.created', 'gone'],
      [2, 'post.updated', 'gone'],
      [3, 'member.removed', null],
      [4, 'post.updated', 'd'],
      [5, 'post.updated', 'd'],
    ]);
  });
});
