import { expect, it } from 'vitest';
import type { TrackReviewEvent } from '../../domain/tracking/review.ts';
import { trackReviews } from '../../projections/tracking/reviews.ts';
import { happened, projection } from '../kit/projected.ts';
import { DAY, OWNER, SESSION, VIEWER } from './fixtures.ts';

const of = { accountId: OWNER, day: DAY };
const AT = '2026-01-10T14:00:00.000Z';
const LATER = '2026-01-11T09:00:00.000Z';
const at = (time: string, event: TrackReviewEvent) => happened('trackReview', SESSION, event, time);
const rowsAfter = projection(trackReviews);

const copied = at(AT, {
  type: 'TrackSetAside',
  data: { ...of, suspicions: [{ kind: 'same_track', otherSessionId: VIEWER }] },
});
const mocked = at(LATER, { type: 'TrackSetAside', data: { ...of, suspicions: [{ kind: 'mock_location' }] } });
const disqualified = at(LATER, { type: 'TrackDisqualified', data: { ...of, reason: 'A car.' } });
const known = { id: SESSION, account_id: OWNER, day: DAY };

it('lists all suspicions, and what was decided last', () => {
  const suspicions = [{ kind: 'same_track', other_session_id: VIEWER }, { kind: 'mock_location' }];
  expect(rowsAfter([copied, mocked])).toEqual([
    { ...known, status: 'set_aside', suspicions, reason: null, created_at: AT, updated_at: LATER },
  ]);
  expect(rowsAfter([copied, mocked, disqualified])).toMatchObject([{ status: 'disqualified', reason: 'A car.' }]);
  const released = at(LATER, { type: 'TrackReleased', data: of });
  expect(rowsAfter([copied, disqualified, released])).toMatchObject([{ status: 'released', reason: null }]);
});

it('has a track that an admin disqualified on their own, and none that is gone', () => {
  expect(rowsAfter([disqualified])).toMatchObject([{ ...known, suspicions: [], created_at: LATER }]);
  const discarded = happened('trackingSession', SESSION, { type: 'TrackingSessionDiscarded', data: of }, LATER);
  expect(rowsAfter([copied, discarded])).toEqual([]);
});
