/** What the read models of leaderboards make of any history. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnyEvent } from '../../domain/core/decider.ts';
import { bucketOf, metricNames, metrics } from '../../domain/leaderboards/score.ts';
import { toSnake } from '../../infra/naming.ts';
import { leaderboardBuckets } from '../../projections/leaderboards/buckets.ts';
import { leaderboardPeople } from '../../projections/leaderboards/displayNames.ts';
import { leaderboardScores } from '../../projections/leaderboards/scores.ts';
import { happened, projection } from '../kit/projected.ts';
import { anyHistory, boardsBySum, play, sumOnBoard } from './history.ts';

const scoresAfter = projection(leaderboardScores);
const bucketsAfter = projection(leaderboardBuckets);
const peopleAfter = projection(leaderboardPeople);

const recorded = (history: Parameters<typeof play>[0]) => {
  const played = play(history);
  const events = played.events.map(({ accountId, event }) =>
    happened('skier', accountId, event, '2026-12-30T09:00:00.000Z'),
  );
  return { ...played, recorded: events };
};

const sortedRows = (rows: readonly object[]): string[] => rows.map((row) => JSON.stringify(row)).toSorted();

it('a name that was removed is not shown until another one is chosen', () => {
  const accountId = '018f0000-0000-7000-8000-000000000001';
  const on = (event: AnyEvent) => happened('skier', accountId, event, '2026-12-30T09:00:00.000Z');
  const named = (displayName: string) => on({ type: 'LeaderboardJoined', data: { accountId, displayName } });
  const removed = on({ type: 'LeaderboardNameRemoved', data: { accountId, reason: 'rude' } });
  const [without] = peopleAfter([named('Fast Anna'), removed]);
  expect(without).toMatchObject({ account_id: accountId, display_name: null, removal_reason: 'rude' });
  const another = named('Slow Anna');
  const [again] = peopleAfter([named('Fast Anna'), removed, another]);
  expect(again).toMatchObject({ name_id: another.id, display_name: 'Slow Anna', removal_reason: null });
  const restored = on({ type: 'LeaderboardNameRestored', data: { accountId, displayName: 'Fast Anna' } });
  const [back] = peopleAfter([named('Fast Anna'), removed, restored]);
  expect(back).toMatchObject({ display_name: 'Fast Anna', removal_reason: null });
  const [chosen] = peopleAfter([named('Fast Anna'), removed, another, restored]);
  expect(chosen).toMatchObject({ display_name: 'Slow Anna' });
});

describe('after any history', () => {
  it('boards show exactly who takes part, with what their tracks come to', () => {
    fc.assert(
      fc.property(anyHistory(6, 120), (history) => {
        const { recorded: events, states } = recorded(history);
        const expected = [...boardsBySum({ states })].flatMap(([board, people]) =>
          [...people].map(([account_id, score]) => ({ board, account_id, ...toSnake(score) })),
        );
        expect(sortedRows(scoresAfter(events))).toEqual(sortedRows(expected));
        for (const [accountId, state] of states)
          for (const [board, score] of Object.entries(state.boards))
            expect([accountId, board, score]).toEqual([accountId, board, sumOnBoard(state, board)]);
      }),
      { numRuns: 40 },
    );
  });

  it('buckets count exactly the people of the boards', () => {
    fc.assert(
      fc.property(anyHistory(6, 120), (history) => {
        const { recorded: events, states } = recorded(history);
        const counts = new Map<string, { board: string; metric: string; bucket: number; people: number }>();
        for (const [board, people] of boardsBySum({ states }))
          for (const score of people.values())
            for (const metric of metricNames) {
              const bucket = bucketOf(score[metrics[metric]]);
              const key = `${board} ${metric} ${bucket}`;
              counts.set(key, { board, metric, bucket, people: (counts.get(key)?.people ?? 0) + 1 });
            }
        expect(sortedRows(bucketsAfter(events))).toEqual(sortedRows([...counts.values()]));
      }),
      { numRuns: 40 },
    );
  });

  it('only those who take part have a name', () => {
    fc.assert(
      fc.property(anyHistory(6, 60), (history) => {
        const { recorded: events, states } = recorded(history);
        const named = [...states].flatMap(([account_id, { displayName }]) =>
          displayName === null ? [] : [{ account_id, display_name: displayName }],
        );
        const rows = peopleAfter(events).map(({ account_id, display_name }) => ({ account_id, display_name }));
        expect(sortedRows(rows)).toEqual(sortedRows(named));
      }),
      { numRuns: 20 },
    );
  });
});
