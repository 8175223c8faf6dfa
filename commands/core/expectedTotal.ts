/** The price that a client showed before it ordered. */

import { Rejected } from '../../domain/core/decider.ts';
import { toMajor } from '../../domain/core/money.ts';
import { toSnake } from '../../infra/naming.ts';
import { sentMinor } from './amounts.ts';

/** The price as it is now. */
export interface Priced {
  readonly currency: string;
  readonly totalMinor: number;
  readonly lines: readonly object[];
}

/**
 * @param expected in major units; undefined: the client takes any price
 * @throws Rejected `price_changed` with the new quote; `invalid` for an amount that the currency cannot express
 */
export const assertExpectedTotal = (expected: number | undefined, { currency, totalMinor, lines }: Priced): void => {
  if (expected === undefined || sentMinor('expected_total', expected, currency, Number.MAX_SAFE_INTEGER) === totalMinor)
    return;
  throw new Rejected(
    'price_changed',
    `The price is now ${toMajor(totalMinor, currency)} ${currency}, not ${expected}. Show the new price and order again.`,
    { currency, total_minor: totalMinor, price_lines: toSnake(lines) },
  );
};
