/** A person with a phone and a watch counts once: for the time that both record, the track counts that was seen first. */
import type { Span } from '../../domain/tracking/area.ts';
import { isCounted, trackReview } from '../../domain/tracking/review.ts';
import type { TrackingDeps } from './deps.ts';
import { spansOf } from './points.ts';
import { ownTracksAt, type SeenTrack } from './trackFingerprints.ts';

type Deps = Pick<TrackingDeps, 'aggregates' | 'pool'>;

/** When other devices of the person recorded, whose tracks were seen before this one and count. */
export const recordedBefore = async ({ aggregates, pool }: Deps, track: SeenTrack): Promise<Span[]> => {
  const spans: Span[] = [];
  for (const other of await ownTracksAt(pool, track)) {
    if (other.isLater || !isCounted((await aggregates.load(trackReview, other.sessionId)).state)) continue;
    spans.push(...(await spansOf(pool, other)));
  }
  return spans;
};
