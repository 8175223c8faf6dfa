/**
 * All flags and segments. They are one aggregate, because they refer to each other and several are switched in one
 * decision; its one stream is `flagRules-<ONLY_ONE>`.
 */
import { isDeepStrictEqual } from 'node:util';
import { Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, notFound, Rejected } from '../core/decider.ts';
import { ImmutableMap } from '../core/immutableMap.ts';
import { Nullable, Uuid } from '../core/schema.ts';
import { type Flag, FlagDefinition, FlagKey, type FlagRules, SegmentDefinition } from './flag.ts';
import { checkConstraints, checkDefinition, childrenOf, usersOf } from './flagProblems.ts';

/** Why, in the words of the admin. */
export const ChangeReason = Type.String({ minLength: 1, maxLength: 500 });
const why = { reason: Nullable(ChangeReason) };
const Enabled = Type.Boolean();

const flagRulesEvents = {
  FeatureFlagCreated: {
    data: Type.Object({ key: FlagKey, enabled: Enabled, definition: FlagDefinition, ...why }),
  },
  FeatureFlagRedefined: { data: Type.Object({ key: FlagKey, definition: FlagDefinition, ...why }) },
  FeatureFlagSwitched: { data: Type.Object({ key: FlagKey, enabled: Enabled, ...why }) },
  FeatureFlagDeleted: { data: Type.Object({ key: FlagKey }) },
  FlagSegmentDefined: { data: Type.Object({ segmentId: Uuid, segment: SegmentDefinition }) },
  FlagSegmentDeleted: { data: Type.Object({ segmentId: Uuid }) },
} as const satisfies EventDeclarations;
export type FlagRulesEvent = EventsOf<typeof flagRulesEvents>;

type Why = { readonly reason: string | null };
export type FlagRulesCommand =
  | ({ readonly type: 'CreateFlag'; readonly key: string; readonly enabled: boolean } & Defined)
  /** Also its switch, where `enabled` is there. */
  | ({ readonly type: 'RedefineFlag'; readonly key: string; readonly enabled?: boolean | undefined } & Defined)
  /** All of them or none. */
  | ({ readonly type: 'SwitchFlags'; readonly switches: Readonly<Record<string, boolean>> } & Why)
  | { readonly type: 'DeleteFlag'; readonly key: string }
  | { readonly type: 'DefineSegment'; readonly segmentId: string; readonly segment: SegmentDefinition }
  /** One that exists. */
  | { readonly type: 'RedefineSegment'; readonly segmentId: string; readonly segment: SegmentDefinition }
  | { readonly type: 'DeleteSegment'; readonly segmentId: string };
type Defined = Why & { readonly definition: FlagDefinition };

export interface FlagRulesState extends FlagRules {
  readonly flags: ImmutableMap<Flag>;
  readonly segments: ImmutableMap<SegmentDefinition>;
}

/** More would make every evaluation and every page of the console slow. */
const MOST_FLAGS = 500;
const MOST_SEGMENTS = 100;

const noSuchFlag = (key: string): Rejected => new Rejected('not_found', `The flag ${key} does not exist.`);
const flagOf = (state: FlagRulesState, key: string): Flag => {
  const found = state.flags.get(key);
  if (!found) throw noSuchFlag(key);
  return found;
};
const definitionOf = ({ enabled: _, ...definition }: Flag): FlagDefinition => definition;

const create = (
  { key, enabled, definition, reason }: FlagRulesCommand & { type: 'CreateFlag' },
  state: FlagRulesState,
): FlagRulesEvent[] => {
  const known = state.flags.get(key);
  if (known && isDeepStrictEqual(known, { ...definition, enabled })) return [];
  if (known) throw new Rejected('conflict', `There is already a flag ${key}.`);
  if (state.flags.size >= MOST_FLAGS)
    throw new Rejected('conflict', `There can be at most ${MOST_FLAGS} flags. Delete expired ones.`);
  checkDefinition(key, definition, state);
  return [{ type: 'FeatureFlagCreated', data: { key, enabled, definition, reason } }];
};

