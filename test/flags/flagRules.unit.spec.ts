/** What admins can do to flags and segments, and what their tables then show. */
import { describe, expect, it } from 'vitest';
import type { Constraint, FlagDefinition, Strategy } from '../../domain/flags/flag.ts';
import { type FlagRulesEvent, flagRules } from '../../domain/flags/flagRules.ts';
import { featureFlags } from '../../projections/flags/flags.ts';
import { flagSegments } from '../../projections/flags/segments.ts';
import { specification } from '../kit/given.ts';
import { happened, projection } from '../kit/projected.ts';

const given = specification(flagRules);
const SEGMENT = '018f0000-0000-7000-8000-000000000001';
const definition = (more: Partial<FlagDefinition['condition']> = {}, rest: Partial<FlagDefinition> = {}) => ({
  description: 'The new map',
  condition: { strategies: [], parents: [], ...more },
  payload: { variants: [] },
  expires: null,
  ...rest,
});
const withStrategy = (strategy: Strategy) => definition({ strategies: [strategy] });
const withConstraint = (constraint: Constraint) => withStrategy({ name: 'default', constraints: [constraint] });
const childOf = (flag: string) => definition({ parents: [{ flag }] });
const using = withStrategy({ name: 'default', segments: [SEGMENT] });

const created = (key: string, of: FlagDefinition = definition(), enabled = true): FlagRulesEvent => ({
  type: 'FeatureFlagCreated',
  data: { key, enabled, definition: of, reason: null },
});
const create = (key: string, of: FlagDefinition = definition()) =>
  ({ type: 'CreateFlag', key, enabled: true, definition: of, reason: null }) as const;
const redefine = (key: string, of: FlagDefinition) =>
  ({ type: 'RedefineFlag', key, definition: of, reason: 'Why' }) as const;
const switched = (key: string, enabled: boolean): FlagRulesEvent => ({
  type: 'FeatureFlagSwitched',
  data: { key, enabled, reason: 'Crashes' },
});
const switches = (all: Record<string, boolean>) => ({ type: 'SwitchFlags', switches: all, reason: 'Crashes' }) as const;
const inRussian = { name: 'Russian', constraints: [{ context: 'language', operator: 'IN' as const, values: ['ru'] }] };
const defined: FlagRulesEvent = { type: 'FlagSegmentDefined', data: { segmentId: SEGMENT, segment: inRussian } };

describe('a flag', () => {
  it('is created once', () =>
    given([])
      .when(create('map'))
      .thenOnce([created('map')]));
  it('has a key of its own', () =>
    given([created('map')])
      .when(create('map', definition({}, { description: 'Another' })))
      .then('conflict'));
  it('is redefined once, and keeps its switch', () => {
    const next = definition({}, { expires: '2027-01-01' });
    const after: FlagRulesEvent = {
      type: 'FeatureFlagRedefined',
      data: { key: 'map', definition: next, reason: 'Why' },
    };
    given([created('map', definition(), false)])
      .when(redefine('map', next))
      .thenOnce([after]);
    expect(given([created('map', definition(), false), after]).state.flags.get('map')?.enabled).toBe(false);
    given([]).when(redefine('map', next)).then('not_found');
  });
  it('is deleted once, unless another depends on it', () => {
    const remove = { type: 'DeleteFlag', key: 'map' } as const;
    given([created('map')])
      .when(remove)
      .thenOnce([{ type: 'FeatureFlagDeleted', data: { key: 'map' } }]);
    given([created('map'), created('pins', childOf('map'))])
      .when(remove)
      .then('conflict');
  });
  it('is refused beyond 500', () =>
    given(Array.from({ length: 500 }, (_, n) => created(`flag${n}`)))
      .when(create('map'))
      .then('conflict'));
});

describe('switches', () => {
  const two = [created('map'), created('pins')];
  it('change only what differs', () =>
    given(two)
      .when(switches({ map: false, pins: true }))
      .thenOnce([switched('map', false)]));
  it('change all or nothing', () =>
    given(two)
      .when(switches({ map: false, other: true }))
      .then('not_found'));
});

