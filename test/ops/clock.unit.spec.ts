import { expect, it } from 'vitest';
import { createClockCheck } from '../../infra/clock.ts';
import { createLogger } from '../../infra/log.ts';

const NOW_MS = 1_800_000_000_000;

const watched = () => {
  const lines: string[] = [];
  const log = createLogger({ destination: { write: (line) => lines.push((JSON.parse(line) as { msg: string }).msg) } });
  const clock = createClockCheck();
  const note = (aheadS: number, tookMs = 10) =>
    clock.note({ databaseS: NOW_MS / 1_000 - aheadS, askedMs: NOW_MS, answeredMs: NOW_MS + tookMs }, log);
  return { note, lines, remarks: clock.remarks };
};

it.each([3_600, -20])('a difference of %s s is one line when it begins and one when it is over', (aheadS) => {
  const { note, lines, remarks } = watched();
  note(0);
  expect([lines, remarks()]).toEqual([[], []]);
  // As when several roles of a process measure it.
  for (let times = 0; times < 5; times += 1) note(aheadS);
  expect(lines).toEqual(['the clock differs from that of the database']);
  expect(remarks()).toEqual([expect.stringContaining(`differs by ${aheadS} s`)]);
  note(0);
  note(0);
  expect(lines.slice(1)).toEqual(['the clock agrees with that of the database again']);
  expect(remarks()).toEqual([]);
});

it('a difference about the limit is not told of again and again', () => {
  const { note, lines } = watched();
  for (const aheadS of [5.1, 4.9, 5.1, 4.9]) note(aheadS);
  expect(lines).toHaveLength(1);
});

it('an answer that was read late is no difference', () => {
  const { note, lines, remarks } = watched();
  note(-15, 30_000);
  expect([lines, remarks()]).toEqual([[], []]);
});
