/** What the admin token of the settings opens. */
import { expect, test } from 'vitest';
import type { App } from '../../api/http/app.ts';
import { authenticate } from '../../api/http/authenticate.ts';

const caller = (given: string, mayUseAdminToken?: () => Promise<boolean>) => {
  const app = { http: { adminToken: 'ours', ...(mayUseAdminToken && { mayUseAdminToken }) } } as unknown as App;
  return authenticate(app, { access: 'seed' } as never, (name) => (name === 'x-admin-token' ? given : undefined));
};

test('makes the first admins, and opens nothing once there are some', async () => {
  expect(await caller('ours', async () => true)).toEqual({ kind: 'seed' });
  await expect(caller('ours', async () => false)).rejects.toThrow(/There are admins/);
});

test("is asked for first: whether there is an admin is nobody's business", async () => {
  await expect(caller('another', async () => false)).rejects.toThrow(/admin token is invalid/);
});

test('opens everything that it is for outside of production', async () => {
  expect(await caller('ours')).toEqual({ kind: 'seed' });
});