describe('a condition that could never do what it says', () => {
  it.each<[string, FlagDefinition]>([
    ['a number', withConstraint({ context: 'age', operator: 'NUM_GT', values: ['many'] })],
    ['two numbers', withConstraint({ context: 'age', operator: 'NUM_GT', values: ['1', '2'] })],
    ['a date', withConstraint({ context: 'currentTime', operator: 'DATE_AFTER', values: ['tomorrow'] })],
    ['a version', withConstraint({ context: 'app_version', operator: 'SEMVER_LT', values: ['v2'] })],
    ['an expression', withConstraint({ context: 'userId', operator: 'REGEX', values: ['(a'] })],
    ['a lookahead', withConstraint({ context: 'userId', operator: 'REGEX', values: ['(?=a)b'] })],
    ['a network', withConstraint({ context: 'remoteAddress', operator: 'IN_CIDR', values: ['10.0.0.0/40'] })],
    ['an address', withStrategy({ name: 'remoteAddress', addresses: ['10.0.0.300'] })],
    ['a segment', using],
    ['a parent', childOf('nothing')],
    ['itself as parent', childOf('map')],
    ['a parent with a parent', childOf('child')],
    ['two equal variants', definition({}, { payload: { variants: [1, 2].map(() => ({ name: 'a', weight: 1 })) } })],
    ['no weight', definition({}, { payload: { variants: [{ name: 'a', weight: 0 }] } })],
    [
      'JSON',
      definition({}, { payload: { variants: [{ name: 'a', weight: 1, payload: { type: 'json', value: '{' } }] } }),
    ],
    [
      'a payload',
      definition({}, { payload: { variants: [{ name: 'a', weight: 1, payload: { type: 'number', value: 'x' } }] } }),
    ],
  ])('is refused: %s', (_, of) => {
    given([created('parent'), created('child', childOf('parent'))])
      .when(create('map', of))
      .then('invalid');
  });
  it('is refused for a parent that would get a parent', () =>
    given([created('other'), created('parent'), created('child', childOf('parent'))])
      .when(redefine('parent', childOf('other')))
      .then('invalid'));
});

describe('a segment', () => {
  const remove = { type: 'DeleteSegment', segmentId: SEGMENT } as const;
  it('is defined once', () =>
    given([]).when({ type: 'DefineSegment', segmentId: SEGMENT, segment: inRussian }).thenOnce([defined]));
  it('is redefined only if it exists', () =>
    given([]).when({ type: 'RedefineSegment', segmentId: SEGMENT, segment: inRussian }).then('not_found'));
  it('is deleted once, unless a flag uses it', () => {
    given([defined])
      .when(remove)
      .thenOnce([{ type: 'FlagSegmentDeleted', data: { segmentId: SEGMENT } }]);
    given([defined, created('map', using)])
      .when(remove)
      .then('conflict');
  });
});

describe('the tables', () => {
  const ONE = '00000000-0000-0000-0000-000000000000';
  const [T1, T2] = ['2027-01-01T00:00:00.000Z', '2027-01-02T00:00:00.000Z'];
  const on = (event: FlagRulesEvent, at = T1) => happened(flagRules.category, ONE, event, at);
  const flagsAfter = projection(featureFlags);
  const segmentsAfter = projection(flagSegments);

  it('have a row for each flag', () => {
    const next = definition({}, { expires: '2027-02-01' });
    const row = { key: 'map', enabled: true, ...definition(), created_at: T1, updated_at: T1, updated_by: 'test' };
    expect(flagsAfter([on(created('map'))])).toEqual([row]);
    const changes = [
      on(switched('map', false), T2),
      on({ type: 'FeatureFlagRedefined', data: { key: 'map', definition: next, reason: null } }, T2),
    ];
    expect(flagsAfter([on(created('map')), ...changes])).toEqual([{ ...row, ...next, enabled: false, updated_at: T2 }]);
    expect(flagsAfter([on(created('map')), on({ type: 'FeatureFlagDeleted', data: { key: 'map' } })])).toEqual([]);
  });
  it('have a row for each segment', () => {
    expect(segmentsAfter([on(defined)])).toEqual([{ id: SEGMENT, ...inRussian, updated_at: T1, updated_by: 'test' }]);
    expect(segmentsAfter([on(defined), on({ type: 'FlagSegmentDeleted', data: { segmentId: SEGMENT } })])).toEqual([]);
  });
});
