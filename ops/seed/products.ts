/** Products of the demo resort: ski passes for this winter or the next one, and two kinds of insurance. Prices in roubles. */

import { addListing } from '../../commands/catalog/listings.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import type { CommandDeps } from '../../commands/modules.ts';
import { addDays, todayIn } from '../../domain/core/dates.ts';
import { toMinor } from '../../domain/core/money.ts';
import { ageGroups, type SkiPassTariffDetails, tariffDefaults, tariffKind } from '../../domain/passes/tariff.ts';
import { type InsuranceProductDetails, insuranceKind } from '../../domain/purchases/insurance.ts';
import { CURRENCY, TIMEZONE } from './resort.ts';

type Duration = SkiPassTariffDetails['duration'];
const hours = (count: number): Duration => ({ unit: 'hour', count });
const days = (count: number): Duration => ({ unit: 'day', count });

const roubles = (amount: number): number => toMinor(amount, CURRENCY);

interface SampleTariff {
  readonly name: string;
  readonly duration: Duration;
  readonly withinDays: number;
  readonly prices: Readonly<Partial<Record<SkiPassTariffDetails['ageGroup'], number>>>;
  readonly more?: Partial<Pick<SkiPassTariffDetails, 'description' | 'family' | 'depositMinor' | 'refundsUnused'>>;
}

const sampleTariffs: readonly SampleTariff[] = [
  { name: 'Four hours', duration: hours(4), withinDays: 1, prices: { adult: 3_900, child: 2_300, senior: 2_700 } },
  { name: 'Evening skiing, three hours', duration: hours(3), withinDays: 1, prices: { adult: 2_100, child: 1_300 } },
  { name: 'One day', duration: days(1), withinDays: 1, prices: { adult: 4_900, child: 2_900, senior: 3_400 } },
  { name: 'Three days of four', duration: days(3), withinDays: 4, prices: { adult: 13_500, child: 8_000 } },
  {
    name: 'Six days of seven',
    duration: days(6),
    withinDays: 7,
    prices: { adult: 25_500, child: 15_300, senior: 17_800 },
  },
  { name: 'Ten days of fourteen', duration: days(10), withinDays: 14, prices: { adult: 39_000, child: 23_400 } },
  {
    name: 'Family, three days of four',
    duration: days(3),
    withinDays: 4,
    prices: { family: 34_900 },
    more: {
      description: 'Two adults and two children, each with a pass of their own. Unused days are refunded.',
      family: { adults: 2, children: 2 },
      depositMinor: roubles(300),
      refundsUnused: true,
    },
  },
  {
    name: 'Season',
    duration: { unit: 'season', count: 1 },
    withinDays: 1,
    prices: { adult: 69_000, youth: 52_000, child: 34_000, senior: 48_000 },
    more: { description: 'Every day of the winter, all lifts.' },
  },
];

const sampleInsurance: readonly InsuranceProductDetails[] = [
  {
    name: 'On the slope',
    description: 'Doctor, hospital and the ride down on the rescue sledge, for those who stay between the poles.',
    coverage: [
      { risk: 'medical', limitMinor: roubles(1_000_000) },
      { risk: 'mountain_rescue', limitMinor: roubles(300_000) },
      { risk: 'liability', limitMinor: roubles(500_000) },
    ],
    activities: ['ski', 'sightseeing', 'snowshoe', 'hike'],
    maxDays: 30,
    pricePerPersonDayMinor: roubles(290),
  },
  {
    name: 'Freeride',
    description: 'Beyond the poles too: helicopter, broken skis, and the trip that a broken leg cut short.',
    coverage: [
      { risk: 'medical', limitMinor: roubles(3_000_000) },
      { risk: 'mountain_rescue', limitMinor: roubles(2_000_000) },
      { risk: 'accident', limitMinor: roubles(500_000) },
      { risk: 'liability', limitMinor: roubles(1_000_000) },
      { risk: 'equipment', limitMinor: roubles(150_000) },
      { risk: 'trip_cancellation', limitMinor: roubles(100_000) },
    ],
    activities: ['ski', 'freeride', 'snowmobile', 'snowshoe', 'hike', 'sightseeing'],
    maxDays: 30,
    pricePerPersonDayMinor: roubles(690),
  },
];

/** In the last week of a winter, the passes of several days could not be bought any more. */
const WEEK = 7;

/** The winter that contains the day a week after `today`, or the next one. */
export const winterAt = (today: string): SkiPassTariffDetails['season'] => {
  const day = addDays(today, WEEK);
  const year = Number(day.slice(0, 4)) - (day.slice(5) <= '04-30' ? 1 : 0);
  return { from: `${year}-11-15`, to: `${year + 1}-04-30` };
};

/** Seeds tariffs and insurance of the resort. Safe to repeat; each winter has its own tariffs. */
export const seedProducts = async (
  deps: CommandDeps,
  contextFor: (...name: string[]) => CommandContext,
  ownerId: string,
  at: string,
): Promise<void> => {
  const place = { ownerId, timezone: TIMEZONE, currency: CURRENCY };
  const season = winterAt(todayIn(TIMEZONE, at));
  for (const { prices, more = {}, ...tariff } of sampleTariffs)
    for (const ageGroup of ageGroups) {
      const price = prices[ageGroup];
      if (price === undefined) continue;
      const own = { ...tariff, description: '', images: [], ageGroup, season, priceMinor: roubles(price) };
      const details = { ...tariffDefaults, ...own, ...more };
      const context = contextFor('tariff', tariff.name, ageGroup, season.from);
      await addListing(deps, context, tariffKind, { ...place, details });
    }
  for (const details of sampleInsurance)
    await addListing(deps, contextFor('insurance', details.name), insuranceKind, { ...place, details });
};
