/** How errors are answered. */
import { describe, expect, it } from 'vitest';
import { HttpError, toProblem } from '../../api/http/errors.ts';
import { Contended, Rejected } from '../../domain/core/decider.ts';
import { TimedOut } from '../../infra/retry.ts';

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

it('asks to repeat a command when others were faster', () => {
  const { problem, headers, unexpected } = toProblem(new Contended(), 'request');
  expect(problem).toMatchObject({ status: 503, code: 'unavailable', retry_after_s: expect.any(Number) });
  const { retry_after_s: seconds } = problem as unknown as { retry_after_s: number };
  expect({ headers, unexpected }).toEqual({ headers: { 'retry-after': String(seconds) }, unexpected: false });
});

it.each([new TimedOut('no answer'), new HttpError('unavailable', 'Full.'), new Contended()])(
  'asks those whom %s refuses to come back at different times',
  (error) => {
    const waits = Array.from({ length: 100 }, () => toProblem(error, 'request').headers['retry-after']);
    expect([...new Set(waits)].sort()).toEqual(['1', '2', '3', '4']);
  },
);
