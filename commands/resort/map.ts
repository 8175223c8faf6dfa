/** The map by which tracks are measured: the lines of the lifts, and the ground of lifts and slopes. */
import { MINUTE_MS } from '../../domain/core/instants.ts';
import { altitudesOf, cornersOf, endsOf } from '../../domain/resort/geometry.ts';
import { type LiftDetails, lift } from '../../domain/resort/lift.ts';
import { slope } from '../../domain/resort/slope.ts';
import type { ResortMap } from '../../domain/tracking/area.ts';
import type { LiftLine } from '../../domain/tracking/lifts.ts';
import type { CoreDeps } from '../core/deps.ts';
import { jobIds } from '../core/jobs.ts';
import { liftStateJob, slopeStateJob } from './tellStates.ts';

/** A changed lift or slope is noticed after this time. */
const MAX_AGE_MS = MINUTE_MS;

const lineOf = (id: string, { geometry, bottomAltitudeM, topAltitudeM }: LiftDetails): LiftLine => {
  const { bottom, top } = endsOf(geometry, 'up');
  const known = altitudesOf(geometry);
  const station = ([lon = 0, lat = 0]: readonly number[] = [], alt: number | null) => ({ lon, lat, alt });
  return {
    id,
    bottom: station(bottom[0], bottomAltitudeM ?? known.bottom),
    top: station(top[0], topAltitudeM ?? known.top),
  };
};

/** Each lift and slope has a job that tells its state, from its first event until it is retired. */
const mapNow = async ({ aggregates, pool }: Pick<CoreDeps, 'aggregates' | 'pool'>): Promise<ResortMap> => {
  const [liftIds, slopeIds] = await Promise.all([jobIds(pool, liftStateJob.kind), jobIds(pool, slopeStateJob.kind)]);
  const options = { maxAgeMs: MAX_AGE_MS };
  const loaded = {
    lifts: await Promise.all(liftIds.map(async (id) => ({ id, ...(await aggregates.load(lift, id, options)) }))),
    slopes: await Promise.all(slopeIds.map((id) => aggregates.load(slope, id, options))),
  };
  const lifts = loaded.lifts.flatMap(({ id, state }) =>
    state.status === 'operated' ? [{ id, ...state.details }] : [],
  );
  const slopes = loaded.slopes.flatMap(({ state }) => (state.status === 'operated' ? [state.details] : []));
  return {
    lifts: lifts.map((one) => lineOf(one.id, one)),
    grounds: [...lifts, ...slopes].map(({ geometry }) => cornersOf(geometry)),
  };
};

/** The map of a resort, read again when it is a minute old. */
export const resortMapOf = (deps: Pick<CoreDeps, 'aggregates' | 'pool'>): (() => Promise<ResortMap>) => {
  let known: { readonly until: number; readonly map: Promise<ResortMap> } | undefined;
  return () => {
    const now = performance.now();
    if (known && now < known.until) return known.map;
    const map = mapNow(deps);
    known = { until: now + MAX_AGE_MS, map };
    map.catch(() => {
      known = undefined;
    });
    return map;
  };
};
