/** The configuration: merge patches, what it refuses, its revisions, and what its tables show. */
import { describe, expect, it } from 'vitest';
import { defaultConfig, type PlatformConfig } from '../../domain/platform/config.ts';
import { mergePatch } from '../../domain/platform/mergePatch.ts';
import { type PlatformConfigEvent, platformConfig } from '../../domain/platform/platformConfig.ts';
import { configRevisions } from '../../projections/platform/config.ts';
import { platformNotices } from '../../projections/platform/notices.ts';
import { specification } from '../kit/given.ts';
import { happened, projection, toldOn } from '../kit/projected.ts';

const given = specification(platformConfig);
const changed = (
  revision: number,
  config: Partial<PlatformConfig>,
  more: { revertsTo?: number; reason?: string } = {},
): PlatformConfigEvent => ({
  type: 'PlatformConfigChanged',
  data: { revision, config: { ...defaultConfig, ...config }, revertsTo: null, reason: null, ...more },
});
const patch = (of: object, more: { ifRevision?: readonly number[]; reason?: string } = {}) =>
  ({ type: 'PatchConfig', patch: of, reason: null, ...more }) as const;

it.each<[target: unknown, patch: unknown, result: unknown]>([
  // The cases of RFC 7396, appendix A.
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('a merge patch of %j with %j gives %j', (target, of, result) => expect(mergePatch(target, of)).toEqual(result));

describe('a patch', () => {
  it('changes what it names, once', () =>
    given([])
      .when(
        patch({ rescue_phone: '+78620000000', urls: { terms: 'https://resort.test/terms' } }, { reason: 'New number' }),
      )
      .thenOnce([
        changed(
          1,
          { rescue_phone: '+78620000000', urls: { terms: 'https://resort.test/terms' } },
          { reason: 'New number' },
        ),
      ]));
  it('removes with null, and goes back to the default of what must exist', () =>
    given([changed(1, { rescue_phone: '103', urls: { terms: 'https://a.test', help: 'https://b.test' } })])
      .when(patch({ rescue_phone: null, urls: { terms: null } }))
      .thenOnce([changed(2, { urls: { help: 'https://b.test' } })]));
  it.each([
    [{ latest_version: 'newest' }],
    [{ force_update_below: '1.0.1' }],
    [{ latest_version: '0.9.0' }],
    [{ platforms: { ios: { force_update_below: '1.0.1' } } }],
    [{ platforms: { web: { latest_version: '0.1.0' } } }],
    [{ timezone: 'Europe/Krasnaya_Polyana' }],
    [{ languages: ['ru', 'ru'] }],
  ])('is refused when the parts contradict each other: %j', (of) => given([]).when(patch(of)).then('invalid'));
  it.each([
    [{ currency: 'XQQ' }, 'XQQ is not an ISO 4217 currency, such as RUB.'],
    [{ languages: ['ru', 'xx'] }, 'languages: xx is not one of the languages of the platform: ru, en.'],
  ])('is refused for what the platform does not have: %j', (of, detail) =>
    expect(() => given([]).when(patch(of)).thenOnce([])).toThrow(detail),
  );
  it('accepts a language as it is spoken in a country', () =>
    given([])
      .when(patch({ languages: ['en-GB', 'ru'], currency: 'EUR' }))
      .thenOnce([changed(1, { languages: ['en-GB', 'ru'], currency: 'EUR' })]));
  it('accepts versions by their precedence', () =>
    given([])
      .when(patch({ latest_version: '1.10.0', force_update_below: '1.9.0-rc.1' }))
      .thenOnce([changed(1, { latest_version: '1.10.0', force_update_below: '1.9.0-rc.1' })]));
  it('is refused when another change came first', () => {
    given([changed(1, { rescue_phone: '103' })])
      .when(patch({ rescue_phone: '104' }, { ifRevision: [0] }))
      .then('outdated_revision');
    given([changed(1, { rescue_phone: '103' })])
      .when(patch({ rescue_phone: '104' }, { ifRevision: [0, 1] }))
      .then([changed(2, { rescue_phone: '104' })]);
  });
});

it('an earlier revision comes back as a new one, once', () =>
  given([changed(1, { rescue_phone: '103' }), changed(2, { rescue_phone: '104' })])
    .when({ type: 'RevertConfig', revertsTo: 1, config: { ...defaultConfig, rescue_phone: '103' }, reason: 'Wrong' })
    .thenOnce([changed(3, { rescue_phone: '103' }, { revertsTo: 1, reason: 'Wrong' })]));

describe('the tables', () => {
  const ONE = '00000000-0000-0000-0000-000000000000';
  const [T1, T2] = ['2027-01-01T00:00:00.000Z', '2027-01-02T00:00:00.000Z'];
  const revisionsAfter = projection(configRevisions);
  const noticesAfter = projection(platformNotices);
  const key = 'map';
  const definition = {
    description: '',
    condition: { strategies: [], parents: [] },
    payload: { variants: [] },
    expires: null,
  };
  const segment = { name: 'All', constraints: [{ context: 'role', operator: 'NOT_IN' as const, values: [] }] };

  it('have every revision', () => {
    const events = [happened('platformConfig', ONE, changed(1, { rescue_phone: '103' }, { reason: 'Why' }), T1)];
    expect(revisionsAfter(events)).toEqual([
      {
        revision: 1,
        config: { ...defaultConfig, rescue_phone: '103' },
        reverts_to: null,
        reason: 'Why',
        changed_at: T1,
        changed_by: 'test',
      },
    ]);
  });
  it('tell every app of every change', () => {
    const changes = [
      { type: 'FeatureFlagCreated', data: { key, enabled: true, definition, reason: null } },
      { type: 'FeatureFlagSwitched', data: { key, enabled: false, reason: null } },
      { type: 'FeatureFlagRedefined', data: { key, definition, reason: null } },
      { type: 'FlagSegmentDefined', data: { segmentId: ONE, segment } },
      { type: 'FlagSegmentDeleted', data: { segmentId: ONE } },
      { type: 'FeatureFlagDeleted', data: { key } },
    ] as const;
    const rows = noticesAfter([
      happened('platformConfig', ONE, changed(1, { rescue_phone: '103' }), T1),
      ...changes.map((event) => happened('flagRules', ONE, event, T2)),
    ]);
    expect(rows).toEqual([
      { part: 'config', revision: 1, changed_at: T1 },
      { part: 'flags', revision: 6, changed_at: T2 },
    ]);
    expect(toldOn(platformNotices, rows[0] ?? {})).toEqual(['platform']);
  });
});
