/** The preview of cancelling a purchase of passes, against what is refunded then. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { unlessRejected } from '../../commands/core/refusals.ts';
import { giveDaysBack } from '../../commands/passes/closures.ts';
import { divide } from '../../commands/passes/dividePurchase.ts';
import { giveBackPass, passParts } from '../../commands/passes/refunds.ts';
import { cancelPurchase, previewCancellation } from '../../commands/purchases/cancelPurchase.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { pass } from '../../domain/passes/pass.ts';
import { type OpenPurchase, purchase } from '../../domain/purchases/purchase.ts';
import { GUEST, PAYMENT } from '../bookings/bookingFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { outcomeOf, previewIsResult } from '../kit/previews.ts';
import { bought, PASSES, paid } from '../passes/boughtPasses.ts';
import { moscow, scanning } from '../passes/passFixtures.ts';
import { PURCHASE } from './productFixtures.ts';

/** The provider does not answer, so that what is known counts. */
const away = new Proxy(
  {},
  {
    get: () => {
      throw new Rejected('conflict', 'The provider is away.');
    },
  },
);
const stage = () => {
  const aggregates = memoryAggregates();
  const log = { warn: () => undefined };
  const pool = { query: async () => ({ rows: [], rowCount: 0 }) };
  const deps = { aggregates, log, pool, paymentProviders: away, now: () => moscow(7, '09:00') };
  return { aggregates, deps: { ...deps, purchaseParts: { ski_pass: passParts } } as never };
};

const day = fc.integer({ min: 6, max: 13 });
const number = fc.integer({ min: 1, max: PASSES });
const act = fc.oneof(
  fc.record({ what: fc.constant('issue' as const), number }),
  fc.record({ what: fc.constant('scan' as const), number, day }),
  fc.record({ what: fc.constant('giveBack' as const), number, day, role: fc.constantFrom('tourist', 'admin') }),
  fc.record({ what: fc.constant('close' as const), day }),
);

previewIsResult('GET /api/v1/purchases/:id/cancellation-quote', async () => {
  const seen = new Set<number | string>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { maxLength: 6 }),
      fc.constantFrom(...bought.keys()),
      day,
      fc.constantFrom('tourist', 'tourist', 'admin', 'stranger'),
      async (acts, unpaid, on, role) => {
        const { aggregates, deps } = stage();
        aggregates.given(`purchase-${PURCHASE}`, unpaid === 0 ? bought : bought.slice(0, unpaid));
        aggregates.given(`payment-${PAYMENT}`, paid);
        const stateOf = () => aggregates.stateOf(purchase, PURCHASE) as OpenPurchase;
        const made = await divide(deps, contextOf('system', 'system', moscow(1, '09:00')), PURCHASE, stateOf());
        for (const one of made.length === 0 ? [] : acts) {
          const passId = 'number' in one ? (made[one.number - 1]?.passId ?? '') : '';
          const at = moscow('day' in one ? one.day : 7, '09:00');
          const by = contextOf(GUEST, 'role' in one ? one.role : 'tourist', at);
          await unlessRejected(async () => {
            if (one.what === 'issue')
              await aggregates.handle(pass, passId, { type: 'IssuePass', deviceKey: null, at }, by);
            else if (one.what === 'scan') await aggregates.handle(pass, passId, { ...scanning(at), serial: 1 }, by);
            else if (one.what === 'giveBack') await giveBackPass(deps, by, passId, null);
            else {
              const closed = `2026-03-${String(one.day).padStart(2, '0')}`;
              await giveDaysBack(deps, by, { from: closed, to: closed, reason: 'Storm' });
            }
          });
        }
        const caller = role === 'stranger' ? PURCHASE : GUEST;
        const context = contextOf(caller, role === 'admin' ? 'admin' : 'tourist', moscow(on, '12:00'));
        const before = [stateOf(), ...made.map(({ passId }) => aggregates.stateOf(pass, passId))];
        const promised = await outcomeOf(() => previewCancellation(deps, context, PURCHASE));
        expect([stateOf(), ...made.map(({ passId }) => aggregates.stateOf(pass, passId))]).toEqual(before);
        const done = await outcomeOf(() => cancelPurchase(deps, context, PURCHASE, null));
        if ('code' in done) expect(promised).toEqual(done);
        else expect(promised).toEqual({ refundMinor: done.purchase.ending?.refundMinor, currency: 'RUB' });
        seen.add('code' in promised ? promised.code : promised.refundMinor);
      },
    ),
    { numRuns: 150 },
  );
  expect(seen.has('not_found')).toBe(true);
  expect([...seen].filter((one) => typeof one === 'number').length).toBeGreaterThan(2);
});
