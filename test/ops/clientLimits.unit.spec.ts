/** How many clients a process takes under a limit of open files and connections. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clientLimits, descriptorWarnings } from '../../ops/clientLimits.ts';
import type { Role } from '../../ops/config.ts';

const process = (...ROLE: Role[]) => ({ ROLE, DATABASE_POOL: 10 });
const UNLIMITED = clientLimits(process('api'), Number.POSITIVE_INFINITY);

it('takes all that it is made for where the limit allows it, without a word', () => {
  for (const limit of [Number.POSITIVE_INFINITY, 1_048_576]) {
    expect(clientLimits(process('api', 'realtime'), limit)).toEqual(UNLIMITED);
    expect(descriptorWarnings([process('api', 'realtime')], limit)).toEqual([]);
  }
  expect(descriptorWarnings([process('worker')], 200)).toEqual([]);
});

it('takes fewer under a lower limit, leaves room for stores and files, and says which number is missing', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 200, max: 70_000 }),
      fc.constantFrom<Role[]>(['api'], ['realtime'], ['api', 'realtime']),
      (limit, roles) => {
        const { api, hub } = clientLimits(process(...roles), limit);
        const taken = [
          ...(roles.includes('api') ? [api.connections, api.tunnels] : []),
          ...(roles.includes('realtime') ? [hub.connections] : []),
        ];
        for (const count of taken) expect(count).toBeGreaterThan(0);
        expect(taken.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(limit - Math.min(150, limit / 2));
      },
    ),
  );
  expect(descriptorWarnings([process('realtime'), process('api')], 4_096)).toEqual([
    expect.stringMatching(/may have 4096 .* needs 49150 .*`ulimit -n`, LimitNOFILE=/),
  ]);
});
