/** Clocks of devices that are wrong. */
import { describe, expect, it } from 'vitest';
import { atOurClock, clockSkew, correctedBy, steadySkew } from '../../domain/core/deviceClock.ts';
import { MINUTE_MS } from '../../domain/core/instants.ts';

const NOW = Date.parse('2027-01-13T10:00:00Z');

describe('the skew of a clock', () => {
  it.each([
    ['not told', null, 0],
    ['right', NOW, 0],
    ['40 seconds behind, which a slow request can be', NOW - 40_000, 0],
    ['10 minutes behind', NOW - 10 * MINUTE_MS, 10 * MINUTE_MS],
    ['10 minutes ahead', NOW + 10 * MINUTE_MS, -10 * MINUTE_MS],
    ['of 1970', 0, NOW],
  ])('%s', (_, sent, skew) => expect(clockSkew(sent, NOW)).toBe(skew));

  it('is the same for all requests of a recording, unless the clock was set', () => {
    expect(steadySkew(600_000, 603_000)).toBe(600_000);
    expect(steadySkew(600_000, 0)).toBe(0);
    expect(steadySkew(0, 600_000)).toBe(600_000);
  });
});

it('a time that does not exist stays as it is', () => {
  expect(atOurClock('2027-02-30T10:00:00Z', 0)).toBe('2027-02-30T10:00:00Z');
  expect(atOurClock('yesterday', 600_000)).toBe('yesterday');
  expect(atOurClock('2027-01-13T10:00:00+03:00', 600_000)).toBe('2027-01-13T07:10:00.000Z');
});

it('a time of a request is corrected by when it was sent', () => {
  const now = '2027-01-13T10:00:00.000Z';
  expect(correctedBy('2027-01-13T09:40:00Z', '2027-01-13T09:50:00Z', now)).toBe('2027-01-13T09:50:00.000Z');
  expect(correctedBy('2027-01-13T09:40:00Z', undefined, now)).toBe('2027-01-13T09:40:00Z');
});
