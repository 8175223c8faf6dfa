/** Until when the admin token makes admins in production. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { allAdmins } from '../../commands/accounts/admins.ts';
import { addMs, DAY_MS } from '../../domain/core/instants.ts';
import { lacksAdmins } from '../../ops/firstAdmins.ts';
import { hasAdmin } from '../../projections/accounts/accounts.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import { groups } from '../../projections/modules.ts';
import { createStage, type Stage } from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { startProjector } from '../kit/projector.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await createStage(await freshStores());
  await startProjector({ ...stage.node, groups });
  stage.work();
});

it('it makes two admins, the second within a day', async () => {
  const { pool } = stage.node;
  const db = readDb(pool);
  const began = new Date().toISOString();
  const mayMake = (after = 0) => lacksAdmins(pool, db, new Date(addMs(began, after)));
  const make = async (count: number) => {
    const details = { role: 'admin', email: `${randomUUID()}@example.com`, password: 'correct horse' } as const;
    await openAccount(stage.node, contextOf('seed', 'admin'), details);
    await until(async () => (await allAdmins(pool)).length === count && (await hasAdmin(db)));
  };
  expect(await mayMake()).toBe(true);
  await make(1);
  expect([await mayMake(), await mayMake(DAY_MS - 1), await mayMake(2 * DAY_MS)]).toEqual([true, true, false]);
  await make(2);
  expect(await mayMake()).toBe(false);
});
