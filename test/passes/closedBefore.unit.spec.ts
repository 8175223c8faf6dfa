/** Closures and sales: what is declared before a sale is told, what is declared after the purchase was made gives days back. */
import { expect, it } from 'vitest';
import { giveDaysBack } from '../../commands/passes/closures.ts';
import { divide } from '../../commands/passes/dividePurchase.ts';
import { quotedPasses } from '../../commands/passes/passes.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { validUntil } from '../../domain/passes/admission.ts';
import { passClosures } from '../../domain/passes/closures.ts';
import { purchase } from '../../domain/purchases/purchase.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { PURCHASE, resort, tariffDetails } from '../purchases/productFixtures.ts';
import { bought } from './boughtPasses.ts';

const TARIFF = id(80);

it('a day that is declared closed is not sold, and another one is', async () => {
  const aggregates = memoryAggregates();
  const details = { ...tariffDetails, duration: { unit: 'day' as const, count: 1 }, withinDays: 1 };
  aggregates.given(`skiPassTariff-${TARIFF}`, [
    { type: 'SkiPassTariffAdded', data: { ...resort, ...details } },
    { type: 'SkiPassTariffPublished', data: {} },
  ]);
  const now = '2026-12-20T09:00:00.000Z';
  const [closed, open] = ['2026-12-24', '2026-12-25'];
  const quoteFor = (validFrom: string) =>
    quotedPasses({ tariffId: TARIFF, validFrom, quantity: 1, withCards: false })({ aggregates }, now);
  expect((await quoteFor(closed)).offer.validFrom).toBe(closed);
  const closure = { from: closed, to: closed, reason: 'Storm' };
  await giveDaysBack({ aggregates }, contextOf('admin', 'admin', now), closure);
  await expect(quoteFor(closed)).rejects.toMatchObject({
    code: 'not_bookable',
    facts: { reasons: ['mountain_closed'] },
  });
  expect((await quoteFor(open)).offer.validFrom).toBe(open);
});

it('a closure that is declared between the purchase and its payment gives its days back', async () => {
  const [made, ...others] = bought;
  const [before, declared, paid] = ['2026-03-07T09:00:00.000Z', '2026-03-07T09:05:00.000Z', '2026-03-07T09:10:00.000Z'];
  const lastDates = async (madeAt: string | undefined) => {
    const aggregates = memoryAggregates();
    const data = { ...made?.data, ...(madeAt && { madeAt }) };
    aggregates.given(`purchase-${PURCHASE}`, [{ ...made, data } as never, ...others]);
    const closure = { from: '2026-03-08', to: '2026-03-08', reason: 'Storm' };
    await giveDaysBack({ aggregates }, contextOf('admin', 'admin', declared), closure);
    const { closed } = aggregates.stateOf(passClosures, ONLY_ONE);
    const state = aggregates.stateOf(purchase, PURCHASE);
    if (state.status === 'none') throw new Error('a purchase that was made');
    const passes = await divide({ aggregates }, contextOf('system', 'system', paid), PURCHASE, state);
    return passes.map(({ pass }) => validUntil(pass, closed));
  };
  expect(await lastDates(before)).toEqual(['2026-03-13', '2026-03-13']);
  expect(await lastDates(paid)).toEqual(['2026-03-12', '2026-03-12']);
  // As in 0.1.0, which did not keep when a purchase was made.
  expect(await lastDates(undefined)).toEqual(['2026-03-12', '2026-03-12']);
});
