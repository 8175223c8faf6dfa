import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServedModules, serveModules } from '../kit/servedModules.ts';

let health: 'ok' | 'unavailable' = 'ok';
const remarks: string[] = [];
let served: ServedModules;
beforeAll(async () => {
  served = await serveModules([], { health: async () => health, remarks: () => remarks });
});
afterAll(() => served.stop());

it('an API that answers is ready, whatever else an operator should know', async () => {
  const ask = async (path: string) => {
    const response = await fetch(`${served.origin}${path}`);
    return [response.status, await response.json()];
  };
  const paths = ['/health', '/ready', '/api/v1/platform/health'];
  for (const path of paths) expect(await ask(path)).toEqual([200, expect.objectContaining({ status: 'ok' })]);
  remarks.push('The file store cannot be used.');
  for (const path of paths)
    expect(await ask(path)).toEqual([200, expect.objectContaining({ status: 'degraded', faults: remarks })]);
  health = 'unavailable';
  await expect.poll(() => ask('/ready')).toEqual([503, { service: 'platform', version: '0', status: 'unavailable' }]);
});
