import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createOutput } from '../../infra/output.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An output whose writes return when the test says so. */
const controlled = () => {
  let written = '';
  let finish: ((error: NodeJS.ErrnoException | null, bytes: number) => void) | undefined;
  let bytes = Buffer.alloc(0);
  const told: number[] = [];
  const output = createOutput((piece, done) => {
    bytes = Buffer.from(piece);
    finish = done;
  });
  output.onDropped((count) => told.push(count));
  const end = (error: NodeJS.ErrnoException | null, count: number) => {
    const done = finish;
    finish = undefined;
    written += bytes.subarray(0, count).toString();
    done?.(error, count);
  };
  return {
    ...{ output, told },
    written: () => written,
    accept: (count = bytes.length) => end(null, count),
    refuse: (code: string) => end(Object.assign(new Error(code), { code }), 0),
    acceptAll: () => {
      while (finish) end(null, bytes.length);
    },
  };
};

const LINE = `${'x'.repeat(1023)}\n`;

test.each(['ENOSPC', 'EAGAIN'])('after %s the same bytes are written again, from where they were cut', (code) => {
  const { output, written, accept, refuse, acceptAll } = controlled();
  output.write('first\n');
  output.write('second\n');
  accept(3);
  refuse(code);
  vi.advanceTimersByTime(1_000);
  acceptAll();
  expect(written()).toBe('first\nsecond\n');
});

test('what a full disk refuses waits up to a bound; the rest is dropped, counted and told of when there is room', async () => {
  const { output, told, written, refuse, acceptAll } = controlled();
  for (let line = 0; line < 3_000; line += 1) output.write(LINE);
  refuse('ENOSPC');
  await output.settled();
  expect([output.isWriting(), told]).toEqual([false, []]);
  vi.advanceTimersByTime(1_000);
  acceptAll();
  const kept = written().length / LINE.length;
  expect(kept).toBeGreaterThan(500);
  expect(kept).toBeLessThan(1_200);
  expect(told).toEqual([3_000 - kept]);
});

test('a write that nobody takes is known not to have returned', () => {
  const { output, accept } = controlled();
  output.write(LINE);
  expect(output.isWriting()).toBe(true);
  accept();
  expect(output.isWriting()).toBe(false);
});

test('a reader that has ended gets no more', () => {
  const { output, written, refuse } = controlled();
  output.write(LINE);
  refuse('EPIPE');
  output.write(LINE);
  vi.advanceTimersByTime(10_000);
  expect([output.isWriting(), written()]).toEqual([false, '']);
});
