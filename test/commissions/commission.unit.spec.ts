import fc from 'fast-check';
import { expect, it } from 'vitest';
import { commissionOf } from '../../domain/commissions/commission.ts';

it('is a tenth by default', () => {
  expect(commissionOf(20_000)).toEqual({
    rule: 'default',
    rateBps: 1_000,
    commissionMinor: 2_000,
    providerMinor: 18_000,
  });
});

it('never loses or creates a kopeck', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 40), fc.integer({ min: 0, max: 10_000 }), (total, rateBps) => {
      const { commissionMinor, providerMinor } = commissionOf(total, { rule: 'global', rateBps });
      expect(commissionMinor + providerMinor).toBe(total);
      expect(Math.abs(commissionMinor - (total * rateBps) / 10_000)).toBeLessThan(1);
    }),
  );
});
