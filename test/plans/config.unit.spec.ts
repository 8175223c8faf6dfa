/** The configuration of the planner: patches, what it refuses, its revisions, and what wishes change. */
import { describe, expect, it } from 'vitest';
import { tryPlanConfig } from '../../commands/plans/config.ts';
import { defaultPlanConfig, type PlanConfig, wished } from '../../domain/plans/config.ts';
import { type PlanConfigEvent, planConfig } from '../../domain/plans/planConfig.ts';
import { planConfigRevisions } from '../../projections/plans/config.ts';
import { specification } from '../kit/given.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { happened, projection } from '../kit/projected.ts';
import { id } from '../resort/resortFixtures.ts';

const given = specification(planConfig);
const rowsAfter = projection(planConfigRevisions);
const { weights } = defaultPlanConfig;
const changed = (revision: number, config: Partial<PlanConfig>, reason: string | null = null): PlanConfigEvent => ({
  type: 'PlanConfigChanged',
  data: { revision, config: { ...defaultPlanConfig, ...config }, reason },
});
const patch = (of: object, more: { ifRevision?: readonly number[]; reason?: string } = {}) =>
  ({ type: 'PatchPlanConfig', patch: of, reason: null, ...more }) as const;

describe('a patch', () => {
  it('changes what it names, once', () =>
    given([])
      .when(patch({ weights: { waiting: 3 } }, { reason: 'Queues annoy' }))
      .thenOnce([changed(1, { weights: { ...weights, waiting: 3 } }, 'Queues annoy')]));

  it('goes back to the default with null, at any depth', () =>
    given([changed(1, { repeat_factor: 0.5, weights: { ...weights, waiting: 3 } })])
      .when(patch({ repeat_factor: null, weights: { waiting: null } }))
      .thenOnce([changed(2, {})]));

  it('is refused when lunch would end before it begins, or another change came first', () => {
    given([])
      .when(patch({ lunch: { from: '15:00' } }))
      .then('invalid');
    given([changed(1, { repeat_factor: 0.5 })])
      .when(patch({ repeat_factor: 0.6 }, { ifRevision: [0] }))
      .then('outdated_revision');
  });

  it('can be tried without changing anything', async () => {
    const deps = { aggregates: memoryAggregates() };
    const { before, after } = await tryPlanConfig(deps, { patch: { repeat_factor: 0.1 }, reason: null });
    expect([before.revision, after.revision, after.config.repeat_factor]).toEqual([0, 1, 0.1]);
    expect((await deps.aggregates.load(planConfig, id(0))).state.revision).toBe(0);
    await expect(tryPlanConfig(deps, { patch: {}, reason: null, ifRevision: [7] })).rejects.toThrow(
      'changed meanwhile',
    );
  });
});

it('keeps every revision, with who changed it', () => {
  const events = [changed(1, { repeat_factor: 0.5 }), changed(2, {}, 'Back')];
  const rows = rowsAfter(events.map((event) => happened('planConfig', id(1), event, '2027-01-13T06:00:00.000Z')));
  expect(rows.map(({ revision, reason, changed_by }) => [revision, reason, changed_by])).toEqual([
    [1, null, 'test'],
    [2, 'Back', 'test'],
  ]);
});

it('wishes raise what they are about', () => {
  const by = wished(defaultPlanConfig, ['vertical', 'short_waits', 'variety']);
  expect(by.weights).toEqual({ ...weights, vertical: weights.vertical * 2, waiting: weights.waiting * 2 });
  expect(by.repeat_factor).toBeCloseTo(defaultPlanConfig.repeat_factor ** 2);
  expect(wished(defaultPlanConfig, ['lunch'])).toEqual(defaultPlanConfig);
});

describe('weights by which no slope is better than another', () => {
  const none = { vertical: 0, distance: 0, level: 0, groomed: 0 };
  it.each([
    ['nothing counts', { ...none, table: 0, waiting: 0 }],
    ['only waiting counts', { ...none, table: 0 }],
    ['only waiting and lunch count', none],
  ])('are refused: %s', (_, of) =>
    given([])
      .when(patch({ weights: of }))
      .then('invalid'),
  );

  it.each(['vertical', 'distance', 'level', 'groomed'] as const)('are taken when %s counts', (weight) =>
    given([])
      .when(patch({ weights: { ...none, [weight]: 1 } }))
      .then([changed(1, { weights: { ...weights, ...none, [weight]: 1 } })]),
  );
});
