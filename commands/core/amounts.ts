/** Amounts that people send, in major units. */
import { inField, Rejected } from '../../domain/core/decider.ts';
import { toMinor } from '../../domain/core/money.ts';
import { MOST_MINOR } from '../../domain/core/schema.ts';

/**
 * An amount of a request in minor units.
 * @param field its name in requests (`Fields`)
 * @param most minor units: what the event takes in which it is stored
 * @throws Rejected `invalid` for an amount that the currency cannot express, or beyond `most`
 */
export const sentMinor = (field: string, amount: number, currency: string, most: number = MOST_MINOR): number => {
  const minor = inField(field, () => toMinor(amount, currency));
  if (Math.abs(minor) > most) throw new Rejected('invalid', `${field} is too large.`, { fields: [field] });
  return minor;
};
