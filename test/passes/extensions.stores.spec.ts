/** What gates without a connection learn of closures: page by page, once, and again when another closure follows. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { giveDaysBack } from '../../commands/passes/closures.ts';
import { addDays, instantIn } from '../../domain/core/dates.ts';
import { validUntil } from '../../domain/passes/admission.ts';
import { pass } from '../../domain/passes/pass.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import { groups } from '../../projections/modules.ts';
import { closedDates } from '../../projections/passes/closedDates.ts';
import { type Extension, extensionsSince } from '../../projections/passes/extensions.ts';
import { contextOf } from '../kit/context.ts';
import { testDeps } from '../kit/deps.ts';
import { startProjector } from '../kit/projector.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { moscow, soldPass } from './passFixtures.ts';

let stores: Stores;
beforeAll(async () => {
  stores = await freshStores();
  await startProjector({ ...testDeps(stores), groups });
});

it('tells each pass whose last date has moved, and no other', async () => {
  const db = readDb(stores.pool);
  const { aggregates } = testDeps(stores);
  const sell = async (more: object = {}) => {
    const terms = { ...soldPass, purchaseId: randomUUID(), ...more };
    const passId = randomUUID();
    await aggregates.handle(pass, passId, { type: 'SellPass', ...terms }, contextOf('system'));
    return { passId, terms: { ...terms, days: [] } };
  };
  const sold = await Promise.all(Array.from({ length: 7 }, () => sell()));
  const others = await Promise.all([
    sell({ unit: 'season' }),
    sell({ soldAt: moscow(20, '09:00') }),
    sell({ validFrom: '2026-04-01', validTo: '2026-04-05' }),
  ]);
  const close = async (date: string, at: string) => {
    await giveDaysBack({ aggregates }, contextOf('admin', 'admin', at), { from: date, to: date, reason: 'Storm' });
    await until(async () => (await closedDates(db)).some((closed) => closed.date === date));
  };
  /** All pages from a cursor, three passes a page. */
  const allSince = async (cursor: string | undefined) => {
    const data: Extension[] = [];
    let since = cursor;
    for (let more = true; more; ) {
      const page = await extensionsSince(db, { since, notBefore: '2026-01-01', limit: 3 });
      data.push(...page.data);
      ({ next: since, more } = page);
    }
    return { data, next: since };
  };
  const expected = async () => {
    const closed = await closedDates(db);
    return sold
      .map(({ passId, terms }) => ({
        pass_id: passId,
        valid_until: instantIn('Europe/Moscow', addDays(validUntil(terms as never, closed), 1), '00:00'),
      }))
      .toSorted((a, b) => (a.pass_id < b.pass_id ? -1 : 1));
  };
  await close('2026-03-09', moscow(7, '09:00'));
  await until(async () => (await allSince(undefined)).data.length === sold.length);
  const first = await allSince(undefined);
  expect(first.data).toEqual(await expected());
  expect(await allSince(first.next)).toEqual({ data: [], next: first.next });

  await close('2026-03-10', moscow(8, '09:00'));
  const second = await allSince(first.next);
  expect(second.data).toEqual(await expected());
  expect((await allSince(undefined)).data).toEqual(second.data);
  // A cursor of another history lists all again.
  const foreign = `${randomUUID()}:${second.next?.split(':').slice(1).join(':')}`;
  expect((await allSince(foreign)).data).toEqual(second.data);
  expect(others.some(({ passId }) => second.data.some(({ pass_id }) => pass_id === passId))).toBe(false);
});