const redefine = (
  { key, definition, enabled, reason }: FlagRulesCommand & { type: 'RedefineFlag' },
  state: FlagRulesState,
): FlagRulesEvent[] => {
  const flag = flagOf(state, key);
  const switched =
    enabled === undefined ? [] : switchAll({ type: 'SwitchFlags', switches: { [key]: enabled }, reason }, state);
  if (isDeepStrictEqual(definitionOf(flag), definition)) return switched;
  checkDefinition(key, definition, state);
  return [{ type: 'FeatureFlagRedefined', data: { key, definition, reason } }, ...switched];
};

const switchAll = (
  { switches, reason }: FlagRulesCommand & { type: 'SwitchFlags' },
  state: FlagRulesState,
): FlagRulesEvent[] =>
  Object.entries(switches)
    .filter(([key, enabled]) => flagOf(state, key).enabled !== enabled)
    .map(([key, enabled]) => ({ type: 'FeatureFlagSwitched', data: { key, enabled, reason } }));

const remove = (key: string, state: FlagRulesState): FlagRulesEvent[] => {
  if (!state.flags.get(key)) return [];
  const [child] = childrenOf(state.flags, key);
  if (child !== undefined) throw new Rejected('conflict', `The flag ${child} has this flag as its parent.`);
  return [{ type: 'FeatureFlagDeleted', data: { key } }];
};

const defineSegment = (segmentId: string, segment: SegmentDefinition, state: FlagRulesState): FlagRulesEvent[] => {
  const known = state.segments.get(segmentId);
  if (known && isDeepStrictEqual(known, segment)) return [];
  if (!known && state.segments.size >= MOST_SEGMENTS)
    throw new Rejected('conflict', `There can be at most ${MOST_SEGMENTS} segments.`);
  checkConstraints(segment.constraints);
  return [{ type: 'FlagSegmentDefined', data: { segmentId, segment } }];
};

const removeSegment = (segmentId: string, state: FlagRulesState): FlagRulesEvent[] => {
  if (!state.segments.get(segmentId)) return [];
  const [user] = usersOf(state.flags, segmentId);
  if (user !== undefined) throw new Rejected('conflict', `The flag ${user} uses this segment.`);
  return [{ type: 'FlagSegmentDeleted', data: { segmentId } }];
};

const decide = (command: FlagRulesCommand, state: FlagRulesState): FlagRulesEvent[] => {
  switch (command.type) {
    case 'CreateFlag':
      return create(command, state);
    case 'RedefineFlag':
      return redefine(command, state);
    case 'SwitchFlags':
      return switchAll(command, state);
    case 'DeleteFlag':
      return remove(command.key, state);
    case 'DefineSegment':
      return defineSegment(command.segmentId, command.segment, state);
    case 'RedefineSegment':
      if (!state.segments.get(command.segmentId)) throw notFound('segment');
      return defineSegment(command.segmentId, command.segment, state);
    case 'DeleteSegment':
      return removeSegment(command.segmentId, state);
  }
};

const changed = (state: FlagRulesState, key: string, change: Partial<Flag>): FlagRulesState => ({
  ...state,
  flags: state.flags.set(key, { ...flagOf(state, key), ...change }),
});

const evolve = (state: FlagRulesState, event: FlagRulesEvent): FlagRulesState => {
  const { flags, segments } = state;
  switch (event.type) {
    case 'FeatureFlagCreated':
      return { ...state, flags: flags.set(event.data.key, { ...event.data.definition, enabled: event.data.enabled }) };
    case 'FeatureFlagRedefined':
      return changed(state, event.data.key, event.data.definition);
    case 'FeatureFlagSwitched':
      return changed(state, event.data.key, { enabled: event.data.enabled });
    case 'FeatureFlagDeleted':
      return { ...state, flags: flags.delete(event.data.key) };
    case 'FlagSegmentDefined':
      return { ...state, segments: segments.set(event.data.segmentId, event.data.segment) };
    case 'FlagSegmentDeleted':
      return { ...state, segments: segments.delete(event.data.segmentId) };
  }
};

export const flagRules: Decider<FlagRulesState, FlagRulesCommand, FlagRulesEvent> = {
  category: 'flagRules',
  short: 'people of the resort write it',
  events: flagRulesEvents,
  initial: { flags: ImmutableMap.empty(), segments: ImmutableMap.empty() },
  decide,
  evolve,
};
