/** Which tracks are set aside, and what admins can decide about them. */
import { describe, expect, it } from 'vitest';
import { disqualifyTrack } from '../../commands/tracking/review.ts';
import { DAY_MS } from '../../domain/core/instants.ts';
import { isCopy, printOf, suspicionsOf } from '../../domain/tracking/plausibility.ts';
import type { Fix } from '../../domain/tracking/point.ts';
import { type TrackReviewEvent, trackReview } from '../../domain/tracking/review.ts';
import { trackingSession } from '../../domain/tracking/session.ts';
import { summarise } from '../../domain/tracking/summary.ts';
import { contextOf } from '../kit/context.ts';
import { specification } from '../kit/given.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { finished, idOf, started, totals } from './fixtures.ts';
import { skier } from './synthetic.ts';

const given = specification(trackReview);
const of = { accountId: '018f0000-0000-7000-8000-00000000000a', day: '2026-12-30' };
const setAside = (...kinds: ('same_track' | 'mock_location')[]): TrackReviewEvent => ({
  type: 'TrackSetAside',
  data: { ...of, suspicions: kinds.map((kind) => ({ kind })) },
});
const disqualified: TrackReviewEvent = { type: 'TrackDisqualified', data: { ...of, reason: 'A car.' } };
const released: TrackReviewEvent = { type: 'TrackReleased', data: of };

describe('a review', () => {
  it('sets a track aside once for each suspicion', () => {
    const command = { type: 'SetTrackAside', ...of, suspicions: [{ kind: 'same_track' }] } as const;
    given([])
      .when(command)
      .thenOnce([setAside('same_track')]);
    given([setAside('mock_location')])
      .when(command)
      .thenOnce([setAside('same_track')]);
  });

  it('does not bring a suspicion back that an admin has dismissed, or doubt what is disqualified', () => {
    const command = { type: 'SetTrackAside', ...of, suspicions: [{ kind: 'same_track' }] } as const;
    given([setAside('same_track'), released])
      .when(command)
      .then([]);
    given([setAside('mock_location'), released])
      .when(command)
      .then([setAside('same_track')]);
    given([disqualified]).when(command).then([]);
  });

  it('disqualifies any track, and releases those that were set aside', () => {
    const disqualify = { type: 'DisqualifyTrack', ...of, reason: 'A car.' } as const;
    const release = { type: 'ReleaseTrack', ...of } as const;
    for (const before of [[], [setAside('same_track')], [setAside('same_track'), released]])
      given(before).when(disqualify).thenOnce([disqualified]);
    for (const before of [[setAside('same_track')], [disqualified]]) given(before).when(release).thenOnce([released]);
    given([]).when(release).then('invalid_transition');
  });
});

describe('suspicions', () => {
  const kindsOf = (changes: Partial<typeof totals>, isMocked = false) =>
    suspicionsOf({ points: 100, ...totals, movingS: 7_200, ...changes }, isMocked).map(({ kind }) => kind);

  it('are what no human reaches', () => {
    expect(kindsOf({})).toEqual([]);
    expect(kindsOf({ maxSpeedKmh: 131 })).toEqual(['impossible_speed']);
    expect(kindsOf({ verticalM: 40_001 })).toEqual(['impossible_vertical']);
    expect(kindsOf({ verticalM: 7_300, movingS: 720 })).toEqual(['impossible_vertical']);
    expect(kindsOf({ distanceM: 300_001 })).toEqual(['impossible_distance']);
    expect(kindsOf({}, true)).toEqual(['mock_location']);
  });

  it('are none of a fast racer', () => {
    const { fixes } = skier({ seed: 3 }).run(900, 28).lift(900).run(900, 30);
    expect(suspicionsOf(summarise(fixes), false)).toEqual([]);
  });
});

describe('fingerprints', () => {
  const day = (seed: number): Fix[] => skier({ seed }).run(300, 12).lift(300).run(300, 14).fixes;
  const print = printOf(day(1));

  it('recognise the same places at other times, in another order, with points missing', () => {
    const copy = day(1)
      .map((fix) => ({ ...fix, at: fix.at + DAY_MS }))
      .filter(({ seq }) => seq % 5 !== 0)
      .toReversed();
    expect(isCopy(print, printOf(copy))).toBe(true);
    expect(isCopy(print, print)).toBe(true);
  });

  it('do not confuse two people who ski side by side', () => {
    for (let seed = 2; seed < 30; seed += 1) expect(isCopy(print, printOf(day(seed)))).toBe(false);
  });

  it('say nothing about a few places', () => {
    const few = day(1).slice(0, 20);
    expect(printOf(few)).toEqual([]);
    expect(isCopy(printOf(few), printOf(few))).toBe(false);
  });
});

it('an admin decides on a track that is finished', async () => {
  const aggregates = memoryAggregates();
  const [sessionId, admin] = [idOf(1), contextOf(idOf(9), 'admin')];
  const decide = () => disqualifyTrack({ aggregates }, admin, sessionId, 'A car.');
  await expect(decide()).rejects.toMatchObject({ code: 'not_found' });
  aggregates.given(`${trackingSession.category}-${sessionId}`, [started]);
  await expect(decide()).rejects.toMatchObject({ code: 'invalid_transition' });
  aggregates.given(`${trackingSession.category}-${sessionId}`, [finished()]);
  await decide();
  expect(aggregates.stateOf(trackReview, sessionId).status).toBe('disqualified');
});
