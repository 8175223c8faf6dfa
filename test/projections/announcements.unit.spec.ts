/** What other processes are told of changed rows. */
import { expect, it } from 'vitest';
import { roomNights } from '../../projections/catalog/roomNights.ts';
import { announced, payloadsOf } from '../../projections/engine/announcements.ts';

const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n}`.padEnd(60, '.'));

it('fits into notifications, and tells all after too many lines', () => {
  const payloads = payloadsOf('rooms', lines(500));
  expect(payloads.length).toBeGreaterThan(1);
  for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8_000);
  expect(payloads.flatMap((payload) => announced(payload).lines)).toEqual(lines(500));
  expect(payloadsOf('rooms', lines(5_000))).toEqual(['rooms']);
  expect(announced('rooms')).toEqual({ model: 'rooms', lines: [] });
});

it('names the nights of each room by their range', () => {
  const night = (room_id: string, night: string) => ({ room_id, night });
  const keys = [night('a', '2026-12-03'), night('b', '2026-12-01'), night('a', '2026-12-01')];
  expect(roomNights.announce?.(keys)).toEqual(['a 2026-12-01 2026-12-03', 'b 2026-12-01 2026-12-01']);
});
