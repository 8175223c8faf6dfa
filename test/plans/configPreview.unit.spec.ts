/** The dry run of a change of the planner, against the change. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { patchPlanConfig, tryPlanConfig } from '../../commands/plans/config.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { planConfig } from '../../domain/plans/planConfig.ts';
import { contextOf } from '../kit/context.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { outcomeOf, previewIsResult } from '../kit/previews.ts';

const orDefault = <T>(value: fc.Arbitrary<T>) => fc.option(value);
const patch = fc.record(
  {
    weights: orDefault(fc.record({ vertical: orDefault(fc.integer({ min: 0, max: 9 })) }, { requiredKeys: [] })),
    repeat_factor: orDefault(fc.constantFrom(0, 0.7, 1)),
    lunch: orDefault(
      fc.record(
        { from: orDefault(fc.constantFrom('10:00', '15:00')), until: orDefault(fc.constantFrom('09:00', '16:00')) },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: [] },
);
const change = fc.record({ patch, ifRevision: fc.constantFrom(undefined, undefined, [0], [1, 2]) });

previewIsResult('PATCH /api/v1/recommendations/config', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      const aggregates = memoryAggregates();
      for (const { patch: asked, ifRevision } of changes) {
        const wanted = { patch: asked, reason: null, ...(ifRevision && { ifRevision }) };
        const before = aggregates.stateOf(planConfig, ONLY_ONE);
        const tried = await outcomeOf(() => tryPlanConfig({ aggregates }, wanted));
        expect(aggregates.stateOf(planConfig, ONLY_ONE)).toEqual(before);
        const done = await outcomeOf(() => patchPlanConfig({ aggregates }, contextOf('admin', 'admin'), wanted));
        if ('code' in tried) expect(tried).toEqual(done);
        else expect(tried).toEqual({ before, after: done });
        seen.add('code' in done ? done.code : done.revision > before.revision ? 'changed' : 'same');
      }
    }),
    { numRuns: 60 },
  );
  expect([...seen].toSorted()).toEqual(['changed', 'invalid', 'outdated_revision', 'same']);
});
