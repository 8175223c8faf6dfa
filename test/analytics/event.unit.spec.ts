/** Which events of apps are taken, and when they happened by our clock. */
import { expect, it } from 'vitest';
import { correctedTime, refusalOf } from '../../domain/analytics/event.ts';

const RECEIVED = '2026-11-22T12:00:00.000Z';
const ago = (minutes: number): string => new Date(Date.parse(RECEIVED) - minutes * 60_000).toISOString();
const event = { name: 'home', occurredAt: ago(1), propertiesBytes: 2 };

it.each([
  ['an ordinary event', {}, undefined],
  ['29 days old', { occurredAt: ago(29 * 1440) }, undefined],
  ['31 days old', { occurredAt: ago(31 * 1440) }, 'more than 30 days ago'],
  ['an hour ahead', { occurredAt: ago(-60) }, undefined],
  ['two days ahead', { occurredAt: ago(-2 * 1440) }, 'more than a day ahead'],
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
])('%s', (_, sentAt, minutes) => {
  expect(correctedTime(ago(30), sentAt, RECEIVED)).toBe(Date.parse(ago(30 - minutes)));
});

it('keeps the order and the distances of what a device sent in one request', () => {
  const [first, second] = [ago(20), ago(19)].map((at) => correctedTime(at, ago(7), RECEIVED)) as [number, number];
  expect(second - first).toBe(60_000);
});
