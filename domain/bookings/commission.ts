/** The platform's share of a booking, settled before anything is paid and frozen into the booking. */
import { type Static, Type } from '@sinclair/typebox';
import { BPS, split } from '../money.ts';
import { OneOf } from '../schema.ts';

export const Commission = Type.Object({
  /** Which rule set the rate. */
  rule: OneOf(['default'] as const),
  /** Basis points: 1 000 = 10 %. */
  rateBps: Type.Integer({ minimum: 0, maximum: BPS }),
  commissionMinor: Type.Integer({ minimum: 0 }),
  providerMinor: Type.Integer({ minimum: 0 }),
});
export type Commission = Static<typeof Commission>;

export const DEFAULT_RATE_BPS = 1_000;

/** Divides a total between platform and provider; the two parts always add up to it. */
export const commissionOf = (totalMinor: number, rateBps = DEFAULT_RATE_BPS): Commission => {
  const [commissionMinor = 0, providerMinor = 0] = split(totalMinor, [rateBps, BPS - rateBps]);
  return { rule: 'default', rateBps, commissionMinor, providerMinor };
};
