/** What people are told about the review of their tracks. */
import { expect, it } from 'vitest';
import { trackNotifications } from '../../commands/tracking/notifications.ts';
import type { TrackReviewEvent } from '../../domain/tracking/review.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { happened } from '../kit/projected.ts';

const SESSION = id(1);
const ANNA = id(2);
const AT = '2026-03-08T12:00:00.000Z';
const of = { accountId: ANNA, day: '2026-03-08' };
const setAside: TrackReviewEvent = {
  type: 'TrackSetAside',
  data: { ...of, suspicions: [{ kind: 'impossible_speed' }] },
};
const released: TrackReviewEvent = { type: 'TrackReleased', data: of };
const disqualified: TrackReviewEvent = { type: 'TrackDisqualified', data: { ...of, reason: 'a car' } };

/** Who is told of the last event, by each declaration. */
const told = async (...events: TrackReviewEvent[]) => {
  const aggregates = memoryAggregates();
  aggregates.given(`trackReview-${SESSION}`, events);
  const last = happened('trackReview', SESSION, events.at(-1) as TrackReviewEvent, AT);
  const names: string[] = [];
  for (const { name, on, find } of trackNotifications)
    for (const { about } of on.get(last.type)?.(last as never) ?? []) {
      const found = await find(about, { deps: { aggregates } as never, at: AT, eventAt: AT, correlationId: 'request' });
      if (Array.isArray(found) && found[0]?.to === ANNA && found[0].key === SESSION) names.push(name);
    }
  return names;
};

it('the owner is told that a track was set aside, accepted, or disqualified', async () => {
  expect(await told(setAside)).toEqual(['track_set_aside']);
  expect(await told(setAside, released)).toEqual(['track_released']);
  expect(await told(setAside, disqualified)).toEqual(['track_disqualified']);
});

it('what is no longer so disappears unread', async () => {
  const takenBack = (event: TrackReviewEvent) =>
    Promise.all(
      trackNotifications
        .filter(({ takenBackBy }) => takenBackBy.has(event.type))
        .map(async ({ name, takenBackBy }) => [
          name,
          await takenBackBy.get(event.type)?.(happened('trackReview', SESSION, event, AT) as never, {} as never),
        ]),
    );
  expect(await takenBack(released)).toMatchObject([
    ['track_set_aside', [{ to: ANNA, key: SESSION }]],
    ['track_disqualified', [{ to: ANNA, key: SESSION }]],
  ]);
});
