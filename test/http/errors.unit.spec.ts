/** How errors are answered. */
import { describe, expect, it } from 'vitest';
import { toProblem } from '../../api/http/errors.ts';
import { Rejected } from '../../domain/core/decider.ts';

const answer = (facts: Record<string, unknown>) =>
  toProblem(new Rejected('balance_too_low', 'The amount is too high.', facts), 'request').problem;

describe('the facts of a rejection', () => {
  it('have amounts in major and minor units', () => {
    expect(answer({ available_minor: 1_050, currency: 'RUB' })).toMatchObject({
      available: 10.5,
      available_minor: 1_050,
      currency: 'RUB',
    });
    expect(answer({ available_minor: 1_050, currency: 'JPY' })).toMatchObject({ available: 1_050 });
    expect(answer({ available_minor: -10_000, currency: 'RUB' })).toMatchObject({ available: -100 });
  });

  it('are otherwise answered as they are', () => {
    expect(answer({ reasons: ['past'] })).toMatchObject({ reasons: ['past'] });
  });
});
