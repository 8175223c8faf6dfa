/** Reads lifts and slopes from GeoJSON in the form of OpenSkiMap (openskimap.org), and finds what connects them. */

import { Type } from '@sinclair/typebox';
import { areNear, endsOf, LineOrField } from '../../domain/resort/geometry.ts';
import { type LiftDetails, liftKinds } from '../../domain/resort/lift.ts';
import { difficulties, type SlopeDetails } from '../../domain/resort/slope.ts';
import { typedLine } from '../../infra/typedText.ts';
import { explain, validator } from '../../infra/validation.ts';

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const Feature = Type.Object({
  properties: Type.Object({
    type: Type.String(),
    id: Type.String(),
    name: Text,
    liftType: Text,
    difficulty: Text,
    status: Text,
    uses: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
    sources: Type.Optional(
      Type.Array(Type.Object({ type: Type.String(), id: Type.Union([Type.String(), Type.Number()]) })),
    ),
  }),
  geometry: LineOrField,
});
type Feature = (typeof Feature)['static'];
const isFeature = validator(Feature);
const isCollection = validator(Type.Object({ features: Type.Array(Type.Unknown()) }));

export interface Imported {
  readonly lifts: readonly (Omit<LiftDetails, 'schedule' | 'sourceId'> & { readonly sourceId: string })[];
  readonly slopes: readonly (Omit<SlopeDetails, 'schedule' | 'sourceId' | 'groomedAt'> & {
    readonly sourceId: string;
  })[];
  /** What was left out, and why: a line each. */
  readonly skipped: readonly string[];
  /** Slopes that no lift or slope leads to, or that lead nowhere: a line each. */
  readonly unconnected: readonly string[];
}

/** OpenSkiMap's own ids follow from the geometry and change with it; those of the source stay. */
const sourceIdOf = ({ id, sources }: Feature['properties']): string => {
  const [source] = sources ?? [];
  return source ? `${source.type}:${source.id}` : id;
};

/** Others are planned, being built or given up. */
const OPERATING = 'operating';
/** Runs that are skied down, and those that connect them. Others, such as cross-country tracks, are not slopes. */
const SKIED = ['downhill', 'connection', 'snow_park'];
const isSkied = ({ uses }: Feature['properties']): boolean => !uses?.length || uses.some((use) => SKIED.includes(use));

const own = { description: '', lengthM: null, bottomAltitudeM: null, topAltitudeM: null };

/**
 * @param idOf the id of a lift or slope by its source id
 * @throws Error when it is no collection of features
 */
export const readOpenSkiMap = (
  collection: unknown,
  idOf: (noun: 'lift' | 'slope', sourceId: string) => string,
): Imported => {
  if (!isCollection(collection)) throw new Error(`This is no GeoJSON with features: ${explain(isCollection.errors)}`);
  const { lifts, runs, skipped } = sorted(collection.features);
  const slopes = connected(lifts, runs, idOf);
  return { lifts: [...lifts.values()], slopes, skipped, unconnected: deadEnds(slopes, idOf) };
};

type IdOf = Parameters<typeof readOpenSkiMap>[1];
type Lift = Imported['lifts'][number];
type Slope = Imported['slopes'][number];

const nameOf = ({ name }: Feature['properties'], sourceId: string): string => typedLine(name ?? '') || sourceId;

/** Lifts, and the runs that become slopes, by source id. */
const sorted = (features: readonly unknown[]) => {
  const lifts = new Map<string, Lift>();
  const runs = new Map<string, Feature>();
  const skipped: string[] = [];
  for (const [n, feature] of features.entries()) {
    const skip = (why: string) => void skipped.push(`feature ${n + 1}: ${why}`);
    if (!isFeature(feature)) {
      skip(explain(isFeature.errors));
      continue;
    }
    const { properties } = feature;
    const sourceId = sourceIdOf(properties);
    if ((properties.status ?? OPERATING) !== OPERATING) skip(`${properties.type} ${sourceId} is ${properties.status}`);
    else if (properties.type === 'run' && !isSkied(properties))
      skip(`the run ${sourceId} is for ${properties.uses?.join(', ')}`);
    else if (properties.type === 'run') runs.set(sourceId, feature);
    else if (properties.type !== 'lift') skip(`${properties.type} is neither a lift nor a run`);
    else {
      const lift = liftOf(feature, sourceId);
      if (typeof lift === 'string') skip(lift);
      else lifts.set(sourceId, lift);
    }
  }
  return { lifts, runs, skipped };
};

/** @returns the lift, or why it is left out */
const liftOf = ({ properties, geometry }: Feature, sourceId: string): Lift | string => {
  if (geometry.type !== 'LineString') return `the lift ${sourceId} is no line`;
  const kind = liftKinds.find((each) => each === properties.liftType?.replace('-', '_'));
  if (!kind) return `the lift ${sourceId} is of an unknown type, ${properties.liftType}`;
  const name = nameOf(properties, sourceId);
  return { ...own, sourceId, name, kind, geometry, capacityPerHour: null, rideMinutes: null };
};

/** The slopes, each with the lifts and slopes that begin or end near its own ends. */
const connected = (lifts: ReadonlyMap<string, Lift>, runs: ReadonlyMap<string, Feature>, idOf: IdOf): Slope[] => {
  const liftEnds = [...lifts].map(([sourceId, { geometry }]) => ({
    id: idOf('lift', sourceId),
    ...endsOf(geometry, 'up'),
  }));
  const slopeEnds = [...runs].map(([sourceId, { geometry }]) => ({
    id: idOf('slope', sourceId),
    ...endsOf(geometry, 'down'),
  }));
  return [...runs].map(([sourceId, { properties, geometry }], n) => {
    const { id, top, bottom } = slopeEnds[n] as (typeof slopeEnds)[number];
    return {
      ...own,
      sourceId,
      name: nameOf(properties, sourceId),
      difficulty: difficulties.find((each) => each === properties.difficulty) ?? 'freeride',
      geometry,
      fromLifts: liftEnds.filter((lift) => areNear(lift.top, top)).map((lift) => lift.id),
      toLifts: liftEnds.filter((lift) => areNear(bottom, lift.bottom)).map((lift) => lift.id),
      toSlopes: slopeEnds.filter((other) => other.id !== id && areNear(bottom, other.top)).map((other) => other.id),
    };
  });
};

/** A line for each slope that nothing leads to, or that leads nowhere. */
const deadEnds = (slopes: readonly Slope[], idOf: IdOf): string[] => {
  const reached = new Set(slopes.flatMap(({ toSlopes }) => toSlopes));
  return slopes.flatMap(({ name, sourceId, fromLifts, toLifts, toSlopes }) => {
    const isReached = fromLifts.length > 0 || reached.has(idOf('slope', sourceId));
    const leadsOn = toLifts.length + toSlopes.length > 0;
    return [
      ...(isReached ? [] : [`nothing leads to ${name} (${sourceId})`]),
      ...(leadsOn ? [] : [`${name} (${sourceId}) leads nowhere`]),
    ];
  });
};
