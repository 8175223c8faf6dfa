/** Reads lifts and slopes from GeoJSON in the form of OpenSkiMap (openskimap.org), and finds what connects them. */

import { Type } from '@sinclair/typebox';
import { Rejected } from '../../domain/core/decider.ts';
import { LineOrField } from '../../domain/resort/geometry.ts';
import { LiftDetails, lift as liftDecider, liftKinds } from '../../domain/resort/lift.ts';
import { difficulties, SlopeDetails, slope as slopeDecider } from '../../domain/resort/slope.ts';
import { typedLine } from '../../infra/typedText.ts';
import { explain, validator } from '../../infra/validation.ts';
import { connect } from './connections.ts';

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
const isLift = validator(LiftDetails);
const isSlope = validator(SlopeDetails);

type ImportedLift = Omit<LiftDetails, 'schedule' | 'sourceId'> & { readonly sourceId: string };
type ImportedSlope = Omit<SlopeDetails, 'schedule' | 'sourceId' | 'groomedAt'> & { readonly sourceId: string };
export interface Imported {
  readonly lifts: readonly ImportedLift[];
  readonly slopes: readonly ImportedSlope[];
  /** What was left out, and why: a line each. */
  readonly skipped: readonly string[];
  /** What the file does not say, and what is taken for it: a line each. */
  readonly assumed: readonly string[];
  /** Slopes that no lift or slope leads to, or that lead nowhere: a line each. */
  readonly unconnected: readonly string[];
}
export type IdOf = (noun: 'lift' | 'slope', sourceId: string) => string;

/** OpenSkiMap's own ids follow from the geometry and change with it; those of the source stay. */
const sourceIdOf = ({ id, sources }: Feature['properties']): string => {
  const [source] = sources ?? [];
  return typedLine(source ? `${source.type}:${source.id}` : id);
};

/** Others are planned, being built or given up. */
const OPERATING = 'operating';
/** Runs that are skied down, and those that connect them. Others, such as cross-country tracks, are not slopes. */
const CONNECTION = 'connection';
const SKIED = ['downhill', CONNECTION, 'snow_park'];
const isSkied = ({ uses }: Feature['properties']): boolean => !uses?.length || uses.some((use) => SKIED.includes(use));

const own = { description: '', lengthM: null, bottomAltitudeM: null, topAltitudeM: null };

/**
 * @param idOf the id of a lift or slope by its source id
 * @throws Error when it is no collection of features
 */
export const readOpenSkiMap = (collection: unknown, idOf: IdOf): Imported => {
  if (!isCollection(collection)) throw new Error(`This is no GeoJSON with features: ${explain(isCollection.errors)}`);
  const { lifts, slopes, skipped, assumed } = sorted(collection.features);
  const connected = connect([...lifts.values()], [...slopes.values()], idOf);
  return { lifts: [...lifts.values()], ...connected, skipped, assumed: [...assumed, ...connected.assumed] };
};

const nameOf = ({ name }: Feature['properties'], sourceId: string): string => typedLine(name ?? '') || sourceId;

/** What is known of something that is no feature as it should be, so that a person finds it in the file. */
const hintOf = (feature: unknown): string => {
  const { properties } = (feature ?? {}) as { properties?: { id?: unknown; name?: unknown; type?: unknown } };
  const known = [properties?.type, properties?.id, properties?.name].filter((each) => typeof each === 'string');
  return known.length === 0 ? '' : ` (${typedLine(known.join(', ')).slice(0, 200)})`;
};

/** Why the rules for lifts and slopes refuse something; undefined: they do not. */
const refusalOf = (decide: () => unknown): string | undefined => {
  try {
    decide();
    return undefined;
  } catch (error) {
    if (error instanceof Rejected) return error.message;
    throw error;
  }
};
const liftFault = (lift: ImportedLift): string | undefined => {
  const details = { ...lift, schedule: null };
  if (!isLift(details)) return explain(isLift.errors);
  return refusalOf(() => liftDecider.decide({ type: 'AddFacility', details }, liftDecider.initial));
};
const slopeFault = (slope: ImportedSlope): string | undefined => {
  const details = { ...slope, schedule: null, groomedAt: null };
  if (!isSlope(details)) return explain(isSlope.errors);
  return refusalOf(() => slopeDecider.decide({ type: 'AddFacility', details }, slopeDecider.initial));
};

/** Lifts and slopes by source id, each as the rules of the platform allow it. */
const sorted = (features: readonly unknown[]) => {
  const lifts = new Map<string, ImportedLift>();
  const slopes = new Map<string, ImportedSlope>();
  const skipped: string[] = [];
  const assumed: string[] = [];
  for (const [n, feature] of features.entries()) {
    const skip = (why: string) => void skipped.push(`feature ${n + 1}: ${why}`);
    if (!isFeature(feature)) {
      skip(`${explain(isFeature.errors)}${hintOf(feature)}`);
      continue;
    }
    const { properties } = feature;
    const { type, status } = properties;
    const sourceId = sourceIdOf(properties);
    const named = `the ${type} ${sourceId}`;
    if ((status ?? OPERATING) !== OPERATING) skip(`${type} ${sourceId} is ${status}`);
    else if (type === 'run' && !isSkied(properties)) skip(`${named} is for ${properties.uses?.join(', ')}`);
    else if (type !== 'lift' && type !== 'run') skip(`${type} is neither a lift nor a run`);
    else if ((type === 'lift' ? lifts : slopes).has(sourceId))
      skip(`${named} is in the file twice: the first one counts`);
    else if (type === 'lift') {
      const lift = liftOf(feature, sourceId);
      const fault = typeof lift === 'string' ? lift : liftFault(lift);
      if (typeof lift === 'string' || fault !== undefined) skip(typeof lift === 'string' ? lift : `${named}: ${fault}`);
      else lifts.set(sourceId, lift);
    } else {
      const { slope, note } = slopeOf(feature, sourceId);
      const fault = slopeFault(slope);
      if (fault !== undefined) skip(`${named}: ${fault}`);
      else {
        slopes.set(sourceId, slope);
        if (note) assumed.push(note);
      }
    }
  }
  return { lifts, slopes, skipped, assumed };
};

/** @returns the lift, or why it is left out */
const liftOf = ({ properties, geometry }: Feature, sourceId: string): ImportedLift | string => {
  if (geometry.type !== 'LineString') return `the lift ${sourceId} is no line`;
  const kind = liftKinds.find((each) => each === properties.liftType?.replace('-', '_'));
  if (!kind) return `the lift ${sourceId} is of an unknown type, ${properties.liftType}`;
  const name = nameOf(properties, sourceId);
  return { ...own, sourceId, name, kind, geometry, capacityPerHour: null, rideMinutes: null };
};

/** A connection is for everybody. Of another run whose difficulty is not known, only those who ski everything can be sure. */
const slopeOf = (
  { properties, geometry }: Feature,
  sourceId: string,
): { readonly slope: ImportedSlope; readonly note: string | null } => {
  const { difficulty: told, uses } = properties;
  const known = difficulties.find((each) => each === told);
  const difficulty = known ?? (uses?.includes(CONNECTION) ? 'novice' : 'freeride');
  const name = nameOf(properties, sourceId);
  const slope = { ...own, sourceId, name, difficulty, geometry, fromLifts: [], toLifts: [], toSlopes: [] };
  const why = uses?.includes(CONNECTION) ? 'a connection' : 'a run';
  return {
    slope,
    note: known ? null : `${name} (${sourceId}) is ${why} of unknown difficulty: taken as ${difficulty}`,
  };
};
