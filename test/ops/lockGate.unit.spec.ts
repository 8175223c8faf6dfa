/** Which statements are refused while what they need is locked. */
import { expect, it } from 'vitest';
import { createLockGate } from '../../infra/lockGate.ts';

const locked = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
const refused = { code: '55P03', message: expect.stringContaining('locked') };

it('lets one of those that waited in vain try again, and few at a time, until one succeeds', () => {
  const gate = createLockGate(2);
  const texts = ['select 1', 'select 2', 'select 3'];
  for (const text of texts) gate.leave(text, gate.enter(text), locked);
  expect(gate.enter('select 1')).toBe('trial');
  expect(gate.enter('select 1')).toMatchObject(refused);
  expect(gate.enter('select 2')).toBe('trial');
  expect(gate.enter('select 3')).toMatchObject(refused);
  expect(gate.enter('select 4')).toBe('free');
  gate.leave('select 4', 'free', null);
  gate.leave('select 1', 'trial', locked);
  expect(gate.enter('select 3')).toBe('trial');
  gate.leave('select 3', 'trial', null);
  expect([gate.enter('select 3'), gate.enter('select 3')]).toEqual(['free', 'free']);
});

it('forgets those that nobody has tried for a while', () => {
  let now = 0;
  const gate = createLockGate(1, () => now);
  gate.leave('select 1', gate.enter('select 1'), locked);
  now = 10_001;
  expect([gate.enter('select 1'), gate.enter('select 1')]).toEqual(['free', 'free']);
});

it('is not interested in other errors', () => {
  const gate = createLockGate(1);
  gate.leave('select 1', gate.enter('select 1'), Object.assign(new Error('no'), { code: '23505' }));
  expect([gate.enter('select 1'), gate.enter('select 1')]).toEqual(['free', 'free']);
});
