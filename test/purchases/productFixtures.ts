/** What the resort sells itself, and a purchase of it, for specs to vary. */

import { type SkiPassTariffDetails, tariffDefaults } from '../../domain/passes/tariff.ts';
import type { InsuranceProductDetails } from '../../domain/purchases/insurance.ts';
import { type PurchaseEvent, purchase } from '../../domain/purchases/purchase.ts';
import { at, GUEST, id, PAYMENT, PROVIDER } from '../bookings/bookingFixtures.ts';
import { specification } from '../kit/given.ts';

export const resort = { ownerId: PROVIDER, timezone: 'Europe/Moscow', currency: 'RUB' };

/** 3 days within 5 for 9,900.00. */
export const tariffDetails: SkiPassTariffDetails = {
  name: 'Three days, adult',
  description: 'All lifts.',
  images: [],
  ageGroup: 'adult',
  duration: { unit: 'day', count: 3 },
  withinDays: 5,
  season: { from: '2026-12-01', to: '2027-04-10' },
  priceMinor: 990_000,
  ...tariffDefaults,
};

/** 150.00 a person and day. */
export const insuranceDetails: InsuranceProductDetails = {
  name: 'On the slope',
  description: '',
  coverage: [
    { risk: 'medical', limitMinor: 100_000_000 },
    { risk: 'mountain_rescue', limitMinor: 50_000_000 },
  ],
  activities: ['ski', 'freeride'],
  maxDays: 30,
  pricePerPersonDayMinor: 15_000,
};

export const PURCHASE = id(20);
export const PRODUCT = id(21);

/** Two persons, the two days of a week ahead, for 600.00; to be paid within half an hour. */
export const purchaseTerms = {
  userId: GUEST,
  serviceType: 'insurance' as const,
  productId: PRODUCT,
  productName: 'On the slope',
  quantity: 2,
  persons: [
    { firstName: 'Anna', lastName: 'Orlova', birthDate: '1990-05-17' },
    { firstName: 'Boris', lastName: 'Orlov', birthDate: '2015-01-31' },
  ],
  validFrom: '2026-03-08',
  validTo: '2026-03-09',
  startsAt: '2026-03-07T21:00:00.000Z',
  lines: [{ kind: 'item' as const, name: 'person_day', quantity: 4, unitMinor: 15_000, amountMinor: 60_000 }],
  currency: 'RUB',
  totalMinor: 60_000,
  expiresAt: at(30),
};
export const made: PurchaseEvent = { type: 'PurchaseMade', data: purchaseTerms };
export const payingForIt: PurchaseEvent = {
  type: 'PurchasePaymentStarted',
  data: { paymentId: PAYMENT, expiresAt: at(40) },
};
export const paidFor: PurchaseEvent = { type: 'PurchasePaid', data: { paymentId: PAYMENT, amountMinor: 60_000 } };

export const givenPurchase = specification(purchase);
