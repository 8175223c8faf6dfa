import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import { hashPassword, passwordFits } from '../../commands/accounts/passwords.ts';
import { Overloaded } from '../../infra/keyedQueue.ts';

it('a crowd of sign-ins waits in a bounded queue, and the rest is refused at once', async () => {
  const crowd = await Promise.allSettled(Array.from({ length: 200 }, () => passwordFits(null, 'guess')));
  const refused = crowd.filter((each) => each.status === 'rejected');
  expect(refused.length).toBeGreaterThanOrEqual(200 - 64 - availableParallelism());
  for (const each of refused) expect(each.reason).toBeInstanceOf(Overloaded);
  // On a busy machine some that waited are refused, too: not within 5 s.
  expect(crowd.length - refused.length).toBeGreaterThanOrEqual(availableParallelism());
  expect(await passwordFits(await hashPassword('correct horse'), 'correct horse')).toBe(true);
});
