/** The preview of a closure of the mountain, against what is given back then. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { giveDaysBack, previewClosure } from '../../commands/passes/closures.ts';
import { addDays } from '../../domain/core/dates.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { passClosures } from '../../domain/passes/closures.ts';
import { contextOf } from '../kit/context.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { outcomeOf, previewIsResult } from '../kit/previews.ts';

const closure = fc.record({
  from: fc.integer({ min: 0, max: 40 }),
  days: fc.integer({ min: -1, max: 33 }),
  reason: fc.constantFrom('Storm', 'Avalanches'),
});

previewIsResult('POST /api/v1/admin/pass/closures', async () => {
  let given = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(closure, { minLength: 1, maxLength: 6 }), async (closures) => {
      const aggregates = memoryAggregates();
      for (const { from, days, reason } of closures) {
        const [first, last] = [addDays('2026-01-01', from), addDays('2026-01-01', from + days)];
        const asked = { from: first, to: last, reason };
        const context = contextOf('admin', 'admin');
        const before = aggregates.stateOf(passClosures, ONLY_ONE);
        const promised = await outcomeOf(() => previewClosure({ aggregates }, context, asked));
        expect(aggregates.stateOf(passClosures, ONLY_ONE)).toEqual(before);
        const done = await outcomeOf(() => giveDaysBack({ aggregates }, context, asked));
        expect(promised).toEqual(done);
        if (Array.isArray(done)) given += done.length;
      }
    }),
    { numRuns: 100 },
  );
  expect(given).toBeGreaterThan(0);
});
