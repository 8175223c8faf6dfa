/** The preview of a commission, against that of a booking which is quoted by the same rules. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { commissionRoutes } from '../../api/commissions/commissions.ts';
import { quoteBooking } from '../../commands/bookings/quote.ts';
import { removeCommissionRate, setCommissionRate } from '../../commands/commissions/commissions.ts';
import type { RateScope } from '../../domain/commissions/commissionRules.ts';
import { toMajor } from '../../domain/core/money.ts';
import { opened } from '../accounts/accountFixtures.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { restaurantDetails } from '../catalog/listingFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { previewIsResult } from '../kit/previews.ts';

const [OWNER, OTHER, RESTAURANT] = [id(61), id(62), id(63)];
const scope = fc.constantFrom<RateScope>(
  { rule: 'owner', ownerId: OWNER },
  { rule: 'owner', ownerId: OTHER },
  { rule: 'type_role', type: 'restaurant', role: 'restaurant' },
  { rule: 'type_role', type: 'tour', role: 'restaurant' },
  { rule: 'role', role: 'restaurant' },
  { rule: 'role', role: 'hotelier' },
  { rule: 'global' },
);
const rules = fc.array(fc.record({ scope, bps: fc.option(fc.integer({ min: 0, max: 10_000 })) }), { maxLength: 8 });

previewIsResult('GET /api/v1/admin/commissions/preview', async () => {
  const [preview] = commissionRoutes.filter((route) => route.id === 'previewCommission') as [
    (typeof commissionRoutes)[number],
  ];
  const applied = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      rules,
      fc.constantFrom('restaurant', 'hotelier'),
      fc.integer({ min: 1, max: 99_999 }),
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom('RUB', 'JPY', 'KWD'),
      async (changes, role, depositPerGuestMinor, guests, currency) => {
        const aggregates = memoryAggregates();
        for (const one of [OWNER, OTHER])
          aggregates.given(`account-${one}`, [opened, { type: 'RoleGranted', data: { role } }]);
        const fixed = { ownerId: OWNER, timezone: 'Europe/Moscow', currency };
        const details = { ...restaurantDetails, depositPerGuestMinor, confirmation: 'instant' };
        aggregates.given(`restaurant-${RESTAURANT}`, [
          { type: 'RestaurantAdded', data: { ...fixed, ...details } },
          { type: 'RestaurantPublished', data: {} },
        ]);
        const context = contextOf('admin', 'admin');
        for (const { scope: of, bps } of changes)
          await (bps === null
            ? removeCommissionRate({ aggregates }, context, of)
            : setCommissionRate({ aggregates }, context, of, bps));
        const asked = {
          type: 'restaurant',
          itemId: RESTAURANT,
          slotStart: '2026-03-09T13:00:00+03:00',
          guests,
        } as const;
        const { options } = await quoteBooking({ aggregates }, '2026-03-01T00:00:00Z', asked);
        const [terms] = options as [(typeof options)[number]];
        const query = { owner_id: OWNER, type: 'restaurant', total: toMajor(terms.totalMinor, currency), currency };
        const promised = await preview.handle({ query }, { aggregates } as never);
        const { commissionMinor, providerMinor } = terms.commission;
        expect(promised).toMatchObject({
          ...{ rule: terms.commission.rule, total_minor: terms.totalMinor, currency },
          ...{ commission_minor: commissionMinor, provider_minor: providerMinor },
          ...{ commission: toMajor(commissionMinor, currency), provider: toMajor(providerMinor, currency) },
        });
        applied.add(terms.commission.rule);
      },
    ),
    { numRuns: 100 },
  );
  expect([...applied].toSorted()).toEqual(['default', 'global', 'owner', 'role', 'type_role']);
});
