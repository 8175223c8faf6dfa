/** Commission rates on the wire: in basis points and in percent. */
import { Type } from '@sinclair/typebox';
import { commissionRuleNames, RateBps } from '../../domain/commissions/commission.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { OneOf } from '../../domain/core/schema.ts';

export const RatePercent = Type.Number({
  minimum: 0,
  maximum: 100,
  description: 'At most two decimals.',
  examples: [12.5],
});
/** Both notations of a rate. */
export const rateOf = (rate_bps: number) => ({ rate_bps, rate_percent: rate_bps / 100 });

/** A rate in a request: one of the two fields, or both with the same rate. */
export const rateInput = { rate_bps: Type.Optional(RateBps), rate_percent: Type.Optional(RatePercent) };
/** The rate of a request in basis points. @throws Rejected `invalid` */
export const bpsOf = ({ rate_bps, rate_percent }: { rate_bps?: number; rate_percent?: number }): number => {
  const bps = rate_percent === undefined ? rate_bps : Math.round(rate_percent * 100);
  if (bps === undefined)
    throw new Rejected('invalid', 'Send rate_bps or rate_percent.', { fields: ['rate_bps', 'rate_percent'] });
  if (rate_percent !== undefined && rate_percent !== bps / 100)
    throw new Rejected('invalid', 'rate_percent must have at most two decimals.', { fields: ['rate_percent'] });
  if (rate_bps !== undefined && rate_bps !== bps)
    throw new Rejected('invalid', 'rate_bps and rate_percent must be the same rate.', {
      fields: ['rate_bps', 'rate_percent'],
    });
  return bps;
};

/** The fields of a rate in replies. */
export const rate = { rate_bps: RateBps, rate_percent: RatePercent };
export const Rate = Type.Object({ rule: OneOf(commissionRuleNames), ...rate }, { $id: 'CommissionRate' });
