/** The platform's commission on a booking. It is calculated before anything is paid and stored in the booking. */
import { type Static, Type } from '@sinclair/typebox';
import { BPS, dividedAt } from '../core/money.ts';
import { OneOf } from '../core/schema.ts';

/** Which rule set a rate, in order of precedence. */
export const commissionRuleNames = ['owner', 'type_role', 'role', 'global', 'default'] as const;

/** Basis points: 1 000 = 10 %. */
export const RateBps = Type.Integer({ minimum: 0, maximum: BPS });

export const Rate = Type.Object({ rule: OneOf(commissionRuleNames), rateBps: RateBps });
export type Rate = Static<typeof Rate>;

export const Commission = Type.Object({
  ...Rate.properties,
  commissionMinor: Type.Integer({ minimum: 0 }),
  providerMinor: Type.Integer({ minimum: 0 }),
});
export type Commission = Static<typeof Commission>;

/** The rate where no rule applies. */
export const DEFAULT_RATE: Rate = { rule: 'default', rateBps: 1_000 };

/** Divides a total between the platform and the seller; the two parts always add up to it. */
export const commissionOf = (totalMinor: number, { rule, rateBps }: Rate = DEFAULT_RATE): Commission => {
  const [commissionMinor, providerMinor] = dividedAt(totalMinor, rateBps);
  return { rule, rateBps, commissionMinor, providerMinor };
};
