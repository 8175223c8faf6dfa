import { expect, it } from 'vitest';
import { isAccepted, unlessRejected } from '../../commands/core/refusals.ts';
import { Contended, Rejected } from '../../domain/core/decider.ts';

const fails = (error: Error) => () => Promise.reject(error);
const gone = new Rejected('not_found', 'gone');

it('gives what the work gives, and undefined where it is rejected', async () => {
  expect(await unlessRejected(async () => 7)).toBe(7);
  expect(await unlessRejected(fails(gone))).toBeUndefined();
  expect(await unlessRejected(fails(gone), 'not_found')).toBeUndefined();
});

it('says whether the work is done', async () => {
  expect(await isAccepted(async () => undefined)).toBe(true);
  expect(await isAccepted(fails(gone))).toBe(false);
});

it.each([
  ['another rejection', gone, 'invalid'],
  ['an error that is no rejection', new Contended(), undefined],
] as const)('throws %s', async (_, error, code) => {
  await expect(unlessRejected(fails(error), code)).rejects.toBe(error);
  await expect(isAccepted(fails(error), code)).rejects.toBe(error);
});
