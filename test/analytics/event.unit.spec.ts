/** Which events of apps are taken, and when they happened by our clock. */
import { expect, it } from 'vitest';
import { refusalOf, skewOf } from '../../domain/analytics/event.ts';
import { MINUTE_MS } from '../../domain/core/instants.ts';

const RECEIVED = Date.parse('2026-11-22T12:00:00.000Z');
const ago = (minutes: number): number => RECEIVED - minutes * MINUTE_MS;
const event = { name: 'home', occurred: ago(1), propertiesBytes: 2 };

it.each([
  ['an ordinary event', {}, undefined],
  ['29 days old', { occurred: ago(29 * 1440) }, undefined],
  ['31 days old', { occurred: ago(31 * 1440) }, 'more than 30 days ago'],
  ['an hour ahead', { occurred: ago(-60) }, undefined],
  ['two days ahead', { occurred: ago(-2 * 1440) }, 'more than a day ahead'],
  ['8 KiB of properties', { propertiesBytes: 8_192 }, undefined],
  ['more than 8 KiB of properties', { propertiesBytes: 8_193 }, 'larger than 8 KiB'],
  ['a name of the platform', { name: 'paid' }, 'recorded by the platform itself'],
])('%s', (_, changes, refusal) => {
  const found = refusalOf({ ...event, ...changes }, RECEIVED);
  if (refusal === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(refusal);
});

it.each([
  ['without the time of sending', null, 0],
  ['sent seconds ago: that is the way', ago(1), 0],
  ['a clock 5 minutes behind', ago(5), 5],
  ['a clock 5 minutes ahead', ago(-5), -5],
  ['an hour', ago(60), 60],
  ['two hours: kept somewhere', ago(120), 0],
])('%s', (_, sent, minutes) => {
  expect(skewOf(sent, RECEIVED)).toBe(minutes * MINUTE_MS);
});
