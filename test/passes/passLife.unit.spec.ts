/**
 * The life of the passes of one purchase in random histories: gates with and without a connection, refunds, chargebacks,
 * closures and policies in any order, with commands and crashes inside commands. Money and days always add up.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { acts } from './passActs.ts';
import { createPassWorld } from './passWorld.ts';

const anAct = fc.record({ act: fc.constantFrom(...acts), which: fc.nat(7) });
/** Each act with those that happen inside it, before its first command and before its second. */
const histories = fc.array(fc.record({ main: anAct, meanwhile: fc.array(anAct, { maxLength: 2 }) }), {
  minLength: 10,
  maxLength: 50,
  size: 'max',
});

it('no more days are ridden and refunded than were paid, and every refund is made once', async () => {
  const seen = { scanned: 0, refunded: 0, unpaid: 0 };
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const world = createPassWorld();
      for (const which of [0, 1]) await world.step({ main: { act: 'issue', which }, meanwhile: [] });
      for (const step of history) await world.step(step);
      await world.settle();
      for (const state of [world.stateOf(1), world.stateOf(2)]) {
        seen.scanned += state && state.days.length > 0 ? 1 : 0;
        seen.unpaid += state && state.chargebacks.length > 0 ? 1 : 0;
        seen.refunded += state?.settled && state.settled.refundMinor > 0 ? 1 : 0;
      }
    }),
    { numRuns: 100 },
  );
  expect(seen.scanned, 'histories with rides').toBeGreaterThan(10);
  expect(seen.refunded, 'histories with refunds').toBeGreaterThan(10);
  expect(seen.unpaid, 'histories with passes that a chargeback blocked').toBeGreaterThan(10);
});
