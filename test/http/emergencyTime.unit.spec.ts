import { Type } from '@sinclair/typebox';
import { expect, it } from 'vitest';
import { route } from '../../api/http/route.ts';
import { leftOf } from '../../infra/deadline.ts';
import { serveModules } from '../kit/servedModules.ts';

const CALL_MS = 10_000;

it('all calls for one emergency have a second and a half together, others have limits of their own', async () => {
  const asks = (['emergency', 'user'] as const).map((access) =>
    route(`POST /api/v1/${access}`, {
      id: access,
      access,
      summary: 'How long a call may take',
      reply: Type.Object({ ms: Type.Number() }),
      handle: () => ({ ms: leftOf(CALL_MS) }),
    }),
  );
  const caller = { kind: 'user', id: '01a21e51-f5a1-7433-b183-040462000000', role: 'tourist', provedAt: 0 };
  const served = await serveModules([{ service: 'platform', routes: asks }], { authenticateUser: async () => caller });
  const ask = async (access: string) => {
    const headers = { authorization: 'Bearer x' };
    const response = await fetch(`${served.origin}/api/v1/${access}`, { method: 'POST', headers });
    return ((await response.json()) as { ms: number }).ms;
  };
  const left = await ask('emergency');
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(1_500);
  expect(await ask('user')).toBe(CALL_MS);
  served.stop();
});
